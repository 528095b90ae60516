"""Alembic's way in: the server passes the connection on which it has begun a transaction."""

from alembic import context

from visavis.server.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
