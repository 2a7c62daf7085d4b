"""The layout of a message: its number, its fields, and their bytes."""

import struct
import typing
from dataclasses import dataclass
from enum import Enum, IntEnum


class WireType(Enum):
    """The integer types of the wire, little endian. The value is the code of `struct`."""

    U8 = "B"
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

    The last field may be a tuple of parts instead; their class has such fields, too.
    """

    __slots__ = ()

    @property
    def parts(self) -> tuple[object, ...]:
        """The parts that follow the message's own fields."""
        return ()


@dataclass(frozen=True, slots=True)
class Record:
    """The layout of a class whose fields carry an `In`; other fields are left out."""

    kind: type
    fields: tuple[Field, ...]
    layout: struct.Struct

    @classmethod
    def of(cls, kind: type) -> "Record":
        """Read the fields of a class."""
        found: list[Field] = []
        offset = 0
        for name, hint in typing.get_type_hints(kind, include_extras=True).items():
            python_type, *annotations = typing.get_args(hint)
            if not isinstance(annotations[0], In):
                continue
            wire, about = annotations[0].wire, annotations[0].about
            enum = python_type if issubclass(python_type, IntEnum) else None
            found.append(Field(name, wire, offset, about, enum))
            offset += wire.size
        layout = struct.Struct("<" + "".join(field.wire.value for field in found))
        return cls(kind, tuple(found), layout)

    @property
    def size(self) -> int:
        """Number of bytes."""
        return self.layout.size

    def pack(self, value: object) -> bytes:
        """Write a value of the class.

        Raises:
            struct.error: A number does not fit its type on the wire.
        """
        return self.layout.pack(*(getattr(value, field.name) for field in self.fields))

    def unpack(self, data: bytes) -> list[object]:
        """Read the values of the fields; ValueError if an enum does not have a number."""
        pairs = zip(self.fields, self.layout.unpack(data), strict=True)
        return [value if field.enum is None else field.enum(value) for field, value in pairs]


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """One row of the message table.

    Attributes:
        code: Its number.
        kind: Its class.
        way: Who sends it.
        name: Its name on the wire.
        about: What it says.
        head: The layout of its own fields.
        part: The layout of the parts that follow, if there are any.
        most: Maximum number of parts; one is the minimum.
    """

    code: int
    kind: type[Message]
    way: Delivery
    name: str
    about: str
    head: Record
    part: Record | None = None
    most: int = 0

    @classmethod
    def of(
        cls, code: int, kind: type[Message], way: Delivery, part: type | None = None, most: int = 0
    ) -> "MessageSpec":
        """Build a row from a message class: names, types and texts of its fields."""
        about = (kind.__doc__ or "").partition("\n")[0]
        parts = None if part is None else Record.of(part)
        return cls(code, kind, way, _screaming(kind.__name__), about, Record.of(kind), parts, most)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Possible sizes of a payload in bytes."""
        if self.part is None:
            return (self.head.size,)
        return tuple(self.head.size + (n + 1) * self.part.size for n in range(self.most))

    def pack(self, message: Message) -> bytes:
        """Write a message's payload.

        Raises:
            struct.error: A value does not fit its type on the wire, or the number of parts is
                wrong.
        """
        payload = self.head.pack(message)
        if self.part is not None:
            payload += b"".join(map(self.part.pack, message.parts))
        if len(payload) not in self.sizes:
            raise struct.error(f"{self.name} has 1 to {self.most} parts")
        return payload

    def unpack(self, payload: bytes) -> Message:
        """Read a payload back into its message.

        Raises:
            ValueError: The length is wrong, or an enum does not have the number of a field.
        """
        if len(payload) not in self.sizes:
            sizes = " or ".join(map(str, self.sizes))
            raise ValueError(f"{self.name} has {sizes} bytes, not {len(payload)}")
        size = self.head.size
        values = self.head.unpack(payload[:size])
        if self.part is not None:
            ends = range(size + self.part.size, len(payload) + 1, self.part.size)
            pieces = (payload[end - self.part.size : end] for end in ends)
            values.append(tuple(self.part.kind(*self.part.unpack(piece)) for piece in pieces))
        return self.kind(*values)


def _screaming(name: str) -> str:
    """Convert "HelloReply" to "HELLO_REPLY"."""
    return "".join(f"_{c}" if c.isupper() else c.upper() for c in name).removeprefix("_")
