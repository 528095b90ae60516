"""The costumes of D&E: what the pieces are called and drawn as. They change no rule (D16)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Final

from visavis.rules.dande.board import Kind, Piece
from visavis.rules.protocol import Seat


@dataclass(frozen=True, slots=True)
class Figure:
    """How a costume shows one kind of piece."""

    name: str
    letter: str
    """What stands for it on the text board: a capital, as blue has it."""


@dataclass(frozen=True)
class Costume:
    """A set of figures, one for each kind; both players wear the same, differing in colour."""

    name: str
    title: str
    figures: Mapping[Kind, Figure]

    def letter(self, piece: Piece) -> str:
        """Return what stands for a piece on the text board: capitals for blue.

        >>> COSTUMES["forest"].letter(Piece(Seat.SECOND, Kind.KING))
        'b'
        """
        letter = self.figures[piece.kind].letter
        return letter if piece.seat is Seat.FIRST else letter.lower()


def _load() -> Mapping[str, Costume]:
    file = resources.files(__package__).joinpath("costumes.json")
    data: dict[str, dict[str, dict[str, str]]] = json.loads(file.read_text(encoding="utf-8"))
    costumes = {
        name: Costume(
            name,
            str(costume["title"]),
            MappingProxyType({kind: Figure(**costume[kind.name.lower()]) for kind in Kind}),
        )
        for name, costume in data.items()
    }
    return MappingProxyType(costumes)


COSTUMES: Final = _load()
"""All costumes by name, the default first."""
