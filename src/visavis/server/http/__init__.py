"""The HTTP side: create, join, look up, stream and command matches, without a WebSocket."""

from fastapi import APIRouter

from visavis.server.http import bots, engine, games, matches

router = APIRouter(prefix="/api")
for part in (games, matches, bots, engine):
    router.include_router(part.router)

__all__ = ["router"]
