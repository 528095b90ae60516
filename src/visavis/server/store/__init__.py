"""Keeping matches: an append-only log on SQLite or PostgreSQL, with group commit."""

from visavis.server.store.clock import Clock
from visavis.server.store.database import BadDatabase, Sqlite, database
from visavis.server.store.failures import DatabaseFailed, Unavailable
from visavis.server.store.store import Append, Beat, Conflict, Index, Kept, News, Place, Row, Store

__all__ = [
    "Append",
    "BadDatabase",
    "Beat",
    "Clock",
    "Conflict",
    "DatabaseFailed",
    "Index",
    "Kept",
    "News",
    "Place",
    "Row",
    "Sqlite",
    "Store",
    "Unavailable",
    "database",
]
