"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("wake", sa.BigInteger),
        sa.Column("first_bot", sa.String(40)),
        sa.Column("second_bot", sa.String(40)),
        sa.Column("info", sa.LargeBinary, nullable=False),
    )
    op.create_index("matches_wake", "matches", ["wake"])
    op.create_index("matches_status", "matches", ["status", "private", "created"])
    op.create_index("matches_first_bot", "matches", ["first_bot"])
    op.create_index("matches_second_bot", "matches", ["second_bot"])
    op.create_table(
        "log",
        sa.Column("match", sa.String(40), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "records",
        sa.Column("match", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("info", sa.LargeBinary, nullable=False),
    )
    op.create_index("records_ended", "records", ["private", "ended"])
    op.create_table(
        "bots",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "uptime",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("alive", sa.BigInteger, nullable=False),
        sa.Column("away", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    for name in ("uptime", "bots", "records", "log", "matches"):
        op.drop_table(name)
