"""Versions of the tables, for Alembic; run by the server when it starts."""
