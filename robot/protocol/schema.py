"""How a message is laid out: its number, its fields, and the bytes that they become."""

import struct
import typing
from dataclasses import dataclass, fields
from enum import Enum, IntEnum


class Wire(Enum):
    """The integer types of the wire, little endian. The value is the code of `struct`."""

    U8 = "B"
    I8 = "b"
    U16 = "H"
    U32 = "I"

    @property
    def size(self) -> int:
        """Bytes that the type takes."""
        return struct.calcsize(f"<{self.value}")


@dataclass(frozen=True, slots=True)
class In:
    """Annotation of a message's field: its type on the wire and what it says."""

    wire: Wire
    about: str = ""


class Way(Enum):
    """Who sends a message, and whether it is acknowledged."""

    SEQUENCED = "host → board, sequenced"
    UNSEQUENCED = "host → board, unsequenced"
    TO_HOST = "board → host"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message as it lies in the payload."""

    name: str
    wire: Wire
    offset: int
    about: str
    enum: type[IntEnum] | None

    @property
    def meaning(self) -> str:
        """What it says, by default which enumeration it is of."""
        return self.about or (f"a {self.enum.__name__}" if self.enum else "")


class Message:
    """Base of the message classes: frozen dataclasses whose fields carry an `In`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """One row of the message table."""

    code: int
    kind: type[Message]
    way: Way
    name: str
    about: str
    fields: tuple[Field, ...]
    layout: struct.Struct

    @classmethod
    def of(cls, code: int, kind: type[Message], way: Way) -> "MessageSpec":
        """Read a row off a message class: names, types and texts of its fields."""
        hints = typing.get_type_hints(kind, include_extras=True)
        found: list[Field] = []
        offset = 0
        for field in fields(kind):  # type: ignore[arg-type]  # every message is a dataclass
            python_type, annotation = typing.get_args(hints[field.name])
            enum = python_type if issubclass(python_type, IntEnum) else None
            found.append(Field(field.name, annotation.wire, offset, annotation.about, enum))
            offset += annotation.wire.size
        layout = struct.Struct("<" + "".join(field.wire.value for field in found))
        about = (kind.__doc__ or "").partition("\n")[0]
        return cls(code, kind, way, _screaming(kind.__name__), about, tuple(found), layout)

    def pack(self, message: Message) -> bytes:
        """Write a message's payload.

        Raises:
            struct.error: A value does not fit its type on the wire.
        """
        return self.layout.pack(*(getattr(message, field.name) for field in self.fields))

    def unpack(self, payload: bytes) -> Message:
        """Read a payload back into its message.

        Raises:
            ValueError: The length is wrong, or a field holds a number that its enum does not know.
        """
        if len(payload) != self.layout.size:
            raise ValueError(f"{self.name} has {self.layout.size} bytes, not {len(payload)}")
        values = self.layout.unpack(payload)
        return self.kind(
            *(
                value if field.enum is None else field.enum(value)
                for field, value in zip(self.fields, values, strict=True)
            )
        )


def _screaming(name: str) -> str:
    """Turn "HelloReply" into "HELLO_REPLY"."""
    return "".join(f"_{c}" if c.isupper() else c.upper() for c in name).removeprefix("_")
