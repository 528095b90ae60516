"""Where a match comes from, and whether computers play it alone."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them; where matches before this come from is not known."""
    op.add_column("matches", sa.Column("source", sa.String(40), nullable=False, server_default=""))
    automatic = sa.Column("automatic", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("matches", automatic)
    op.create_index("matches_source", "matches", ["source", "status"])


def downgrade() -> None:
    """Forget them."""
    op.drop_index("matches_source", "matches")
    op.drop_column("matches", "automatic")
    op.drop_column("matches", "source")
