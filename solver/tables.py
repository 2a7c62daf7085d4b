"""Tables on disk: one file per set in the user's cache folder.

A file that is damaged, missing, of another version or with other content than this program builds
is rebuilt; if the folder cannot be written, the tables are only built again next time.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from solver.errors import TableError
from solver.table_files import SUFFIX, Arrays, read_tables, sweep, write_tables

Progress = Callable[[float], None]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableSet:
    """The name of a set of tables, and the function that builds it.

    Attributes:
        name: Beginning of the file's name.
        version: Version of the tables.
        build: Builds the tables.
    """

    name: str
    version: int
    build: Callable[[Progress], Arrays]

    @property
    def full_name(self) -> str:
        """Name and version."""
        return f"{self.name}-v{self.version}"


@dataclass(frozen=True, slots=True)
class Obtained:
    """Tables ready for use, and why they were rebuilt or could not be stored, if so."""

    arrays: Arrays
    note: str = ""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One table file of the folder as ``TableStore.stored`` lists it."""

    name: str
    path: Path
    size_bytes: int
    problem: str


class TableStore:
    """The folder of table files.

    Args:
        folder: The folder; by default the user's cache folder.
        progress: Told how far the building of a set is, unless `obtain` has its own.
    """

    def __init__(self, folder: Path | str | None = None, progress: Progress | None = None) -> None:
        usual = Path(platformdirs.user_cache_dir("thistlebot", appauthor=False)) / "tables"
        self.folder = usual if folder is None else Path(folder)
        self._progress: Progress = progress or (lambda _share: None)

    def path(self, tables: TableSet) -> Path:
        """Return the path of a set, whether it is stored or not."""
        return self.folder / f"{tables.full_name}{SUFFIX}"

    def obtain(self, tables: TableSet, progress: Progress | None = None) -> Obtained:
        """Load the set, or build and store it if there is no sound file.

        Disk errors do not make it fail: tables that cannot be stored are used from memory, with a
        warning in the log and in ``Obtained.note``.

        Raises:
            TableError: The tables could not be built, or there is not enough memory for them.
        """
        try:
            return self._obtained(tables, progress or self._progress)
        except MemoryError as failure:
            raise TableError(
                f"out of memory for the tables {tables.name}: close other programs"
            ) from failure

    def _obtained(self, tables: TableSet, progress: Progress) -> Obtained:
        note = ""
        try:
            return Obtained(self._read(tables))
        except TableError as damage:
            if not isinstance(damage.__cause__, FileNotFoundError | NotADirectoryError):
                note = f"{damage}; rebuilt"
                _log.warning("%s", note)
        progress(0.0)  # a caller that does not want to wait can abort here, before seconds of work
        arrays = tables.build(progress)
        try:
            self.save(tables, arrays)
        except TableError as failure:
            _log.warning("%s", failure)
            return Obtained(arrays, f"{note}; {failure}" if note else str(failure))
        del arrays  # large ones must not be in memory twice
        try:
            return Obtained(self._read(tables), note)
        except TableError as other:  # this computer computes differently: better slow than wrong
            note = f"{other}, though built just now; report it"
            return Obtained(tables.build(progress), note)

    def load(self, tables: TableSet) -> Arrays | None:
        """Return the set's arrays if a sound file is stored, else None."""
        try:
            return self._read(tables)
        except TableError:
            return None

    def _read(self, tables: TableSet) -> Arrays:
        return read_tables(self.path(tables), tables.full_name)

    def save(self, tables: TableSet, arrays: Arrays) -> Path:
        """Write the set's file atomically.

        Raises:
            TableError: The folder cannot be written, or the disk is full; no file is left behind.
        """
        path = self.path(tables)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            sweep(self.folder)
            write_tables(path, tables.full_name, arrays)
        except OSError as failure:
            raise TableError(
                f"cannot store the tables {tables.name} in {self.folder} "
                f"({failure.strerror or failure}): they are kept in memory and will be "
                "rebuilt next time; free some space or choose another cache folder"
            ) from failure
        return path

    def stored(self) -> tuple[StoredFile, ...]:
        """The table files of the folder, each checked, sorted by name."""
        if not self.folder.is_dir():
            return ()
        return tuple(_examined(path) for path in sorted(self.folder.glob(f"*{SUFFIX}")))

    def remove(self, name: str | None = None) -> tuple[Path, ...]:
        """Remove the files of one set (any version), or of all; return the removed paths.

        Raises:
            TableError: A file cannot be removed.
        """
        removed = []
        sweep(self.folder)
        for path in sorted(self.folder.glob(f"{name or '*'}-v*{SUFFIX}")):
            try:
                path.unlink(missing_ok=True)
            except OSError as failure:
                raise TableError(
                    f"cannot remove {path} ({failure.strerror}): close the programs that "
                    "use it and try again"
                ) from failure
            removed.append(path)
        return tuple(removed)


def _examined(path: Path) -> StoredFile:
    full_name, problem = path.name.removesuffix(SUFFIX), ""
    name = full_name.rpartition("-v")[0] or full_name
    try:
        read_tables(path, full_name)
    except TableError as damage:
        problem = str(damage)
    return StoredFile(name, path, path.stat().st_size, problem)
