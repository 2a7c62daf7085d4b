"""Files of tables: versioned, checksummed, written atomically, read as a map.

A file is a magic word, the length and checksum of a JSON header, the header (name, version, the
arrays' names, types, shapes and offsets, checksums of the payload in blocks) and the arrays, each
aligned to 64 bytes, so that a table is used straight from a read-only map. Files get a
temporary name and are moved into place, so other processes see the old file, the new one or none.
"""

import contextlib
import hashlib
import json
import mmap
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import FileIO
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from solver.errors import TableError
from solver.table_contents import CONTENTS

if sys.platform != "win32":
    import fcntl

Arrays = Mapping[str, NDArray[Any]]

SUFFIX = ".tables"
_MAGIC = b"THISTLE2"
_ALIGN = 64
_BLOCK, _PIECE = 1 << 23, 1 << 20
_PREFIX = len(_MAGIC) + 4 + 4
_STALE_S = 1.0
"""A file is locked well within a second after it was made."""


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
            with contextlib.suppress(OSError):  # some network folders know no locks
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
    """Remove what killed writers left behind: nobody holds a lock on it any more."""
    for path in folder.glob(f"*{SUFFIX}.part"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _STALE_S and not _is_locked(path):
                path.unlink()


def _lock(file: BinaryIO) -> None:
    """Show other processes that this file is being written; the lock ends with the process.

    Raises:
        BlockingIOError: Somebody else holds it.
    """
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_locked(path: Path) -> bool:
    """Whether a file is being written; Windows does not remove an open file anyway."""
    with path.open("rb") as file:
        try:
            _lock(file)
        except BlockingIOError:
            return True
    return False


def _blocks(arrays: Arrays) -> Iterator[bytes]:
    """The arrays as they stand in a file, each padded, in blocks of one size but for the last."""
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


def read_tables(path: Path, name: str, version: int) -> Arrays:
    """Map one file and check it.

    Returns:
        Read-only arrays that live in the file's memory map.

    Raises:
        TableError: The file is missing, damaged, or holds other tables or another version.
    """
    try:
        with path.open("rb", buffering=0) as file:
            data = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
            return dict(_arrays(data, file, name, version))
    except OSError as failure:
        raise TableError(f"the table file {path} cannot be read ({failure})") from failure
    except (ValueError, KeyError, TypeError) as damage:
        raise TableError(f"the table file {path} is damaged or out of date ({damage})") from damage


def _arrays(
    data: NDArray[np.uint8], file: FileIO, name: str, version: int
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
        raise ValueError(f"it holds {fields['name']} version {fields['version']}")
    if content_digest(header) != CONTENTS.get(f"{name}-v{version}", content_digest(header)):
        raise ValueError("it holds other tables than this program builds")
    payload = data[start:]
    if fields["checksums"] != _checksums(file, start, len(data)):
        raise ValueError("the checksum does not match")
    for entry in fields["arrays"]:
        dtype, shape = np.dtype(entry["dtype"]), tuple(entry["shape"])
        size = dtype.itemsize * int(np.prod(shape))
        yield entry["name"], payload[entry["offset"] :][:size].view(dtype).reshape(shape)


def content_digest(header: bytes) -> str:
    """What tells one content from another: names, types, shapes and checksums, in 64 bits."""
    return hashlib.sha256(header.rstrip()).hexdigest()[:16]


def _word(number: int) -> bytes:
    return number.to_bytes(4, "little")


def _checksums(file: FileIO, start: int, end: int) -> list[int]:
    """CRC-32 of each block of the payload, computed side by side.

    The file is read for that, not its map: what is touched there stays in memory, and a search may
    need little of it.
    """
    one_reads = Lock()

    def checksum(block: int) -> int:
        piece, made = bytearray(_PIECE), 0
        for at in range(block, min(block + _BLOCK, end), _PIECE):
            view = memoryview(piece)[: min(_PIECE, block + _BLOCK - at, end - at)]
            with one_reads:
                file.seek(at)
                if file.readinto(view) != len(view):
                    raise ValueError("it became shorter")
            made = zlib.crc32(view, made)
        return made

    blocks = range(start, end, _BLOCK)
    if len(blocks) < 2:
        return [checksum(block) for block in blocks]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(checksum, blocks))
