"""Where matches come from: who made many is told from who made few, without keeping addresses."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from visavis.server.safety import CLIENTS
from visavis.server.secrets import new_id


class Source:
    """One client, under a name that is drawn for it and means nothing elsewhere."""

    def __init__(self, client: str) -> None:
        self.client = client
        self.name = new_id()
        self.lock = asyncio.Lock()
        """Held while a match is made that counts."""


class Sources:
    """The clients of this process. Their addresses are nowhere but in its memory."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Source] = OrderedDict()

    def of(self, client: str) -> Source:
        """Return the source that a client is."""
        source = self._known.get(client)
        if source is None:
            source = self._known[client] = Source(client)
            if len(self._known) > CLIENTS:
                self._known.popitem(last=False)
        self._known.move_to_end(client)
        return source
