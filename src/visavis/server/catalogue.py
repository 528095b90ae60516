"""What games there are, and what they look like with these or those options."""

from __future__ import annotations

from functools import cache, partial
from typing import get_args

from visavis.engine.oracle import SOLVERS, is_solved
from visavis.rules import game, game_type, games
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame, Choice, Number, Option, Options
from visavis.server import messages
from visavis.server.computer import Computers
from visavis.server.errors import refusal
from visavis.server.longwork import LongWork
from visavis.server.messages import GameInfo, OptionInfo
from visavis.session.clock import choose_clock


def catalogue(computers: Computers) -> messages.Games:
    """Return all games, and who plays them here."""
    return messages.Games(
        games=tuple(_info(slug, computers) for slug in games()),
        phrases=get_args(messages.Phrase),
    )


async def choose_game(work: LongWork, client: str, slug: str, options: Options) -> AnyGame:
    """Return a game with options that a client has written; those can take long to read."""
    return await work.run(client, partial(game, slug, options)) if options else game(slug)


async def preview(
    work: LongWork, client: str, slug: str, wanted: messages.PreviewOf
) -> messages.Preview:
    """Return a game before its first move; refuses options that it does not have."""
    try:
        chosen = await choose_game(work, client, slug, wanted.options)
    except VisavisError as error:
        raise refusal(error) from None
    return messages.Preview(
        options={name: str(value) for name, value in chosen.options.items()},
        view=chosen.format_view(chosen.view(chosen.start(), None)),
        clock=_prescribed_clock(chosen),
    )


def _info(slug: str, computers: Computers) -> GameInfo:
    kind = game_type(slug)
    return GameInfo(
        slug=slug,
        title=kind.title,
        summary=kind.summary,
        seat_names=kind.seat_names,
        hidden=kind.hidden,
        clock=_prescribed_clock(kind()),
        untimed=dict(kind.untimed),
        options=_options(slug),
        computers=computers.names(slug),
        puzzles=is_solved(slug),
        solvable=slug in SOLVERS,
    )


def _prescribed_clock(chosen: AnyGame) -> str | None:
    clock = choose_clock(chosen, None)
    return None if clock.seat_ms is None else clock.text


@cache
def _options(slug: str) -> tuple[OptionInfo, ...]:
    return tuple(map(_option, game_type(slug).schema))


def _option(option: Option) -> OptionInfo:
    match option:
        case Number():
            return OptionInfo(
                name=option.name,
                help=option.help,
                domain=option.domain,
                kind="number",
                default=option.default,
                low=option.low,
                high=option.high,
                among=option.among,
            )
        case Choice():
            return OptionInfo(
                name=option.name,
                help=option.help,
                domain=option.domain,
                kind="choice",
                default=option.default,
                among=option.words,
            )
        case _:
            return OptionInfo(
                name=option.name,
                help=option.help,
                domain=option.domain,
                kind="text",
                default=option.default,
            )
