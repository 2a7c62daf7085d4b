"""Distance tables on disk: one file a table set, versioned, checksummed and written atomically.

A file is a magic word, the length and checksum of a JSON header, the header (name, version, the
arrays' names, types, shapes and offsets, checksums of the payload in blocks) and the arrays, each
aligned to 64 bytes, so that a table is used straight from a read-only map. Files get a
temporary name and are moved into place, so other processes see the old file, the new one or none. A
file that is damaged, missing, of another version or of other content than this program builds is
built anew; a folder that cannot be written costs nothing but building the tables again next time.
"""

import contextlib
import hashlib
import json
import logging
import mmap
import os
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import platformdirs
from numpy.typing import NDArray

from solver.errors import TableError
from solver.table_contents import CONTENTS

Arrays = Mapping[str, NDArray[Any]]
Progress = Callable[[float], None]
Origin = Literal["stored", "built", "rebuilt"]

_MAGIC = b"THISTLE2"
_ALIGN = 64
_BLOCK = 1 << 23
_PREFIX = len(_MAGIC) + 4 + 4
_SUFFIX = ".tables"
_STALE_S = 3600.0
_log = logging.getLogger(__name__)


def default_folder() -> Path:
    """The user's cache folder for tables."""
    return Path(platformdirs.user_cache_dir("thistlebot", appauthor=False)) / "tables"


@dataclass(frozen=True, slots=True)
class TableSet:
    """What a set of tables is called and how it is built."""

    name: str
    version: int
    build: Callable[[Progress], Arrays]

    @property
    def file_name(self) -> str:
        """The name of the file, the same in every folder."""
        return f"{self.name}-v{self.version}{_SUFFIX}"


@dataclass(frozen=True, slots=True)
class Obtained:
    """Tables ready for use, and where they come from.

    ``note`` is empty, or one sentence: why they were rebuilt or could not be stored.
    """

    arrays: Arrays
    origin: Origin
    path: Path | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One table file of the folder as ``TableStore.stored`` lists it."""

    name: str
    path: Path
    size_bytes: int
    problem: str


class TableStore:
    """The folder of table files."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()

    def path(self, tables: TableSet) -> Path:
        """Where the set is or would be stored."""
        return self.folder / tables.file_name

    def obtain(self, tables: TableSet, progress: Progress | None = None) -> Obtained:
        """Load the set, or build and store it when there is no sound file of it.

        Never fails for the sake of the disk: what cannot be stored is used from memory, with a
        warning in the log and in ``Obtained.note``.

        Raises:
            TableError: The tables could not be built.
        """
        path, note = self.path(tables), ""
        try:
            return Obtained(read_tables(path, tables.name, tables.version), "stored", path)
        except TableError as damage:
            if not isinstance(damage.__cause__, FileNotFoundError | NotADirectoryError):
                note = f"{damage}; built anew"
                _log.warning("%s", note)
        arrays = _built(tables, progress)
        origin: Origin = "rebuilt" if note else "built"
        try:
            self.save(tables, arrays)
        except TableError as failure:
            _log.warning("%s", failure)
            return Obtained(arrays, origin, None, f"{note}; {failure}" if note else str(failure))
        del arrays  # large ones are not to be in memory twice
        try:
            return Obtained(read_tables(path, tables.name, tables.version), origin, path, note)
        except TableError as other:  # this computer counts otherwise: better slow than wrong
            note = f"{other}, though built just now; report it"
            return Obtained(_built(tables, progress), origin, None, note)

    def load(self, tables: TableSet) -> Arrays | None:
        """The set's arrays if a sound file of it is stored, else None."""
        try:
            return read_tables(self.path(tables), tables.name, tables.version)
        except TableError:
            return None

    def save(self, tables: TableSet, arrays: Arrays) -> Path:
        """Write the set's file atomically.

        Raises:
            TableError: The folder cannot be written, or the disk is full; no file is left behind.
        """
        path = self.path(tables)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._sweep()
            write_tables(path, tables.name, tables.version, arrays)
        except OSError as failure:
            raise TableError(
                f"the tables {tables.name} could not be stored in {self.folder} "
                f"({failure.strerror or failure}): they are kept in memory and will be built "
                "again next time; free some space or choose another cache folder"
            ) from failure
        return path

    def stored(self) -> tuple[StoredFile, ...]:
        """The table files of the folder, each checked, sorted by name."""
        if not self.folder.is_dir():
            return ()
        return tuple(_examined(path) for path in sorted(self.folder.glob(f"*{_SUFFIX}")))

    def remove(self, name: str | None = None) -> tuple[Path, ...]:
        """Remove the files of one set (any version), or of all; the paths removed.

        Raises:
            TableError: A file cannot be removed.
        """
        removed = []
        for path in sorted(self.folder.glob(f"{name or '*'}-v*{_SUFFIX}")):
            try:
                path.unlink(missing_ok=True)
            except OSError as failure:
                raise TableError(
                    f"{path} could not be removed ({failure.strerror}): close the programs that "
                    "use it and try again"
                ) from failure
            removed.append(path)
        return tuple(removed)

    def _sweep(self) -> None:
        """Remove what killed builds left behind."""
        for path in self.folder.glob(f"*{_SUFFIX}.part"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _STALE_S:
                    path.unlink()


def _built(tables: TableSet, progress: Progress | None) -> Arrays:
    try:
        return tables.build(progress or (lambda _share: None))
    except MemoryError as failure:
        raise TableError(
            f"there is not enough memory to build the tables {tables.name}: close other programs"
        ) from failure


def _examined(path: Path) -> StoredFile:
    name, _, version = path.name.removesuffix(_SUFFIX).rpartition("-v")
    problem = ""
    try:
        read_tables(path, name, int(version) if version.isdigit() else -1)
    except TableError as damage:
        problem = str(damage)
    return StoredFile(name, path, path.stat().st_size, problem)


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
    handle, temporary = tempfile.mkstemp(
        dir=path.parent, prefix=path.stem, suffix=f"{_SUFFIX}.part"
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC + _word(len(header)) + _word(zlib.crc32(header)) + header)
            for block in _blocks(arrays):
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


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
        with path.open("rb") as file:
            data = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
    except (OSError, ValueError) as failure:
        raise TableError(f"the table file {path} cannot be read ({failure})") from failure
    try:
        return dict(_arrays(data, name, version))
    except (ValueError, KeyError, TypeError) as damage:
        raise TableError(f"the table file {path} is damaged or out of date ({damage})") from damage


def _arrays(data: NDArray[np.uint8], name: str, version: int) -> Iterator[tuple[str, NDArray[Any]]]:
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
    if fields["checksums"] != _checksums(payload):
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


def _checksums(payload: NDArray[np.uint8]) -> list[int]:
    """CRC-32 of each block of the payload, computed side by side."""
    blocks = [payload[at : at + _BLOCK] for at in range(0, len(payload), _BLOCK)]
    if len(blocks) < 2:
        return [zlib.crc32(block.data) for block in blocks]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda block: zlib.crc32(block.data), blocks))
