"""Files of tables: numpy's ``.npz``, uncompressed, written atomically and checked when read.

A zip archive contains a checksum of each array. A file with other content than this program builds
is not used, even if its checksums are correct: compiled code follows tables without bounds checks.
`tests/solver/test_tables.py` builds them all, except the macros, whose file is named by its source,
and the tables of the optimal search, which contain nothing that code follows.
"""

import contextlib
import hashlib
import io
import os
import stat
import tempfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from solver.errors import TableError

CONTENTS: Mapping[str, str] = MappingProxyType(
    {
        "stages-v3": "08f062049ec77884",
        "turns-v3": "c58461753cf3a300",
        "pocket-v1": "54cdbbcd0df5b78c",
        "cosets-v1": "ea636bcb5086df12",
        "htm-v11": "4c93816531dd5d79",
        "htm-five-v11": "d80c750e18e8e570",
        "qtm-v11": "9e27ff2e0064d140",
        "qtm-five-v11": "e2208838572d34dc",
        "axial-v11": "f656cb63c1c259c1",
        "axial-five-v11": "4af94eb066a240c8",
        "axial-qtm-v11": "d693ff381c72b8ca",
        "axial-qtm-five-v11": "8ca1e936b2b1107e",
    }
)
"""`table_files.content_digest` by the name and version of the table set."""

Arrays = Mapping[str, NDArray[Any]]

SUFFIX = ".npz"
_NAME = "_name"
"""The array in each file that contains the name and version of its set."""
_PART = f"{SUFFIX}.part"
_STALE_S = 3600.0
"""A file that was not written to for this time is the remainder of a killed program."""
_PIECE, _LONGEST_HEADER = 1 << 20, 1 << 10
CACHE_LINE = 64
"""Bytes; numpy's headers in a file are as long as one or several of them."""


def write_tables(path: Path, name: str, arrays: Arrays) -> None:
    """Write one file under a temporary name and move it into place.

    Other processes see the old file, the new one or none.

    Args:
        path: The file.
        name: Name and version of the set.
        arrays: Its tables.

    Raises:
        OSError: The file cannot be written; the temporary file is removed.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=_PART)
    try:
        with os.fdopen(handle, "wb") as file:
            named: dict[str, Any] = {_NAME: np.array(name), **arrays}
            np.savez(file, **named)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def sweep(folder: Path) -> None:
    """Remove the files that killed programs left."""
    for path in folder.glob(f"*{_PART}"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _STALE_S:
                path.unlink()


def read_tables(path: Path, name: str) -> Arrays:
    """Read one file into memory and check it.

    Args:
        path: The file.
        name: Required name and version of the set.

    Returns:
        Read-only arrays.

    Raises:
        TableError: The file is missing, damaged, or contains another set.
        MemoryError: There is not enough memory.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe would block
            raise TableError(f"{path} is not a file")
        with zipfile.ZipFile(path) as archive:
            digest = content_digest(archive)
            if digest != CONTENTS.get(name, digest):
                raise ValueError("it contains other tables than those that this program builds")
            if sum(info.file_size for info in archive.infolist()) > path.stat().st_size:
                raise ValueError("its arrays are larger than the file")
            arrays = _arrays(archive)
        if (found := str(arrays.pop(_NAME, ""))) != name:
            raise ValueError(f"it contains {found}")
    except OSError as failure:
        raise TableError(f"cannot read the table file {path} ({failure})") from failure
    except (
        # `zipfile` raises the last two for flags and offsets that no file of ours contains
        *(zipfile.BadZipFile, EOFError, ValueError, TypeError, RuntimeError, OverflowError),
    ) as damage:
        raise TableError(f"the table file {path} is damaged or out of date ({damage})") from damage
    return arrays


def _arrays(archive: zipfile.ZipFile) -> dict[str, NDArray[Any]]:
    """Read all arrays into one piece of memory, which the system can map with large pages.

    Each begins at a cache line: filters consist of blocks of that size, and one access should fetch
    the whole block.
    """
    infos = archive.infolist()
    starts = np.cumsum([0, *(-(-info.file_size // CACHE_LINE) * CACHE_LINE for info in infos)])
    memory = np.empty(starts[-1] + CACHE_LINE, dtype=np.uint8)
    content = memory[-memory.ctypes.data % CACHE_LINE :]
    return {
        info.filename.removesuffix(".npy"): _array(archive, info, content[start:][: info.file_size])
        for info, start in zip(infos, starts.tolist(), strict=False)
    }


def _array(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, content: NDArray[np.uint8]
) -> NDArray[Any]:
    """Read one array in pieces; the archive compares its checksum at the end."""
    with archive.open(info) as file:
        for at in range(0, len(content), _PIECE):
            content[at : at + _PIECE] = np.frombuffer(file.read(_PIECE), np.uint8)
        if file.read(1):
            raise ValueError("an array is too long")
    header = io.BytesIO(content[:_LONGEST_HEADER].tobytes())
    npy.read_magic(header)
    shape, _, dtype = npy.read_array_header_1_0(header)
    array = content[header.tell() :].view(dtype).reshape(shape)
    array.flags.writeable = False
    return array


def content_digest(archive: zipfile.ZipFile) -> str:
    """Return a digest of the content: names, sizes and checksums, in 64 bits."""
    told = [(info.filename, info.file_size, info.CRC) for info in archive.infolist()]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]
