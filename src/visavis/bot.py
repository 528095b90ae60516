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
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Json = dict[str, Any]

logger = logging.getLogger("visavis.bot")

BROKEN = (OSError, http.client.HTTPException, json.JSONDecodeError)
"""How a stream breaks off when the server, or the line to it, goes away; both come back."""


TRIES: Final = 3
"""How often a bot that retries is asked for the same move before it resigns."""
RETRY_SECONDS: Final = 1.0

OnError = Literal["resign", "retry", "log"]
"""What to do when the bot's own code raises. It is logged in any case.

``resign`` gives the match up, ``retry`` asks again a few times first, and ``log`` leaves the match
standing until the clock decides.
"""


@dataclass(frozen=True)
class Clock:
    """How time stood when the turn began, in milliseconds; None where no time counts."""

    spec: str
    first: int | None = None
    second: int | None = None
    game: int | None = None
    """What both have together, in a game with such a clock."""


@dataclass(frozen=True)
class Move:
    """A move of a seat as the bot saw it, or a roll (``seat`` is None)."""

    seat: str | None
    text: str
    remark: str = ""


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
    clock: Clock = Clock("none")
    history: tuple[Move, ...] = ()
    """Everything that has been played, as the bot saw it."""


@dataclass(frozen=True)
class End:
    """How a match ended: ``winner`` is a seat, or None for a draw or a match broken off."""

    match: str
    game: str
    options: dict[str, str]
    seat: str
    result: str
    winner: str | None
    reason: str
    scores: tuple[int, int] | None
    history: tuple[Move, ...] = ()


Choose = Callable[[Turn], str]
OnEnd = Callable[[End], None]


class Bot:
    """A bot at a server. ``run`` plays every match it is given, a thread each."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._token = token
        self._client = uuid.uuid4().hex[:12]
        self._number = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Ask for no more matches and make no more moves, from whichever thread.

        A stream that is open is left when it next says something, or breaks.
        """
        self._stopped.set()

    def run(
        self, choose: Choose, *, on_end: OnEnd | None = None, on_error: OnError = "resign"
    ) -> None:
        """Play until `stop`; ``choose`` returns the text of a move.

        ``on_end`` hears how each match ended; ``on_error`` says what follows when ``choose``
        raises. Raises HTTPError if the token is none.
        """
        playing: set[str] = set()
        while not self._stopped.is_set():
            try:
                for event in self._stream("/api/bot/events"):
                    if event["type"] == "match" and event["match"] not in playing:
                        playing.add(event["match"])
                        play = threading.Thread(
                            target=self.play,
                            args=(event, choose),
                            kwargs={"on_end": on_end, "on_error": on_error},
                            daemon=True,
                        )
                        play.start()
            except BROKEN as error:
                if _code(error) == 403:
                    raise
            self._stopped.wait(RETRY_SECONDS)

    def play(
        self,
        event: Json,
        choose: Choose,
        *,
        on_end: OnEnd | None = None,
        on_error: OnError = "resign",
    ) -> None:
        """Play one match to its end, or until `stop`."""
        while not self._stopped.is_set():
            followed = _Followed(event)
            try:
                for message in self._stream(f"/api/matches/{event['match']}/stream"):
                    turn = followed.hear(message)
                    if followed.end is not None:
                        if on_end is not None:
                            _guarded(on_end, followed.end)
                        return
                    if followed.is_waited_for:
                        self._order(event["match"], {"type": "ready"})
                    elif turn is not None:
                        self._decide(turn, message["seq"], choose, on_error)
            except BROKEN as error:
                if isinstance(error, urllib.error.HTTPError):
                    logger.warning("match %s: %s", event["match"], problem(error))
                if _code(error) in (403, 404):
                    return
            self._stopped.wait(RETRY_SECONDS)

    def _decide(self, turn: Turn, seen: int, choose: Choose, on_error: OnError) -> None:
        """Ask the bot's own code for a move and make it; do what was wished for if it raises."""
        for attempt in range(TRIES if on_error == "retry" else 1):
            if attempt:
                self._stopped.wait(RETRY_SECONDS)
            text = _guarded(choose, turn)
            if text is not None:
                self.move(turn.match, text, seen)
                return
        if on_error != "log":
            logger.error("match %s: the bot resigns", turn.match)
            self._order(turn.match, {"type": "resign"})

    def move(self, match: str, text: str, seen: int) -> None:
        """Make a move; one that comes too late is no harm."""
        self._order(match, {"type": "move", "text": text}, seen)

    def _order(self, match: str, command: Json, seen: int | None = None) -> None:
        with self._lock:
            self._number += 1
            number = self._number
        order = {"client": self._client, "number": number, "seen": seen, "command": command}
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
                if self._stopped.is_set():
                    return
                if line.strip():
                    yield json.loads(line)

    def _ask(self, path: str, body: Json | None = None) -> Any:
        return ask(self._url + path, body, self._token)


def ask(url: str, body: Json | None = None, token: str = "") -> Any:
    """Return the open answer to a request."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
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


def _guarded(work: Callable[[Any], Any], given: Turn | End) -> Any:
    """Return what the bot's own code makes of something; None, and a line in the log, if it raises.

    It may raise anything, and no other match is to suffer for it.
    """
    try:
        return work(given)
    except Exception:
        logger.exception("match %s: the bot's own code failed", given.match)
        return None


@dataclass
class _Followed:
    """A match as its stream tells it."""

    event: Json
    clock: Clock = field(default_factory=lambda: Clock("none"))
    history: list[Move] = field(default_factory=list)
    is_waited_for: bool = False
    """Whether the clock waits for the bot to be ready."""
    end: End | None = None

    def hear(self, message: Json) -> Turn | None:
        """Take a message of the stream; return what it asks of the bot, if it does."""
        if message["type"] == "snapshot":
            return self._begin(message)
        view = None
        for notice in message.get("notices", ()):
            match notice["type"]:
                case "began":
                    self.is_waited_for = self.event["seat"] in notice.get("unready", ())
                case "got_ready" if notice["seat"] == self.event["seat"]:
                    self.is_waited_for = False
                case "moved" | "rolled":
                    self.history.append(_move(notice))
                case "took_back":
                    del self.history[len(self.history) - notice["decisions"] :]
                case "stands":
                    view, self.clock = notice["view"], _clock(notice["clock"], message["at"])
                case "ended" | "closed":
                    self._finish(notice)
        return self._turn(message.get("asked"), view)

    def _begin(self, snapshot: Json) -> Turn | None:
        position = snapshot["position"] or {}
        self.history = [_move(written) for written in position.get("moves", ())]
        self.is_waited_for = self.event["seat"] in position.get("unready", ())
        if position:
            self.clock = _clock(position["clock"], snapshot["now"])
        if snapshot["info"]["status"] == "over":
            self._finish(snapshot["info"]["ending"] or {})
        return self._turn(position.get("asked"), position.get("view"))

    def _turn(self, asked: Json | None, view: str | None) -> Turn | None:
        if asked is None or view is None:
            return None
        return Turn(
            match=self.event["match"],
            game=self.event["game"],
            options=self.event["options"],
            seat=self.event["seat"],
            view=view,
            prompt=asked["prompt"],
            legal=tuple(asked["legal"] or ()),
            suggestions=asked["suggestions"],
            clock=self.clock,
            history=tuple(self.history),
        )

    def _finish(self, how: Json) -> None:
        scores = how.get("scores")
        self.end = End(
            match=self.event["match"],
            game=self.event["game"],
            options=self.event["options"],
            seat=self.event["seat"],
            result=how.get("result", "*"),
            winner=how.get("winner"),
            reason=how.get("reason", "aborted"),
            scores=(scores[0], scores[1]) if scores else None,
            history=tuple(self.history),
        )


def _move(told: Json) -> Move:
    return Move(told.get("seat"), told["text"], told.get("remark", ""))


def _clock(told: Json, now: int) -> Clock:
    def left(hand: Json | None) -> int | None:
        if hand is None:
            return None
        ran = 0 if hand["since"] is None else max(0, now - hand["since"])
        return max(0, int(hand["left"]) - ran)

    hands = told["hands"] or (None, None)
    return Clock(told["spec"], left(hands[0]), left(hands[1]), left(told["game"]))


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
