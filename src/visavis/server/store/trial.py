"""Trials whether there is room to write: entries of no match, which are taken out again."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from visavis.server.store.tables import log, matches

TRIAL: Final = "trial"
"""Their status. Nobody is shown those, and no match's id has a blank like theirs."""
_IDS = sa.select(matches.c.id).where(matches.c.status == TRIAL)


def put_trial(connection: sa.Connection, id: str, body: bytes) -> None:
    """Write something, in place of all trials before."""
    take_out_trials(connection)
    values = {"id": id, "status": TRIAL, "private": True, "created": 0, "info": b""}
    connection.execute(matches.insert(), values)
    connection.execute(log.insert(), {"match": id, "number": 1, "at": 0, "body": body})


def take_out_trials(connection: sa.Connection) -> None:
    """Leave nothing of them."""
    connection.execute(log.delete().where(log.c.match.in_(_IDS)))
    connection.execute(matches.delete().where(matches.c.status == TRIAL))
