"""What is wrong with a command line, in plain words.

Typer tells what its parts say: Click's sentences around Pydantic's. A person at a terminal gets one
line that names the culprit and what would be right.
"""

from __future__ import annotations

import re
from typing import Any, Final

import typer

from visavis.rules.errors import shorten

_KINDS: Final = {int: "a whole number", float: "a number", bool: "yes or no"}
_NO_COMMAND: Final = re.compile(r"No such command '(.*?)'\.?(?: Did you mean (.*)\?)?")
_EXTRA: Final = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)")


def usage_words(error: typer.TyperException) -> str:
    """Return what is wrong with a command line, and where to read on."""
    context, words = getattr(error, "ctx", None), _words(error)
    if context is None or _is_plain_refusal(error):
        return words
    return f"{words}; see {context.command_path} --help"


def _is_plain_refusal(error: typer.TyperException) -> bool:
    """Whether a command itself refused a value, and has said what would be right."""
    return type(error) is typer.BadParameter and error.__cause__ is None


def _words(error: typer.TyperException) -> str:
    option: str | None = getattr(error, "option_name", None)
    parameter = getattr(error, "param", None)
    if option is not None:
        if hasattr(error, "possibilities"):
            near = ", ".join(sorted(error.possibilities or ()))
            return f"there is no option {option}" + (f" (did you mean {near}?)" if near else "")
        needs = "takes no value" if "does not take" in error.message else "needs a value"
        return f"{option} {needs}"
    if hasattr(error, "param_type"):
        return f"{_name(parameter)} is missing"
    if isinstance(error, typer.BadParameter):
        return _bad_value(error, parameter)
    if found := _NO_COMMAND.fullmatch(error.message):
        near = " (did you mean {}?)".format(found[2].replace("'", "")) if found[2] else ""
        return f"there is no command {shorten(found[1])}{near}"
    if found := _EXTRA.fullmatch(error.message):
        return f"{shorten(found[1])} is more than the command takes"
    return error.message.rstrip(".")


def _bad_value(error: typer.BadParameter, parameter: Any) -> str:
    """Return which value is wrong: one that the command refused, or that Typer could not read."""
    refused = getattr(error.__cause__, "errors", None)
    if refused is None:
        name = error.param_hint if isinstance(error.param_hint, str) else _name(parameter)
        return f"{name}: {error.message.rstrip('.')}"
    given = refused()[0].get("input")
    return f"{_name(parameter)} must be {_domain(parameter)}, not {shorten(str(given))}"


def _name(parameter: Any) -> str:
    """Return how a person writes a parameter: ``--level``, or the name of an argument."""
    options = [text for text in getattr(parameter, "opts", ()) if text.startswith("-")]
    if options:
        return str(max(options, key=len))
    return str(getattr(parameter, "metavar", None) or getattr(parameter, "name", "a value")).upper()


def _domain(parameter: Any) -> str:
    """Return what values a parameter takes."""
    described = parameter.type_descriptor
    if described.choices:
        return "one of " + ", ".join(str(getattr(c, "value", c)) for c in described.choices)
    low, high = described.parameter_info.min, described.parameter_info.max
    kinds = [kind for kind in _KINDS if str(kind.__name__) in str(described.annotation)]
    words = _KINDS[kinds[0]] if kinds else "a text"
    if low is not None and high is not None:
        return f"{words} from {low} to {high}"
    if low is not None:
        return f"{words}, at least {low}"
    return f"{words}, at most {high}" if high is not None else words
