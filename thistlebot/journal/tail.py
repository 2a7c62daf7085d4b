"""The tail of the journal: the latest entries, in memory that survives a kill of the program.

The system keeps a file's memory-mapped pages when a program ends, and writes them to disk later. So
an entry costs one copy of its bytes, survives SIGKILL as soon as it is made, and does not wait for
the disk. The file has its full size from the start, so a disk that fills up later does no harm. A
thread writes the entries to the disk and into the database.

This module also contains the entries of the journal, as stored in its tail.

Finally, it contains the owners of tails: which programs have one, and which tails have no owner.
"""

import mmap
import os
import sqlite3
import struct
import zlib
from collections.abc import Container, Iterator
from pathlib import Path

import msgspec

from documents.files import make_private


class Keep(msgspec.Struct, frozen=True, tag="keep"):
    """A value to store.

    Attributes:
        key: Its name.
        value: Any text.
        order: Of two values, the one with the higher order is the later one. The first versions
            stored the time here.
    """

    key: str
    value: str
    order: int = msgspec.field(default=0, name="at_ns")


class BeginEntry(msgspec.Struct, frozen=True, tag="begin"):
    """A run begins; the fields are those of `rows.StoredRun`."""

    uid: str
    began: float
    context: msgspec.Raw


class EventEntry(msgspec.Struct, frozen=True, tag="said"):
    """An event of a run, with the seconds since its beginning."""

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
        msgspec.DecodeError: The content is not an entry.
    """
    entry: Entry = msgspec.json.decode(content, type=Entry)
    return entry


_MAGIC = b"TBTL"
_HALF = 512 * 1024
_HEADER = 16
"""Magic number, then the number of the active half."""
SIZE = _HEADER + 2 * _HALF
_NUMBER = struct.Struct("<q")
_FRAME = struct.Struct("<II")
"""Length and checksum before each entry; a length of 0 ends the entries."""


class TailFullError(Exception):
    """An entry finds no room until other entries are removed."""


class Tail:
    """A sequence of binary entries in one file; for one thread at a time.

    Two halves alternate: `keep_only` writes the remaining entries to the other half, and then
    activates it by changing one byte.

    Args:
        file: Created with its full size if missing.

    Attributes:
        entries: All entries by their numbers, the oldest first; those of a killed program are
            available from the start.

    Raises:
        OSError: The file cannot be created, or the disk has no room for it.
    """

    def __init__(self, file: Path) -> None:
        make_private(file)
        with file.open("r+b") as handle:
            size = os.fstat(handle.fileno()).st_size
            if size < SIZE:
                handle.seek(size)
                handle.write(bytes(SIZE - size))
                handle.flush()
                os.fsync(handle.fileno())
            self._memory = mmap.mmap(handle.fileno(), SIZE)
        if self._memory[:4] != _MAGIC:
            self._memory[4:_HEADER] = bytes(_HEADER - 4)
            self._end_at(_HEADER)
            self._memory[:4] = _MAGIC
        self.entries = dict(enumerate(self._read()))
        self._next = len(self.entries)
        self._end = self._start + sum(_FRAME.size + len(each) for each in self.entries.values())

    @property
    def _half(self) -> int:
        return self._memory[4] & 1

    @property
    def _start(self) -> int:
        return _HEADER + self._half * _HALF

    def _read(self) -> Iterator[bytes]:
        """Yield the complete entries of the file."""
        at, end = self._start, self._start + _HALF
        while at + _FRAME.size <= end:
            length, checksum = _FRAME.unpack_from(self._memory, at)
            at += _FRAME.size
            entry = bytes(self._memory[at : at + length])
            if not 0 < length <= end - at or zlib.crc32(entry) != checksum:
                return
            yield entry
            at += length

    def add(self, entry: bytes) -> int:
        """Add an entry; once this returns, only a power loss can destroy it.

        Args:
            entry: At least one byte.

        Returns:
            Its number.

        Raises:
            TailFullError: There is no room for it.
        """
        self._end = self._put(entry, self._end, self._start + _HALF)
        number = self._next
        self.entries[number] = entry
        self._next += 1
        return number

    def keep_only(self, numbers: Container[int]) -> None:
        """Remove all entries but these."""
        kept = {number: each for number, each in self.entries.items() if number in numbers}
        other = 1 - self._half
        at = _HEADER + other * _HALF
        end = at + _HALF
        self._end_at(at)
        for entry in kept.values():
            at = self._put(entry, at, end)
        self._memory[4] = other
        self._end, self.entries = at, kept

    def _end_at(self, at: int) -> None:
        _FRAME.pack_into(self._memory, at, 0, 0)

    def _put(self, entry: bytes, at: int, end: int) -> int:
        """Write an entry atomically, and return the position of the next one."""
        after = at + _FRAME.size + len(entry)
        if after + _FRAME.size > end:
            raise TailFullError
        self._end_at(after)
        self._memory[at + _FRAME.size : after] = entry
        _FRAME.pack_into(self._memory, at, len(entry), zlib.crc32(entry))
        return after

    def flush(self) -> None:
        """Write all entries to the disk, and wait for it."""
        self._memory.flush()

    def close(self) -> None:
        """Close the file; the entries stay in it."""
        self._memory.close()


class SaidOrder:
    """Numbers the entries of programs that share a journal; a clock may be wrong, and go back.

    The last number is in memory shared by all of them, which survives a kill. After a power loss,
    `after` restores it.

    Args:
        file: Created if missing.

    Raises:
        OSError: The file cannot be created.
    """

    def __init__(self, file: Path) -> None:
        make_private(file)
        with file.open("r+b") as handle:
            if os.fstat(handle.fileno()).st_size < _NUMBER.size:
                handle.write(bytes(_NUMBER.size))
                handle.flush()
            self._memory = mmap.mmap(handle.fileno(), _NUMBER.size)

    def after(self, number: int) -> None:
        """Make all further numbers greater than this one."""
        if number > _NUMBER.unpack_from(self._memory)[0]:
            _NUMBER.pack_into(self._memory, 0, number)

    def following(self) -> int:
        """Return the next number; two programs may get the same one at the same time."""
        number = int(_NUMBER.unpack_from(self._memory)[0]) + 1
        _NUMBER.pack_into(self._memory, 0, number)
        return number

    def close(self) -> None:
        """Close the file."""
        self._memory.close()


_MOST = 64
"""Maximum number of programs that use one journal at a time."""


class OwnedTail(Tail):
    """A tail that belongs to this program until it ends in any way.

    The owner holds a system lock on a file beside the tail, with SQLite's functions, which are
    portable. The system releases it when a program is killed.

    Args:
        file: The tail.

    Raises:
        sqlite3.OperationalError: It belongs to another program, or the folder is read-only.
        OSError: See `Tail`.
    """

    def __init__(self, file: Path) -> None:
        self._owner = sqlite3.connect(
            file.with_suffix(".lock"), timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            self._owner.execute("BEGIN EXCLUSIVE")
            super().__init__(file)
        except BaseException:
            self._owner.close()
            raise

    def close(self) -> None:
        """Release the tail."""
        super().close()
        self._owner.close()


def take_tails(folder: Path) -> list[OwnedTail]:
    """Take all tails without an owner, or create one; this program writes to the first.

    Args:
        folder: Folder of the journal.

    Raises:
        OSError: No tail can be created.
        sqlite3.OperationalError: No tail can be created.
    """
    taken: list[OwnedTail] = []
    for number in range(_MOST):
        file = folder / f"tail-{number}.log"
        if taken and not file.exists():
            continue
        try:
            taken.append(OwnedTail(file))
        except sqlite3.OperationalError:
            if not file.exists() or number == _MOST - 1:
                raise
    return taken
