"""What a game of Fortresses is made of: its states and its moves."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from visavis.rules import protocol
from visavis.rules.protocol import Seat


@dataclass(frozen=True, slots=True)
class State:
    """Everything on the field at one moment, as masks of cells; nothing is hidden."""

    turn: int
    """The turns of both players are counted as one: first's 1, second's 2, first's 3, …"""
    lands: tuple[int, int]
    """The cells each seat controls."""
    forts: int
    """The fortresses. Each belongs to whoever controls its cell."""
    generals: tuple[int, int] = (0, 0)
    """The generals of each seat."""
    acted: int = 0
    """Those generals of the seat to move that have acted in this turn."""

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return Seat((self.turn - 1) % 2)

    @property
    def scores(self) -> tuple[int, int]:
        """How many cells each seat controls."""
        return self.lands[0].bit_count(), self.lands[1].bit_count()


class Build(NamedTuple):
    """A player builds a fortress (modes ``young`` and ``rough``)."""

    cell: int


class Order(NamedTuple):
    """A general goes along a path of up to two cells, and may build where it stops."""

    path: tuple[int, ...]
    """Where it stands, and the cells it enters."""
    builds: bool


class Call(enum.Enum):
    """What a player says without touching the field."""

    END = "end"
    PASS = "pass"


Move = Build | Order | Call


# -- Ends ----------------------------------------------------------------------------------------


class Reason(protocol.Reason):
    """Why a game ends."""

    TERRITORY = "territory", "by ground held", "equal ground held"  # F1
