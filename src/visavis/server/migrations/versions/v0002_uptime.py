"""Uptime is kept itself: it no longer follows from what a clock on the wall says."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go on with the uptime of the last beat."""
    op.add_column("uptime", sa.Column("uptime", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE uptime SET uptime = alive - away")


def downgrade() -> None:
    """Let it follow again."""
    op.execute("UPDATE uptime SET alive = uptime + away")
    op.drop_column("uptime", "uptime")
