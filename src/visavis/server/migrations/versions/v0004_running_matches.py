"""Records that were imported under the id of a match that had not ended."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Take them out: the match could not end while its own record had no place to go."""
    op.execute("DELETE FROM records WHERE match IN (SELECT id FROM matches WHERE status <> 'over')")


def downgrade() -> None:
    """They are still where they came from."""
