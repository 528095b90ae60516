"""Why games end, in words: the page has the same list, in every language."""

import json
import pickle
from pathlib import Path

import pytest

from visavis.cli.wording import ending_words
from visavis.rules import game, games
from visavis.rules.errors import UnknownReason
from visavis.rules.protocol import AnyGame, MatchReason, Outcome, Seat
from visavis.rules.reasons import reasons_of
from visavis.session import Match, Record, Resign, check, replay
from visavis.session.errors import WrongHeader
from visavis.session.events import Ending

VECTORS = Path(__file__).parents[2] / "vectors" / "reasons.json"


def ways(playing: type[AnyGame]) -> dict[str, list[str]]:
    """Return how a game can end for each of its reasons."""
    return {
        why: [way for way, words in (("won", why.won), ("drawn", why.drawn)) if words is not None]
        for why in playing.reasons
    }


def test_the_page_knows_every_reason() -> None:
    listed = json.loads(VECTORS.read_text("utf-8"))
    assert listed == {slug: ways(playing) for slug, playing in games().items()}


@pytest.mark.parametrize("slug", games())
def test_a_word_is_read_back_as_the_reason_it_was(slug: str) -> None:
    playing = game(slug)
    words = [str(reason) for reason in reasons_of(playing.reasons)]
    assert len(words) == len(set(words))
    for reason in reasons_of(playing.reasons):
        assert playing.reason_named(str(reason)) is reason
        assert pickle.loads(pickle.dumps(reason)) is reason
    assert set(MatchReason) <= set(words)


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("word", ["boredom", "", "Agreed", "resigned "])
def test_other_words_are_refused(slug: str, word: str) -> None:
    with pytest.raises(UnknownReason, match=r"the reasons are: .*resigned"):
        game(slug).reason_named(word)


@pytest.mark.parametrize("slug", games())
def test_a_record_with_an_unknown_reason_is_refused(slug: str) -> None:
    match, _ = Match.begin(game(slug), seed=bytes(32))
    match, _ = match.execute(Resign(Seat.FIRST), now=0)
    text = match.record(None).text
    assert check(Record.parse(text)).has_seed
    changed = text.replace('[Reason "resigned"]', '[Reason "boredom"]')
    line = 1 + changed.split("\n").index('[Reason "boredom"]')
    with pytest.raises(WrongHeader, match=f"line {line}: no match ends by 'boredom' here"):
        replay(Record.parse(changed))


@pytest.mark.parametrize("slug", games())
def test_every_game_says_which_rules_it_has(slug: str) -> None:
    declared = vars(games()[slug]).get("rules_version")
    assert isinstance(declared, int)
    assert declared >= 1


@pytest.mark.parametrize("slug", games())
def test_a_draw_is_not_told_as_a_win(slug: str) -> None:
    playing = game(slug)
    for why in playing.reasons:
        assert why.won != why.drawn
        if why.drawn is not None:
            said = ending_words(playing, Ending(Outcome(None, why, (21, 21))))
            assert said == f"A draw: {why.drawn}, 21–21 (1/2-1/2)"
            assert not {"more", "decide"} & set(said.split())
        if why.won is not None:
            said = ending_words(playing, Ending(Outcome(Seat.SECOND, why)))
            assert said == f"{playing.seat_names[1]} wins: {why.won} (0-1)"
