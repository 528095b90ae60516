"""Matches between players: many games, seats swapped, openings varied, on several cores."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from visavis.engine.native import Engine, Limits, NoEngine
from visavis.engine.outside import EngineFailure
from visavis.engine.player import Player, Question
from visavis.engine.players import PlayerSpec, Roster
from visavis.engine.pool import workers
from visavis.rules import game as make_game
from visavis.rules.errors import RulesError
from visavis.rules.protocol import LISTABLE, AnyGame, Options, Seat
from visavis.session import Match, Move, Resign
from visavis.session.seal import thinking_seed

OPENING_PLIES: Final = 4
"""Games without secrets begin with so many random moves, the same for both games of a pair; the
others differ by themselves."""
OPENING_TRIES: Final = 20
OPENING_NODES: Final = 20_000
FAIR: Final = 0.25
"""An opening is fair if a short search gives each seat at least this score."""
LONGEST: Final = 5_000
"""A game is stopped as a draw after this many decisions."""
UNFINISHED: Final = "unfinished"
"""What is counted, instead of a reason, for a game that was longer."""
CONFIDENCE: Final = 1.96
"""Error bars are as wide as this many standard errors: 95 % of the time the truth is inside."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet, and what they play."""

    slug: str
    options: tuple[tuple[str, str], ...]
    players: tuple[PlayerSpec, PlayerSpec]
    seed: int

    def game(self) -> AnyGame:
        """Return the game with its options."""
        return make_game(self.slug, dict(self.options))


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game: the first player's seat and score, why it ended, and the record."""

    number: int
    seat: Seat
    score: float
    reason: str
    plies: int
    record: str
    failure: str = ""
    """What an outside program did wrong, if that ended the game, and its last words."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The score of the first of two players."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def after(self, played: Played) -> Standing:
        """Return the standing with one more game."""
        return Standing(
            self.wins + (played.score == 1),
            self.draws + (played.score == 0.5),
            self.losses + (played.score == 0),
        )

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The points won, from 0 to 1.

        >>> Standing(6, 2, 2).share
        0.7
        """
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def error(self) -> float:
        """Half the width of the error bar; its middle is not the share but lies nearer to a half.

        >>> round(Standing(20, 0, 0).error, 2)
        0.11
        """
        return CONFIDENCE * math.sqrt(self._variance / (self.games + 4))

    def bounds(self) -> tuple[float, float]:
        """Return the ends of the error bar of the share.

        It is reckoned with two wins and two losses more than there were (Agresti and Coull):
        without them a clean score would have no error bar, as if it were certain.

        >>> [round(end, 2) for end in Standing(20, 0, 0).bounds()]
        [0.81, 1.0]
        """
        return max(0.0, self._middle - self.error), min(1.0, self._middle + self.error)

    def elo(self) -> tuple[float, float, float]:
        """Return the difference in Elo with the ends of its error bar; infinite at the edges.

        >>> [round(elo) for elo in Standing(60, 0, 40).elo()]
        [70, 1, 139]
        """
        low, high = self.bounds()
        return _elo(self.share), _elo(low), _elo(high)

    @property
    def _middle(self) -> float:
        return (self.share * self.games + 2) / (self.games + 4)

    @property
    def _variance(self) -> float:
        return (self.wins + 2 + self.draws / 4) / (self.games + 4) - self._middle**2


def _elo(share: float) -> float:
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else 400 * math.log10(share / (1 - share))


def play_game(pairing: Pairing, players: tuple[Player, Player], number: int) -> Played:
    """Play game ``number`` of a pairing: even ones with the first player in the first seat."""
    game = pairing.game()
    seat = Seat(number % 2)
    seated = players if seat is Seat.FIRST else players[::-1]
    specs = pairing.players if seat is Seat.FIRST else pairing.players[::-1]
    # Both games of a pair share the opening and the dice. What a player is told to start from comes
    # from the sealed seed: it tells a program nothing of the dice, nor of the other's choices.
    rng = random.Random(f"{pairing.seed}/{number // 2}")
    sealed = hashlib.sha256(rng.randbytes(32)).digest()
    names = (specs[0].text, specs[1].text)
    match, _ = Match.begin(game, seed=sealed, names=names, ready=tuple(Seat))
    plies = 0
    if not game.hidden:
        match, plies = open_match(game, match, rng)
    for player in players:
        player.new_game()
    failure: EngineFailure | None = None
    while match.awaited and plies < LONGEST:
        actor = match.awaited[0]
        question = Question.of(match, actor, thinking_seed(sealed, plies, actor))
        try:
            match = _play(match, seated[actor], question)
        except EngineFailure as error:
            failure = error
            match, _ = match.execute(Resign(actor), now=0)
        plies += 1
    outcome = match.ending.outcome if match.ending else None
    score = 0.5 if outcome is None else outcome.value(seat)
    record = match.record(None)
    if failure is None:
        reason = UNFINISHED if outcome is None else outcome.reason
        return Played(number, seat, score, reason, plies, record.text)
    # For the rules it has resigned; the comment says why.
    record = replace(record, below=(failure.reason, *failure.stderr))
    return Played(number, seat, score, failure.reason, plies, record.text, str(failure))


class IllegalAnswer(EngineFailure):
    """A player's answer is no legal move."""

    reason = "engine_illegal"


def _play(match: Match, player: Player, question: Question) -> Match:
    """Return the match after a player's move; raises an `EngineFailure`."""
    text = player.choose(question)
    try:
        return match.execute(Move(question.seat, text), now=0)[0]
    except RulesError as error:
        raise IllegalAnswer(str(error)) from None


def open_match(game: AnyGame, start: Match, rng: random.Random) -> tuple[Match, int]:
    """Make a few random moves that leave both seats a chance; return the match and how many.

    A game that its opening has decided says nothing about the players.
    """
    for _ in range(OPENING_TRIES):
        match, plies = start, 0
        while match.awaited and plies < OPENING_PLIES:
            actor = match.awaited[0]
            moves = game.legal(match.state, actor)
            if len(moves) > LISTABLE:
                break
            move = game.format_move(rng.choice(moves))
            match, _ = match.execute(Move(actor, move), now=0)
            plies += 1
        if match.awaited and is_fair(game, match):
            return match, plies
    return start, 0


def is_fair(game: AnyGame, match: Match) -> bool:
    """Whether the engine, if the game has one, sees a chance for both seats."""
    seat = match.awaited[0]
    view = game.format_view(match.view(seat))
    try:
        thought = Engine(game, table_mib=1).think(view, seat, Limits(nodes=OPENING_NODES))
    except NoEngine:
        return True
    return FAIR <= thought.lines[0].score <= 1 - FAIR


class Absent(Player):
    """An outside program that did not start: it loses when it should move."""

    def __init__(self, failure: EngineFailure) -> None:
        self._failure = failure

    def choose(self, question: Question) -> str:
        """Say why it is not there."""
        raise self._failure


def open_player(spec: PlayerSpec, game: AnyGame) -> Player:
    """Return the player, or one that is absent if its program does not start."""
    try:
        return spec.open(game)
    except EngineFailure as failure:
        return Absent(failure)


_roster = Roster()


def _play_in_worker(pairing: Pairing, number: int) -> Played:
    """Play one game in a worker process, which keeps its players from game to game."""
    game = pairing.game()
    one, other = (
        _roster.get((pairing, index), partial(open_player, spec, game))
        for index, spec in enumerate(pairing.players)
    )
    try:
        played = play_game(pairing, (one, other), number)
    except BaseException:
        _roster.dismiss()
        raise
    if played.failure:
        _roster.dismiss()
    return played


def play_match(pairing: Pairing, games: int, jobs: int) -> Generator[Played, None, None]:
    """Play a match on ``jobs`` cores, and yield games as they end.

    Before the first game each player is opened once, to see that it can play this game at all;
    raises what `PlayerSpec.open` raises. From then on an outside program that fails loses a game.
    """
    for spec in pairing.players:
        spec.open(pairing.game()).close()
    with workers(jobs) as pool:
        running: set[Future[Played]] = set()
        for number in range(games):
            running.add(pool.submit(_play_in_worker, pairing, number))
            if len(running) >= 2 * jobs:
                yield from _some_done(running)
        while running:
            yield from _some_done(running)


def _some_done(running: set[Future[Played]]) -> Sequence[Played]:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    running -= done
    return [future.result() for future in done]


def untimed(game_type: type[AnyGame], options: Options) -> dict[str, str]:
    """Return options for play without a clock: what the game asks for, unless chosen otherwise."""
    return {name: str(value) for name, value in {**game_type.untimed, **options}.items()}
