"""What is kept, in tables that SQLite and PostgreSQL both understand.

``log`` is the truth; ``matches`` is an index of it, for finding matches without reading them;
``records`` has every match that is over, as a text that outlives the log. ``uptime`` has one row:
for how many milliseconds the server was up and away in all, and when by the clock on the wall it
last said so.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("status", String(10), nullable=False),
    Column("private", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("wake", BigInteger),
    Column("first_bot", String(40)),
    Column("second_bot", String(40)),
    Column("info", LargeBinary, nullable=False),
    Column("source", String(40), nullable=False, server_default=""),
    Column("automatic", Boolean, nullable=False, server_default=false()),
    Index("matches_source", "source", "status"),
    Index("matches_wake", "wake"),
    Index("matches_status", "status", "private", "created"),
    Index("matches_first_bot", "first_bot"),
    Index("matches_second_bot", "second_bot"),
)

log = Table(
    "log",
    metadata,
    Column("match", String(40), ForeignKey("matches.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

records = Table(
    "records",
    metadata,
    Column("match", String(40), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("private", Boolean, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("info", LargeBinary, nullable=False),
    Index("records_ended", "private", "ended"),
)

bots = Table(
    "bots",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
)

uptime = Table(
    "uptime",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("alive", BigInteger, nullable=False),
    Column("away", BigInteger, nullable=False),
    Column("uptime", BigInteger, nullable=False, server_default="0"),
)
