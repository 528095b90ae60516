"""Every mistake on the command line gets a line in our own words, and exit code 2."""

from __future__ import annotations

import pytest

from visavis.cli import main

OTHERS = (
    "Input should",
    "Value error",
    "Invalid value",
    "No such",
    "Got unexpected",
    "Did you mean",
    "Traceback",
)
"""What Pydantic and Typer would say."""

MISTAKES = {
    "play": "GAME: which? One of: dande,",
    "rules": "GAME is missing; see visavis rules --help",
    "foo": "there is no command 'foo'; see visavis --help",
    "lab length": "there is no command 'length' (did you mean lengths?); see visavis lab --help",
    "replya": "there is no command 'replya' (did you mean replay, play?); see visavis --help",
    "lab foo": "there is no command 'foo'; see visavis lab --help",
    "play osakana more": "'more' is more than the command takes; see visavis play --help",
    "play osakana --zzzz": "there is no option --zzzz; see visavis play --help",
    "play osakana --leve 2": "there is no option --leve (did you mean --level, ",
    "play osakana --level x": "--level must be a whole number from 1 to 8, not 'x'",
    "play osakana --level 9": "--level must be a whole number from 1 to 8, not '9'",
    "play osakana --first robot": "--first must be one of human, computer, not 'robot'",
    "play osakana --perfect=3": "--perfect takes no value",
    "play osakana -o": "-o needs a value",
    "play osakana -o a": "--option: 'a' is not NAME=VALUE",
    "match 1 2": "--game is missing; see visavis match --help",
    "serve --requests -1": "--requests must be a number from 0 to 1000000, not '-1'",
    "serve --workers 0": "--workers must be a whole number from 1 to 256, not '0'",
    "serve --log-level loud": "--log-level must be one of debug, info, warning, error, not 'loud'",
    "import nowhere": "FILES: file 'nowhere' does not exist",
    "replay nowhere": "FILE: there is no file nowhere",
    "replay .": "FILE: . is a folder",
    "play osakana -o map=@nowhere": "FILE: there is no file nowhere",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake_is_told_in_one_line(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    told = capsys.readouterr().err
    assert MISTAKES[line] in told
    assert told.count("\n") == 1
    assert not [words for words in OTHERS if words in told]
