"""``visavis puzzle``."""

from __future__ import annotations

import random
from datetime import date, datetime
from typing import Annotated

import typer

from visavis.cli.arguments import GameName, chosen_game
from visavis.cli.screen import Screen
from visavis.engine.oracle import open_table, values
from visavis.engine.puzzles import (
    HARDEST,
    Puzzle,
    Shown,
    draw_puzzle,
    puzzle_of_the_day,
    try_move,
)
from visavis.engine.values import Table
from visavis.rules.errors import RulesError
from visavis.rules.protocol import AnyGame


def puzzle(
    game: GameName,
    moves: Annotated[int, typer.Option(min=2, max=40, help="How many moves the win takes.")] = 2,
    grade: Annotated[
        int | None,
        typer.Option(min=1, max=HARDEST, help=f"How hard: 1, soon seen, to {HARDEST}."),
    ] = None,
    daily: Annotated[bool, typer.Option("--daily", help="The puzzle of the day.")] = False,
    day: Annotated[
        datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="Of another day.")
    ] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Let puzzles that were shown come again.")
    ] = False,
) -> None:
    """Find the only move that wins, and then win. Needs the solved game: `visavis solve GAME`.

    A puzzle is never shown twice, until `--forget`. Type a move, `show` to see the solution, or
    `quit`. Examples:

    - `visavis puzzle GAME --moves 3`
    - `visavis puzzle GAME --daily`
    """
    rules = chosen_game(game, [])
    table = open_table(game)
    shown = Shown(game)
    if forget:
        shown.forget()
    if daily or day is not None:
        asked = puzzle_of_the_day(rules, table, day.date() if day else date.today())
    else:
        rng = random.Random()
        asked = draw_puzzle(rules, table, moves, rng, grade=grade, seen=shown.numbers)
    shown.add(asked)
    screen = Screen()
    screen.say(f"{asked.position}   win in {asked.moves}, grade {asked.grade} of {HARDEST}")
    try:
        _solve(rules, table, asked, screen)
    except EOFError:
        screen.say()


def _solve(game: AnyGame, table: Table, puzzle: Puzzle, screen: Screen) -> None:
    """Let a person play the win against the longest resistance."""
    position, left = puzzle.position, puzzle.moves
    while ranked := values(game, table, position):
        state = game.parse_position(position)
        (seat,) = game.awaited(state)
        screen.say(f"\n{game.board(game.view(state, seat))}\n")
        move = _ask(game, screen, list(ranked), f"win in {left}> ")
        if move is None:
            screen.say(f"The move is {next(iter(ranked))}.")
            return
        tried = try_move(game, table, position, move, left)
        if not tried.is_right:
            screen.say(f"No: {move} is a {tried.value}.")
            continue
        position, left = tried.position, left - 1
        if tried.reply is not None:
            screen.say(f"Right. {game.seat_names[seat.other]}: {tried.reply}")
    screen.say("Solved.")


def _ask(game: AnyGame, screen: Screen, legal: list[str], question: str) -> str | None:
    """Return a legal move that is typed, or None if the solution is asked for."""
    while True:
        typed = screen.ask(question)
        if typed == "quit":
            raise EOFError
        if typed == "show":
            return None
        try:
            move = game.format_move(game.parse_move(typed))
        except RulesError as error:
            screen.say(f"! {error}")
            continue
        if move in legal:
            return move
        screen.say(f"! {move} is not possible here")
