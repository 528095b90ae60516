"""Keeping matches: an append-only log on SQLite or PostgreSQL, with group commit."""

from visavis.server.store.database import BadDatabase, Sqlite, database
from visavis.server.store.store import Append, Beat, Conflict, Index, Kept, Row, Store

__all__ = [
    "Append",
    "BadDatabase",
    "Beat",
    "Conflict",
    "Index",
    "Kept",
    "Row",
    "Sqlite",
    "Store",
    "database",
]
