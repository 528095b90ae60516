"""Questions to the engine: analyses and puzzles. They wait until nobody plays."""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime

from fastapi import APIRouter, Request, Response

from visavis.engine.native import Limits
from visavis.engine.oracle import SOLVERS, is_solved
from visavis.engine.puzzles import HARDEST, Puzzle, Tried
from visavis.rules import game
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame
from visavis.server import messages
from visavis.server.catalogue import choose_game
from visavis.server.codec import seat_name, seat_named
from visavis.server.errors import Refusal, refusal
from visavis.server.http.games import SLUG
from visavis.server.http.requests import asked, client, process_of, read, respond, unless_hung_up
from visavis.server.openapi import operation, query
from visavis.server.positions import is_between_people, running_match
from visavis.server.worker import AttemptTask, ComputerFailed, PuzzleTask
from visavis.session.asked import list_moves

router = APIRouter()


@router.post(
    "/analysis",
    summary="Ask the engine; it answers when nobody who plays needs it",
    response_class=Response,
    openapi_extra=operation(body=messages.Analysis, answer=(messages.Analysed,)),
)
async def analysis(request: Request) -> Response:
    """Analyse a view."""
    process = process_of(request)
    asked = await read(request, messages.Analysis)
    try:
        if asked.match is not None:
            info = await process.archive.info(asked.match, client(request))
            if is_between_people(info):
                raise running_match()
        work = process.work
        chosen = await choose_game(work, client(request), asked.game, asked.options)
        process.positions.check_view(chosen, chosen.parse_view(asked.view))
        limits = Limits(millis=asked.millis, lines=asked.lines)
        seat = seat_named(asked.seat)
        thinking = process.computers.analyse(chosen, asked.view, seat, limits, client(request))
        thought = await unless_hung_up(request, thinking)
    except VisavisError as error:
        raise refusal(error) from None
    except ComputerFailed as error:
        raise Refusal("bad_position", str(error)) from None
    lines = tuple(
        messages.AnalysisLine(moves=line.moves, score=line.score, mate=line.mate)
        for line in thought.lines
    )
    return respond(messages.Analysed(lines=lines, depth=thought.depth, nodes=thought.nodes))


# -- Puzzles ---------------------------------------------------------------------------------------


@router.get(
    "/games/{slug}/puzzle",
    summary="A puzzle, drawn at random: one move only wins",
    response_class=Response,
    openapi_extra=operation(
        answer=(messages.Puzzle,), parameters=(*SLUG, *query(messages.PuzzleWanted))
    ),
)
async def puzzle(request: Request) -> Response:
    """Draw a puzzle."""
    wanted, chosen = asked(request, messages.PuzzleWanted), _solved(request)
    seed = secrets.randbits(64)
    task = PuzzleTask(chosen.slug, moves=wanted.moves, grade=wanted.grade, seed=seed)
    return respond(await _find(request, chosen, task))


@router.get(
    "/games/{slug}/puzzle/daily",
    summary="The puzzle of a day, the same for everybody",
    response_class=Response,
    openapi_extra=operation(
        answer=(messages.Puzzle,), parameters=(*SLUG, *query(messages.PuzzleOfDay))
    ),
)
async def daily_puzzle(request: Request) -> Response:
    """Return the puzzle of a day."""
    wanted, chosen = asked(request, messages.PuzzleOfDay), _solved(request)
    try:
        day = date.fromisoformat(wanted.date) if wanted.date else datetime.now(UTC).date()
    except ValueError as error:
        raise Refusal("bad_message", str(error)) from None
    return respond(await _find(request, chosen, PuzzleTask(chosen.slug, day=day)))


@router.post(
    "/games/{slug}/puzzle/answer",
    summary="Try a move in a puzzle, or be shown the right one",
    response_class=Response,
    openapi_extra=operation(
        body=messages.PuzzleMove, answer=(messages.PuzzleAnswer,), parameters=SLUG
    ),
)
async def answer(request: Request) -> Response:
    """Say what a move in a puzzle is worth, and how the puzzle goes on."""
    process = process_of(request)
    chosen, body = _solved(request), await read(request, messages.PuzzleMove)
    try:
        legal = _legal(chosen, body.view)
        process.positions.check_state(chosen, chosen.parse_position(body.view))
        move = None if body.move is None else chosen.format_move(chosen.parse_move(body.move))
        if not legal or (move is not None and move not in legal):
            raise Refusal("illegal_move", "that is not possible here")
        attempt = AttemptTask(chosen.slug, body.view, move, body.moves)
        trying = process.computers.attempt(attempt, client(request))
        tried = await unless_hung_up(request, trying)
    except VisavisError as error:
        raise refusal(error) from None
    except ComputerFailed as error:
        raise Refusal("no_puzzle", str(error)) from None
    return respond(_answer(chosen, body, tried))


def _solved(request: Request) -> AnyGame:
    """Return the game of a request, or refuse if it has no puzzles."""
    slug = request.path_params["slug"]
    try:
        chosen = game(slug)
    except VisavisError as error:
        raise refusal(error) from None
    if slug not in SOLVERS:
        raise Refusal("no_puzzle", f"there are no puzzles of {slug}, which is not solved")
    if not is_solved(slug):
        message = f"puzzles need the table of {slug}; visavis solve {slug} makes it"
        raise Refusal("no_puzzle", message)
    return chosen


async def _find(request: Request, chosen: AnyGame, task: PuzzleTask) -> messages.Puzzle:
    try:
        finding = process_of(request).computers.puzzle(task, client(request))
        found = await unless_hung_up(request, finding)
    except ComputerFailed as error:
        raise Refusal("no_puzzle", str(error)) from None
    return _puzzle(chosen, found, task.day)


def _puzzle(chosen: AnyGame, found: Puzzle, day: date | None) -> messages.Puzzle:
    state = chosen.parse_position(found.position)
    (seat,) = chosen.awaited(state)
    return messages.Puzzle(
        game=chosen.slug,
        options={name: str(value) for name, value in chosen.options.items()},
        number=found.number,
        date=day.isoformat() if day else None,
        view=found.position,
        seat=seat_name(seat),
        moves=found.moves,
        grade=found.grade,
        grades=HARDEST,
        legal=_legal(chosen, found.position),
    )


def _answer(chosen: AnyGame, body: messages.PuzzleMove, tried: Tried) -> messages.PuzzleAnswer:
    legal = _legal(chosen, tried.position)
    verdict: messages.Verdict
    if body.move is None:
        verdict = "shown"
    elif tried.is_right:
        verdict = "right" if legal else "solved"
    else:
        verdict = "wrong"
    return messages.PuzzleAnswer(
        verdict=verdict,
        move=tried.move,
        result=tried.value.result.value,
        plies=tried.value.distance,
        reply=tried.reply,
        view=tried.position,
        moves=body.moves - tried.is_right,
        legal=legal,
    )


def _legal(chosen: AnyGame, position: str) -> tuple[str, ...]:
    state = chosen.parse_position(position)
    seats = chosen.awaited(state)
    return (list_moves(chosen, state, seats[0])[0] or ()) if seats else ()
