"""The tail of the journal: the latest entries, in a file that survives a kill of the program.

The system keeps what was written to a file when a program ends, and writes it to disk later. So an
entry survives SIGKILL as soon as it is made, and does not wait for the disk. The file has its full
size from the start, so a disk that fills up later does no harm. A thread writes the entries to the
disk and into the database.

This module also contains the entries of the journal, as stored in its tail.

Finally, it contains the owners of tails: which programs have one, and which tails have no owner.
"""

import errno
import os
import sqlite3
import struct
import time
import zlib
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec

from documents.files import make_private

MOST_ORDER = 2**62
"""A number that no counting reaches; times in ns of the first versions are below it, too."""


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
    order: Annotated[int, msgspec.Meta(lt=MOST_ORDER)] = msgspec.field(default=0, name="at_ns")


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
        with file.open("rb") as handle:
            begin = handle.read(len(_MAGIC))
        if any(begin) and begin != _MAGIC:
            _put_aside(file)
        self.file = file
        self._handle = file.open("r+b", buffering=0)
        try:
            size = os.fstat(self._handle.fileno()).st_size
            if size < SIZE:
                self._put(bytes(SIZE - size), size)
                self.flush()
            self._handle.seek(0)
            content = self._handle.read(SIZE)
            if content[:4] != _MAGIC:
                self._put(bytes(_HEADER - 4 + _FRAME.size), 4)
                self._put(_MAGIC, 0)
                content = bytes(SIZE)
            self._half = content[4] & 1
            self.entries = dict(enumerate(_read(content, self._start)))
        except BaseException:
            self._handle.close()
            raise
        self._next = len(self.entries)
        self._end = self._start + sum(_FRAME.size + len(each) for each in self.entries.values())

    @property
    def _start(self) -> int:
        return _HEADER + self._half * _HALF

    def stands(self) -> bool:
        """Return whether the file is still there; somebody may have deleted it."""
        return stands(self.file, self._handle.fileno())

    def add(self, entry: bytes) -> int:
        """Add an entry; once this returns, only a power loss can destroy it.

        Args:
            entry: At least one byte.

        Returns:
            Its number.

        Raises:
            TailFullError: There is no room for it.
            OSError: It cannot be written.
        """
        self._end = self._put_entry(entry, self._end, self._start + _HALF)
        number = self._next
        self.entries[number] = entry
        self._next += 1
        return number

    def keep_only(self, numbers: Container[int]) -> None:
        """Remove all entries but these.

        Raises:
            OSError: The file cannot be written; all entries stay.
        """
        kept = {number: each for number, each in self.entries.items() if number in numbers}
        other = 1 - self._half
        at = _HEADER + other * _HALF
        end = at + _HALF
        self._put(bytes(_FRAME.size), at)
        for entry in kept.values():
            at = self._put_entry(entry, at, end)
        self._put(bytes([other]), 4)
        self._half, self._end, self.entries = other, at, kept

    def _put_entry(self, entry: bytes, at: int, end: int) -> int:
        """Write an entry atomically, and return the position of the next one."""
        after = at + _FRAME.size + len(entry)
        if after + _FRAME.size > end:
            raise TailFullError
        self._put(entry + bytes(_FRAME.size), at + _FRAME.size)
        self._put(_FRAME.pack(len(entry), zlib.crc32(entry)), at)
        return after

    def _put(self, content: bytes, at: int) -> None:
        self._handle.seek(at)
        if self._handle.write(content) != len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.file))

    def replace(self, other: "Tail") -> None:
        """Take over the entries of another tail with their numbers, and drop all others.

        Raises:
            OSError: The file cannot be written.
        """
        self.entries, self._next = other.entries, other._next
        self.keep_only(other.entries)

    def flush(self) -> None:
        """Write all entries to the disk, and wait for it.

        Raises:
            OSError: The disk failed.
        """
        os.fsync(self._handle.fileno())

    def close(self) -> None:
        """Close the file; the entries stay in it."""
        self._handle.close()


def _read(content: bytes, at: int) -> Iterator[bytes]:
    """Yield the complete entries of the half that begins there."""
    end = at + _HALF
    while at + _FRAME.size <= end:
        length, checksum = _FRAME.unpack_from(content, at)
        at += _FRAME.size
        entry = content[at : at + length]
        if not 0 < length <= end - at or zlib.crc32(entry) != checksum:
            return
        yield entry
        at += length


def _put_aside(file: Path) -> None:
    """Rename a file that is damaged, or not ours, and create an empty one."""
    file.rename(file.with_name(f"{file.stem}-damaged-{time.time_ns()}{file.suffix}"))
    make_private(file)


def stands(file: Path, descriptor: int) -> bool:
    """Return whether an open file still has its name."""
    try:
        return os.path.samestat(file.stat(), os.fstat(descriptor))
    except OSError:
        return False


class SaidOrder:
    """Numbers the entries of programs that share a journal; a clock may be wrong, and go back.

    The last number is in a file shared by all of them, which survives a kill. After a power loss,
    `after` restores it.

    Args:
        file: Created if missing.

    Raises:
        OSError: The file cannot be created.
    """

    def __init__(self, file: Path) -> None:
        make_private(file)
        if file.stat().st_size > _NUMBER.size:
            _put_aside(file)
        self._handle = file.open("r+b", buffering=0)
        self._last = 0

    def after(self, number: int) -> None:
        """Make all further numbers greater than this one."""
        if number > self._read():
            self._put(number)

    def following(self) -> int:
        """Return the next number; two programs may get the same one at the same time."""
        self._put(max(self._last, self._read()) + 1)
        return self._last

    def _read(self) -> int:
        """Return the last number; one that is missing or impossible counts as 0."""
        self._handle.seek(0)
        content = self._handle.read(_NUMBER.size)
        number = _NUMBER.unpack(content)[0] if len(content) == _NUMBER.size else 0
        return int(number) if 0 < number < MOST_ORDER else 0

    def _put(self, number: int) -> None:
        self._last = number
        with suppress(OSError):  # then it is only known to this program
            self._handle.seek(0)
            self._handle.write(_NUMBER.pack(number))

    def close(self) -> None:
        """Close the file."""
        self._handle.close()


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
