"""What the journal is told, as it stands in its tail."""

import msgspec


class Keep(msgspec.Struct, frozen=True, tag="keep"):
    """A value is to be kept.

    Attributes:
        key: Its name.
        value: Any text.
        at_ns: When this was said, nanoseconds since 1970.
    """

    key: str
    value: str
    at_ns: int


class BeginEntry(msgspec.Struct, frozen=True, tag="begin"):
    """A run begins; the fields are those of `rows.StoredRun`."""

    uid: str
    began: float
    context: msgspec.Raw


class EventEntry(msgspec.Struct, frozen=True, tag="said"):
    """An event of a run, so many seconds after its beginning."""

    uid: str
    time_s: float
    event: msgspec.Raw


class End(msgspec.Struct, frozen=True, tag="end"):
    """A run came to its end."""

    uid: str


Entry = Keep | BeginEntry | EventEntry | End


def encode(entry: Entry) -> bytes:
    """Write an entry."""
    return msgspec.json.encode(entry)


def decode(content: bytes) -> Entry:
    """Read an entry.

    Raises:
        msgspec.DecodeError: It is none.
    """
    entry: Entry = msgspec.json.decode(content, type=Entry)
    return entry
