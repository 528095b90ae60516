"""Structs made from dataclasses, and the way between them: for the wire and for the log.

Commands and notices are declared once, as dataclasses, in `visavis.session.commands`,
`visavis.session.events` and `visavis.server.vocabulary`. A `Codec` makes a msgspec struct of each,
when the module is loaded, and the functions that convert. A struct has the fields of its dataclass
and the tag ``type``, which is the name of the class in snake case; a seat is ``first`` or
``second``. A new command or notice needs nothing here.

>>> from visavis.session.events import DrawOffered
>>> msgspec.json.encode(NOTICES.to_struct(DrawOffered(Seat.SECOND)))
b'{"type":"draw_offered","seat":"second"}'
>>> decoded = msgspec.json.decode(b'{"type":"move","text":"IB3B2"}', type=WireCommand)
>>> command_of(decoded, Seat.FIRST)
Move(seat=<Seat.FIRST: 0>, text='IB3B2', credit_ms=0)
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import attrgetter, or_
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from visavis.rules.protocol import Seat, Viewer
from visavis.server import vocabulary
from visavis.server.vocabulary import Command, Notice
from visavis.server.words import SeatName, Text

Convert = Callable[[Any], Any]

_NAMES: Final[tuple[SeatName, SeatName]] = ("first", "second")
_SEATS: Final = dict(zip(_NAMES, Seat, strict=True))


def seat_name(seat: Seat) -> SeatName:
    """Return how messages name a seat."""
    return _NAMES[seat]


def viewer_name(viewer: Viewer) -> SeatName | None:
    """Return how messages name a viewer: null for a spectator."""
    return None if viewer is None else _NAMES[viewer]


def seat_named(name: SeatName) -> Seat:
    """Return the seat of a name."""
    return _SEATS[name]


@dataclass(frozen=True, slots=True)
class _Shape:
    """A dataclass, its struct, and how to get from one to the other and back."""

    kind: type
    struct: type[Struct]
    read: Callable[[Any], tuple[Any, ...]]
    """Returns the values of the fields that both have."""
    names: tuple[str, ...]
    writers: tuple[tuple[int, Convert], ...]
    readers: tuple[tuple[int, Convert], ...]


class Codec:
    """The structs of some dataclasses.

    ``leave_out`` are fields that the structs don't have, ``types`` are types that they have others
    for, and ``more`` are fields that all of them have besides, with their types and defaults.
    """

    def __init__(
        self,
        kinds: object,
        *,
        leave_out: Iterable[str] = (),
        types: Mapping[type, Any] | None = None,
        more: Iterable[tuple[str, type, object]] = (),
    ) -> None:
        self._leave_out = frozenset(leave_out)
        self._types = {Seat: SeatName, **(types or {})}
        self._more = tuple(more)
        self._shapes: dict[type, _Shape] = {}
        self._kinds: dict[type, _Shape] = {}
        self._inner: dict[Any, Codec] = {}
        """Of unions of dataclasses that are the type of a field."""
        self.union: Any = _union(self._add(kind).struct for kind in get_args(kinds))
        """Any of the structs, for decoders and for the fields of other structs."""

    def to_struct(self, value: object, *more: object) -> Struct:
        """Return the struct of a value; ``more`` are the values of fields that it does not have."""
        shape = self._shapes[type(value)]
        values = shape.read(value)
        if not shape.writers:
            return shape.struct(*values, *more)
        changed = list(values)
        for i, write in shape.writers:
            changed[i] = write(changed[i])
        return shape.struct(*changed, *more)

    def from_struct(self, struct: Struct, given: Mapping[str, object] | None = None) -> Any:
        """Return the value of a struct; ``given`` are fields that it does not have."""
        shape = self._kinds[type(struct)]
        values = list(map(struct.__getattribute__, shape.names))
        for i, read in shape.readers:
            values[i] = read(values[i])
        return shape.kind(**dict(zip(shape.names, values, strict=True)), **(given or {}))

    def _add(self, kind: type) -> _Shape:
        hints = get_type_hints(kind, include_extras=True)
        fields = [f for f in dataclasses.fields(kind) if f.name not in self._leave_out]
        names = tuple(f.name for f in fields)
        defined: list[Any] = [_field(f, self._type(hints[f.name])) for f in fields]
        struct = msgspec.defstruct(
            kind.__name__,
            [*defined, *self._more],
            tag_field="type",
            tag=_snake_case(kind.__name__),
            frozen=True,
            omit_defaults=True,
            namespace={"__doc__": kind.__doc__},
            module=__name__,
        )
        pairs = [self._converters(hints[name]) for name in names]
        shape = _Shape(
            kind,
            struct,
            _reader(names),
            names,
            tuple((i, write) for i, (write, _) in enumerate(pairs) if write),
            tuple((i, read) for i, (_, read) in enumerate(pairs) if read),
        )
        self._shapes[kind] = self._kinds[struct] = shape
        return shape

    def _type(self, hint: Any) -> Any:
        """Return the type that a struct has for one of a dataclass."""
        if hint in self._types:
            return self._types[hint]
        if _is_vocabulary(hint):
            self._inner[hint] = Codec(hint, leave_out=self._leave_out, types=self._types)
            return self._inner[hint].union
        if get_origin(hint) in (Union, UnionType):
            return _union(map(self._type, get_args(hint)))
        if get_origin(hint) is tuple:
            inner = [t if t is ... else self._type(t) for t in get_args(hint)]
            return tuple.__class_getitem__(tuple(inner))
        return hint

    def _converters(self, hint: Any) -> tuple[Convert | None, Convert | None]:
        """Return how to write and read a value of a type; None where it is left as it is."""
        if hint is Seat:
            return seat_name, seat_named
        if _is_vocabulary(hint):
            return self._inner[hint].to_struct, self._inner[hint].from_struct
        inner = [arg for arg in get_args(hint) if arg not in (..., NoneType)]
        found = [self._converters(arg) for arg in inner]
        if get_origin(hint) in (Union, UnionType) and len(found) == 1:
            write, read = found[0]
            return write and _unless_none(write), read and _unless_none(read)
        if get_origin(hint) is tuple and len(found) == 1:
            write, read = found[0]
            return write and _each(write), read and _each(read)
        assert not any(write for write, _ in found), f"no way to convert {hint}"
        return None, None


def _union(kinds: Iterable[Any]) -> Any:
    return reduce(or_, kinds)


def _is_vocabulary(hint: Any) -> bool:
    """Whether a type is a union of dataclasses, told apart by their tags."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else ()
    return len(kinds) > 1 and all(map(dataclasses.is_dataclass, kinds))


def _field(field: dataclasses.Field[Any], kind: Any) -> tuple[Any, ...]:
    if field.default is not dataclasses.MISSING:
        return field.name, kind, field.default
    return field.name, kind


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    match names:
        case ():
            return lambda _: ()
        case (name,):
            return lambda value: (getattr(value, name),)
        case _:
            return attrgetter(*names)


def _unless_none(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _each(convert: Convert) -> Convert:
    return lambda values: tuple(map(convert, values))


def _snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


COMMANDS: Final = Codec(vocabulary.Command, leave_out=("seat", "credit_ms"), types={str: Text})
"""Commands as players send them: whose they are, and what a slow line costs, the server knows."""
NOTICES: Final = Codec(vocabulary.Notice)
"""Notices as they are sent."""

if TYPE_CHECKING:
    WireCommand = Struct
    WireNotice = Struct
else:
    WireCommand = COMMANDS.union
    WireNotice = NOTICES.union


def command_of(sent: Struct, seat: Seat) -> Command:
    """Return the command that a seat has sent."""
    command: Command = COMMANDS.from_struct(sent, {"seat": seat})
    return command


def notice_to_send(notice: Notice) -> Struct:
    """Return a notice as it is sent."""
    return NOTICES.to_struct(notice)
