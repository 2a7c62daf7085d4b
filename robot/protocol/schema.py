"""The layout of a message: its number, its fields, and their bytes."""

import struct
import typing
from dataclasses import dataclass, fields
from enum import Enum, IntEnum


class WireType(Enum):
    """The integer types of the wire, little endian. The value is the code of `struct`."""

    U8 = "B"
    I8 = "b"
    U16 = "H"
    I16 = "h"
    U32 = "I"

    @property
    def size(self) -> int:
        """Size of the type in bytes."""
        return struct.calcsize(f"<{self.value}")


@dataclass(frozen=True, slots=True)
class In:
    """Annotation of a message's field: its type on the wire and its meaning."""

    wire: WireType
    about: str = ""


@dataclass(frozen=True, slots=True)
class Several:
    """Annotation of a message's last field: a tuple of parts with the same layout."""

    least: int
    most: int
    about: str = ""


class Delivery(Enum):
    """Who sends a message, and whether it is acknowledged."""

    SEQUENCED = "host → board, sequenced"
    UNSEQUENCED = "host → board, unsequenced"
    TO_HOST = "board → host"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message in the payload."""

    name: str
    wire: WireType
    offset: int
    about: str
    enum: type[IntEnum] | None

    @property
    def meaning(self) -> str:
        """Its meaning; by default the name of its enumeration."""
        return self.about or (f"a {self.enum.__name__}" if self.enum else "")


class Message:
    """Base of the message classes: frozen dataclasses whose fields carry an `In`.

    The last field may have a `Several` instead: a tuple of parts, which are such classes, too.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Group:
    """The parts at the end of a message; the packet's length gives their number."""

    name: str
    kind: type
    fields: tuple[Field, ...]
    layout: struct.Struct
    least: int
    most: int
    about: str

    def pack(self, parts: tuple[object, ...]) -> bytes:
        """Write the parts one after another.

        Raises:
            struct.error: A value does not fit its type, or there are too few parts or too many.
        """
        if not self.least <= len(parts) <= self.most:
            raise struct.error(f"{self.least} to {self.most} {self.name}, not {len(parts)}")
        rows = (tuple(getattr(part, field.name) for field in self.fields) for part in parts)
        return b"".join(self.layout.pack(*row) for row in rows)

    def unpack(self, payload: bytes) -> tuple[object, ...]:
        """Read the parts; ValueError if an enum does not have a number."""
        rows = self.layout.iter_unpack(payload)
        return tuple(self.kind(*_typed(self.fields, row)) for row in rows)


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """One row of the message table."""

    code: int
    kind: type[Message]
    way: Delivery
    name: str
    about: str
    fields: tuple[Field, ...]
    layout: struct.Struct
    group: Group | None = None

    @classmethod
    def of(cls, code: int, kind: type[Message], way: Delivery) -> "MessageSpec":
        """Build a row from a message class: names, types and texts of its fields."""
        hints = typing.get_type_hints(kind, include_extras=True)
        last = next(reversed(hints), "")
        group = _group(last, hints[last]) if last else None
        found = _fields_of(kind, skip=group.name if group else "")
        about = (kind.__doc__ or "").partition("\n")[0]
        name = _screaming(kind.__name__)
        return cls(code, kind, way, name, about, found, _layout(found), group)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Possible sizes of a payload in bytes."""
        if self.group is None:
            return (self.layout.size,)
        counts = range(self.group.least, self.group.most + 1)
        return tuple(self.layout.size + count * self.group.layout.size for count in counts)

    def pack(self, message: Message) -> bytes:
        """Write a message's payload.

        Raises:
            struct.error: A value does not fit its type on the wire.
        """
        head = self.layout.pack(*(getattr(message, field.name) for field in self.fields))
        return head + self.group.pack(getattr(message, self.group.name)) if self.group else head

    def unpack(self, payload: bytes) -> Message:
        """Read a payload back into its message.

        Raises:
            ValueError: The length is wrong, or an enum does not have the number of a field.
        """
        if len(payload) not in self.sizes:
            sizes = " or ".join(map(str, self.sizes))
            raise ValueError(f"{self.name} has {sizes} bytes, not {len(payload)}")
        size = self.layout.size
        values: list[object] = _typed(self.fields, self.layout.unpack(payload[:size]))
        if self.group is not None:
            values.append(self.group.unpack(payload[size:]))
        return self.kind(*values)


def _typed(found: tuple[Field, ...], values: tuple[int, ...]) -> list[object]:
    """Convert numbers to members of their enumerations."""
    return [
        value if field.enum is None else field.enum(value)
        for field, value in zip(found, values, strict=True)
    ]


def _fields_of(kind: type, skip: str = "") -> tuple[Field, ...]:
    """Return the layout of a class, without one field."""
    hints = typing.get_type_hints(kind, include_extras=True)
    found: list[Field] = []
    offset = 0
    for field in fields(kind):
        if field.name == skip:
            continue
        python_type, annotation = typing.get_args(hints[field.name])
        enum = python_type if issubclass(python_type, IntEnum) else None
        found.append(Field(field.name, annotation.wire, offset, annotation.about, enum))
        offset += annotation.wire.size
    return tuple(found)


def _layout(found: tuple[Field, ...]) -> struct.Struct:
    return struct.Struct("<" + "".join(field.wire.value for field in found))


def _group(name: str, hint: object) -> Group | None:
    """Read a message's last field as parts; None if it is a plain field."""
    parts, annotation = typing.get_args(hint)
    if not isinstance(annotation, Several):
        return None
    kind = typing.get_args(parts)[0]
    found = _fields_of(kind)
    limits = annotation.least, annotation.most
    return Group(name, kind, found, _layout(found), *limits, annotation.about)


def _screaming(name: str) -> str:
    """Convert "HelloReply" to "HELLO_REPLY"."""
    return "".join(f"_{c}" if c.isupper() else c.upper() for c in name).removeprefix("_")
