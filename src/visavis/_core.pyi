from collections.abc import Callable
from os import PathLike
from typing import Literal, TypedDict, final

__all__ = ["Engine", "Kernel", "OsakanaOracle", "Stop", "solve_osakana"]

_Outcome = tuple[int | None, str, tuple[int, int] | None]
_Awaits = tuple[list[int], bool, _Outcome | None]

class _Step(TypedDict):
    position: str
    views: tuple[str, str, str]
    awaits: _Awaits
    legal: tuple[list[str], list[str]]
    faces: list[tuple[str, int]]
    actor: int | None
    action: str

class _Totals(TypedDict):
    games: int
    plies: int
    results: tuple[int, int, int]
    lengths: list[int]
    reasons: dict[str, int]
    unfinished: int

@final
class Kernel:
    def __new__(cls, slug: str, options: list[tuple[str, str]]) -> Kernel: ...
    def start(self) -> str: ...
    def awaits(self, position: str) -> _Awaits: ...
    def legal(self, position: str, seat_index: int) -> list[str]: ...
    def faces(self, position: str) -> list[tuple[str, int]]: ...
    def apply(self, position: str, seat_index: int, move: str) -> str: ...
    def roll(self, position: str, face: str) -> str: ...
    def view(self, position: str, viewer: int | None) -> str: ...
    def determinize(self, view: str, seed: int) -> str: ...
    def reprint_view(self, view: str) -> str: ...
    def perft(self, position: str, depth: int) -> int: ...
    def divide(self, position: str, depth: int) -> list[tuple[str, int]]: ...
    def playouts(self, position: str, games: int, seed: int, limit: int) -> _Totals: ...
    def walk(self, seed: int, limit: int) -> list[_Step]: ...

_Line = tuple[list[str], float, int | None, float]
_Report = tuple[list[_Line], int, int]

@final
class Stop:
    def __new__(cls) -> Stop: ...
    def set(self) -> None: ...
    def is_set(self) -> bool: ...

@final
class Engine:
    def __new__(cls, slug: str, options: list[tuple[str, str]], table_mib: int) -> Engine: ...
    def think(
        self,
        view: str,
        seat_index: int,
        style_name: str,
        stop: Stop,
        *,
        nodes: int | None = None,
        millis: int | None = None,
        depth: int | None = None,
        lines: int = 1,
        threads: int = 1,
        seed: int = 0,
        found: Callable[[_Report], object] | None = None,
    ) -> _Report: ...
    def forget(self) -> None: ...

_Value = tuple[Literal["win", "loss", "draw"], int | None]
_Census = tuple[int, int, int, int]
_Told = Callable[[int, int], object]

def solve_osakana(
    path: str | PathLike[str],
    unfinished: str | PathLike[str],
    told: _Told,
    *,
    pieces: list[int] = ...,
    dobutsu: bool = False,
    threads: int = 2,
) -> None: ...

@final
class OsakanaOracle:
    def __new__(cls, path: str | PathLike[str]) -> OsakanaOracle: ...
    def value(self, position: str) -> _Value: ...
    def value_in_dobutsu(self, position: str) -> _Value: ...
    def pieces(self) -> list[int]: ...
    def validate(
        self, told: _Told, *, threads: int = 2
    ) -> tuple[_Census | None, tuple[str, _Value | None, _Value] | None]: ...
    def census(self, told: _Told, *, threads: int = 2) -> _Census: ...
