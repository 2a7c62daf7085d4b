"""The tail of the journal: what was said last, kept in memory that a killed program leaves behind.

The system keeps what was put into a file's pages in memory, whatever becomes of the program, and
writes them to the disk when it likes. So an entry costs a copy of its bytes, is safe from SIGKILL
as soon as it is made, and waits for no disk. The file has its full size from the start: a disk that
fills up later takes nothing away. A thread brings the entries to the disk and into the database.

What the journal is told, as it stands in its tail.

Which programs have a tail of the journal, and which tails nobody owns any more.
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
    """A value is to be kept.

    Attributes:
        key: Its name.
        value: Any text.
        order: Of two, the greater was said later. The first versions had the time there.
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


_MAGIC = b"TBTL"
_HALF = 512 * 1024
_HEADER = 16
"""Magic, then the number of the half that counts."""
SIZE = _HEADER + 2 * _HALF
_NUMBER = struct.Struct("<q")
_FRAME = struct.Struct("<II")
"""Length and checksum before each entry; no length ends the entries."""


class TailFullError(Exception):
    """There is no room for an entry before others are let go."""


class Tail:
    """Entries of bytes, in order, in one file; for one thread at a time.

    Two halves take turns: `keep_only` writes what is still wanted into the other half, and then
    says in one byte that this one counts.

    Args:
        file: Made with its full size unless it is there.

    Attributes:
        entries: All entries by their numbers, the oldest first; those of a program that was killed
            are there from the start.

    Raises:
        OSError: The file cannot be made, or the disk has no room for it.
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
        """Yield what the file holds; what was interrupted while it was written is no entry."""
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
        """Add an entry; once this returns, only a loss of power can take it away.

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
        """Let go of all entries but these."""
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
        """Write an entry so that it is there all at once, and return where the next one goes."""
        after = at + _FRAME.size + len(entry)
        if after + _FRAME.size > end:
            raise TailFullError
        self._end_at(after)
        self._memory[at + _FRAME.size : after] = entry
        _FRAME.pack_into(self._memory, at, len(entry), zlib.crc32(entry))
        return after

    def flush(self) -> None:
        """Bring all entries to the disk; waits for it."""
        self._memory.flush()

    def close(self) -> None:
        """Give the file back; the entries stay in it."""
        self._memory.close()


class SaidOrder:
    """Numbers what the programs that share a journal say; a clock may be wrong, and go back.

    The number that was given last is in memory that all of them share, and that a killed one leaves
    behind. What a loss of power takes from it, `after` puts back.

    Args:
        file: Made unless it is there.

    Raises:
        OSError: It cannot be made.
    """

    def __init__(self, file: Path) -> None:
        make_private(file)
        with file.open("r+b") as handle:
            if os.fstat(handle.fileno()).st_size < _NUMBER.size:
                handle.write(bytes(_NUMBER.size))
                handle.flush()
            self._memory = mmap.mmap(handle.fileno(), _NUMBER.size)

    def after(self, number: int) -> None:
        """Give only greater numbers from now on."""
        if number > _NUMBER.unpack_from(self._memory)[0]:
            _NUMBER.pack_into(self._memory, 0, number)

    def following(self) -> int:
        """Return the next number; two programs may get the same at the same moment."""
        number = int(_NUMBER.unpack_from(self._memory)[0]) + 1
        _NUMBER.pack_into(self._memory, 0, number)
        return number

    def close(self) -> None:
        """Give the file back."""
        self._memory.close()


_MOST = 64
"""Programs that write into one journal at a time."""


class OwnedTail(Tail):
    """A tail that belongs to this program until it ends, however it ends.

    The owner holds a lock of the system on a file beside the tail, by SQLite's means, which are the
    same everywhere. The system takes it from a program that was killed.

    Args:
        file: The tail.

    Raises:
        sqlite3.OperationalError: It belongs to another program, or the folder cannot be written.
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
        """Give the tail to whoever comes next."""
        super().close()
        self._owner.close()


def take_tails(folder: Path) -> list[OwnedTail]:
    """Take all tails that nobody owns, or make one; the first is for this program to write.

    Args:
        folder: Of the journal.

    Raises:
        OSError: None can be made.
        sqlite3.OperationalError: Likewise.
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
