"""Files of tables: versioned, checksummed, written atomically.

A file is a magic word, the length and checksum of a JSON header, the header (name, version, the
arrays' names, types, shapes and offsets, checksums of the payload in blocks) and the arrays, each
aligned to 64 bytes. Files get a temporary name and are renamed, so other processes see the old
file, the new one or none.

The check reads the whole file into memory, in huge pages if the system has them, because with small
ones a search also waits for page addresses. Tables that are too large for that, or rarely used, are
memory-mapped: only the parts used take memory.

This module also computes the digests of the tables that this program builds: they are the same on
every computer.

A file with other content is not used, even if its checksums are correct: compiled code follows
tables without bounds checks. `tests/solver/test_tables.py` builds them all, except the macros,
whose file is named by its source.
"""

import contextlib
import errno
import hashlib
import json
import mmap
import os
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import FileIO
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from solver.errors import TableError

CONTENTS: Mapping[str, str] = MappingProxyType(
    {
        "stages-v2": "c2378dd529e47f52",
        "turns-v2": "57e88024a9fb8f4e",
        "pocket-v1": "b7a9f8628cf6f594",
        "phi1-v3": "933bc5666fe61ccf",
        "centres-v1": "b1abfca1a3a2f7aa",
        "cosets-v1": "02eaf8b76912d7eb",
        "optimal-2-8-v1": "c1b03cc1e1e26675",
        "optimal-4-8-v1": "b3e4c0505d4406e8",
        "optimal-6-8-v1": "fbcb679beeca98ce",
        "two-phase-v6": "ef09f83478c9fa44",
        "two-phase-lean-v2": "71c4aa4ccdb312bf",
        "htm-five-v9": "f4ecfe4e7dacfb63",
        "qtm-v9": "75c50f2ecb1a5405",
        "qtm-five-v8": "aa94cfe8de5e6357",
        "axial-v8": "01775e44e8c3edf1",
        "axial-five-v8": "e1edacea5f7e1067",
        "axial-qtm-v8": "0c109252e46bf441",
        "axial-qtm-five-v8": "9c6d2e48dc0db320",
    }
)
"""`table_files.content_digest` by the name and version of the table set."""


if sys.platform != "win32":
    import fcntl

Arrays = Mapping[str, NDArray[Any]]

SUFFIX = ".tables"
GROWING = ".growing"
"""Suffix of a large table whose construction continues after an interruption."""
_MAGIC = b"THISTLE2"
_ALIGN = 64
_HUGE_PAGE = 1 << 21
_BLOCK, _PIECE = 1 << 23, 1 << 20
_PREFIX = len(_MAGIC) + 4 + 4
_STALE_S = 1.0
"""Time within which a new file is certainly locked."""


def write_tables(path: Path, name: str, version: int, arrays: Arrays) -> None:
    """Write one file under a temporary name and move it into place.

    Raises:
        OSError: The file cannot be written; the temporary file is removed.
    """
    layout: list[dict[str, Any]] = []
    offset = 0
    for key, array in arrays.items():
        layout.append(
            {"name": key, "dtype": array.dtype.str, "shape": array.shape, "offset": offset}
        )
        offset += -(-array.nbytes // _ALIGN) * _ALIGN
    checksums = [zlib.crc32(block) for block in _blocks(arrays)]
    fields = {"name": name, "version": version, "arrays": layout, "checksums": checksums}
    header = json.dumps(fields).encode()
    header += b" " * (-(len(header) + _PREFIX) % _ALIGN)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=f"{SUFFIX}.part")
    try:
        with os.fdopen(handle, "wb") as file:
            with contextlib.suppress(OSError):  # some network folders do not support locks
                _lock(file)
            file.write(_MAGIC + _word(len(header)) + _word(zlib.crc32(header)) + header)
            for block in _blocks(arrays):
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def sweep(folder: Path) -> None:
    """Remove the files of killed writers: nobody holds a lock on them any more."""
    for path in folder.glob(f"*{SUFFIX}.part"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _STALE_S and not _is_locked(path):
                path.unlink()


def _lock(file: BinaryIO) -> None:
    """Mark this file as being written; the lock ends with the process.

    Raises:
        BlockingIOError: Another process holds it.
    """
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked(file: BinaryIO) -> Iterator[None]:
    """Lock a file, as long as it is open.

    Raises:
        BlockingIOError: Another process holds it.
    """
    try:
        _lock(file)
    except BlockingIOError:
        raise
    except OSError:  # some network folders do not support locks
        pass
    yield


def _is_locked(path: Path) -> bool:
    """Return whether a file is being written; Windows refuses to remove an open file anyway."""
    with path.open("rb") as file:
        try:
            _lock(file)
        except BlockingIOError:
            return True
    return False


def _blocks(arrays: Arrays) -> Iterator[bytes]:
    """Yield the arrays as in the file, each padded, in blocks of one size except the last."""
    block = bytearray()
    for array in arrays.values():
        flat = np.ascontiguousarray(array).reshape(-1).view("u1")
        for at in range(0, len(flat), _BLOCK):
            block += flat[at : at + _BLOCK].data
            block += bytes(-len(block) % _ALIGN)
            while len(block) >= _BLOCK:
                yield bytes(block[:_BLOCK])
                del block[:_BLOCK]
    if block:
        yield bytes(block)


def read_tables(path: Path, name: str, version: int, mapped: Iterable[str] | None = ()) -> Arrays:
    """Read one file and check it.

    Args:
        path: The file.
        name: Required name of the tables.
        version: Required version.
        mapped: Names of the arrays that are not read into memory; None for all.

    Returns:
        Read-only arrays.

    Raises:
        TableError: The file is missing, damaged, or contains other tables or another version.
        MemoryError: There is not enough memory.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe would block
            raise TableError(f"{path} is not a file")
        with path.open("rb", buffering=0) as file:
            data = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
            return dict(_arrays(data, file, name, version, mapped))
    except OSError as failure:
        if failure.errno == errno.ENOMEM:
            raise MemoryError(failure.strerror) from failure
        raise TableError(f"cannot read the table file {path} ({failure})") from failure
    except (ValueError, KeyError, TypeError) as damage:
        raise TableError(f"the table file {path} is damaged or out of date ({damage})") from damage


def _arrays(
    data: NDArray[np.uint8], file: FileIO, name: str, version: int, mapped: Iterable[str] | None
) -> Iterator[tuple[str, NDArray[Any]]]:
    if data[: len(_MAGIC)].tobytes() != _MAGIC:
        raise ValueError("not a table file")
    length, checksum = data[len(_MAGIC) : _PREFIX].view("<u4").tolist()
    start = _PREFIX + length
    header = data[_PREFIX:start].tobytes()
    if zlib.crc32(header) != checksum:
        raise ValueError("the header's checksum does not match")
    fields = json.loads(header)
    if (fields["name"], fields["version"]) != (name, version):
        raise ValueError(f"it contains {fields['name']} version {fields['version']}")
    if content_digest(header) != CONTENTS.get(f"{name}-v{version}", content_digest(header)):
        raise ValueError("it contains other tables than those that this program builds")
    payload, memory = data[start:], huge_paged(len(data) - start)
    places = {entry["name"]: _place(entry) for entry in fields["arrays"]}
    left = {key: places[key] for key in (places if mapped is None else mapped)}
    if fields["checksums"] != _read(file, start, memory, left.values()):
        raise ValueError("the checksum does not match")
    memory.flags.writeable = False
    for entry in fields["arrays"]:
        content = (payload if entry["name"] in left else memory)[places[entry["name"]]]
        yield entry["name"], content.view(entry["dtype"]).reshape(entry["shape"])


def _place(entry: Mapping[str, Any]) -> slice:
    """Return the position of an array in the payload."""
    size = np.dtype(entry["dtype"]).itemsize * int(np.prod(entry["shape"]))
    return slice(entry["offset"], entry["offset"] + size)


def huge_paged(size: int) -> NDArray[np.uint8]:
    """Return memory that begins with a huge page, if possible; numpy requests these.

    Memory that is never written to takes no space.
    """
    room = np.empty(size + _HUGE_PAGE, dtype=np.uint8)
    begin = -room.ctypes.data % _HUGE_PAGE
    return room[begin : begin + size]


def content_digest(header: bytes) -> str:
    """Return a digest of the content: names, types, shapes and checksums, in 64 bits."""
    return hashlib.sha256(header.rstrip()).hexdigest()[:16]


def _word(number: int) -> bytes:
    return number.to_bytes(4, "little")


def _read(
    file: FileIO, start: int, memory: NDArray[np.uint8], left: Collection[slice]
) -> list[int]:
    """Read the payload into memory, except for gaps, and return the CRC-32 of each block.

    The checksums of blocks are computed in parallel.
    """
    one_reads, end = Lock(), len(memory)

    def checksum(block: int) -> int:
        aside, made = np.empty(_PIECE, dtype=np.uint8), 0
        for at in range(block, min(block + _BLOCK, end), _PIECE):
            after = min(at + _PIECE, block + _BLOCK, end)
            unused = any(place.start <= at and after <= place.stop for place in left)
            view = aside[: after - at] if unused else memory[at:after]
            with one_reads:
                file.seek(start + at)
                if file.readinto(view.data) != len(view):
                    raise ValueError("it was truncated")
            made = zlib.crc32(view.data, made)
        return made

    blocks = range(0, end, _BLOCK)
    if len(blocks) < 2:
        return [checksum(block) for block in blocks]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(checksum, blocks))
