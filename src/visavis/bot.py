"""A bot in one file: the standard library and HTTP. See ``docs/bots.md``.

``python -m visavis.bot --register NAME`` registers a bot and plays random moves.
"""

from __future__ import annotations

import argparse
import http.client
import json
import logging
import random
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

logger = logging.getLogger("visavis.bot")

BROKEN = (OSError, http.client.HTTPException, json.JSONDecodeError)
"""How a stream breaks off when the server, or the line to it, goes away; both come back."""


@dataclass(frozen=True)
class Turn:
    """What a bot is asked: its view, and its legal moves (empty if too many to list)."""

    match: str
    game: str
    options: dict[str, str]
    seat: str
    view: str
    prompt: str
    legal: tuple[str, ...]
    suggestions: dict[str, str]


class Bot:
    """A bot at a server. ``run`` plays every match it is given, a thread each."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._token = token
        self._client = uuid.uuid4().hex[:12]
        self._number = 0
        self._lock = threading.Lock()

    def run(self, choose: Callable[[Turn], str]) -> None:
        """Play for ever; ``choose`` returns the text of a move.

        Raises HTTPError if the token is none.
        """
        playing: set[str] = set()
        while True:
            try:
                for event in self._stream("/api/bot/events"):
                    if event["type"] == "match" and event["match"] not in playing:
                        playing.add(event["match"])
                        play = threading.Thread(target=self.play, args=(event, choose), daemon=True)
                        play.start()
            except BROKEN as error:
                if _code(error) == 403:
                    raise
            time.sleep(1)

    def play(self, event: Json, choose: Callable[[Turn], str]) -> None:
        """Play one match to its end."""
        while True:
            try:
                for message in self._stream(f"/api/matches/{event['match']}/stream"):
                    if turn := _turn(event, message):
                        self.move(turn.match, choose(turn), message["seq"])
                    if _is_over(message):
                        return
            except BROKEN as error:
                if isinstance(error, urllib.error.HTTPError):
                    logger.warning("match %s: %s", event["match"], problem(error))
                if _code(error) in (403, 404):
                    return
            time.sleep(1)

    def move(self, match: str, text: str, seen: int) -> None:
        """Make a move; one that comes too late is no harm."""
        with self._lock:
            self._number += 1
            number = self._number
        order = {
            "client": self._client,
            "number": number,
            "seen": seen,
            "command": {"type": "move", "text": text},
        }
        try:
            self._ask(f"/api/matches/{match}/orders", order).close()
        except urllib.error.HTTPError as error:
            if error.code != 409:
                raise

    def join(self, match: str) -> Json:
        """Take an open seat."""
        with self._ask(f"/api/matches/{match}/join", {}) as answer:
            return dict(json.load(answer))

    def _stream(self, path: str) -> Iterator[Json]:
        with self._ask(path) as answer:
            for line in answer:
                if line.strip():
                    yield json.loads(line)

    def _ask(self, path: str, body: Json | None = None) -> Any:
        return ask(self._url + path, body, self._token)


def ask(url: str, body: Json | None = None, token: str = "") -> Any:
    """Return the open answer to a request."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers)
    return urllib.request.urlopen(request, timeout=60)


def problem(error: OSError) -> str:
    """Return in words why a request failed."""
    if isinstance(error, urllib.error.HTTPError):
        try:
            return str(json.load(error)["message"])
        except (ValueError, LookupError, TypeError):
            return str(error)
    return str(getattr(error, "reason", error))


def _code(error: Exception) -> int | None:
    return error.code if isinstance(error, urllib.error.HTTPError) else None


def register(url: str, name: str) -> str:
    """Register a bot; return its token, which is shown once."""
    with ask(url.rstrip("/") + "/api/bots", {"name": name}) as answer:
        return str(json.load(answer)["token"])


def _turn(event: Json, message: Json) -> Turn | None:
    """Return what a message asks of the bot, if it does."""
    if message["type"] == "snapshot":
        position = message["position"] or {}
        asked, view = position.get("asked"), position.get("view")
    else:
        asked = message.get("asked")
        stands = [n["view"] for n in message.get("notices", ()) if n["type"] == "stands"]
        view = stands[-1] if stands else None
    if asked is None or view is None:
        return None
    return Turn(
        match=event["match"],
        game=event["game"],
        options=event["options"],
        seat=event["seat"],
        view=view,
        prompt=asked["prompt"],
        legal=tuple(asked["legal"] or ()),
        suggestions=asked["suggestions"],
    )


def _is_over(message: Json) -> bool:
    if message["type"] == "snapshot":
        return bool(message["info"]["status"] == "over")
    return any(n["type"] == "ended" for n in message["notices"])


def choose_at_random(turn: Turn) -> str:
    """Return any legal move; where they are too many to list, a ready-made one."""
    return random.choice(turn.legal or tuple(turn.suggestions.values()))


def main() -> int:
    """Play random moves at a server."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--register", metavar="NAME")
    who.add_argument("--token")
    arguments = parser.parse_args()
    try:
        token = arguments.token or register(arguments.url, arguments.register)
        if arguments.register:
            print(f"the token of {arguments.register}: {token}", flush=True)
        Bot(arguments.url, token).run(choose_at_random)
    except OSError as error:
        print(f"{arguments.url}: {problem(error)}", file=sys.stderr)
    except ValueError:
        print(f"{arguments.url!r} is no address; write http://host:port", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 2


if __name__ == "__main__":
    sys.exit(main())
