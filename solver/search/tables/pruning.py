"""The pruning tables of the optimal search, and their construction, which can be resumed.

The table grows in a file that the process maps into memory. Marks are never undone and may be
repeated, so a killed build continues from the last record of finished roots: the file is
synchronised before each record.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from documents.files import write_atomically
from solver.errors import TableError
from solver.kernels.context import set_slots
from solver.kernels.optimal import layout
from solver.search.tables.cosets import (
    SLICE_OF_EDGE,
    rank_slicings,
    rank_tetrads,
)
from solver.search.tables.prefixes import Prefixes, after_turns, without_images
from solver.coordinates import rank_orientations
from solver.cubies import symmetries
from solver.table_files import GROWING, Arrays, locked
from solver.tables import TableSet, TableStore

_UNMARKED = 0xFF
_PIECE = 1 << 24
_RECORD_S = 20.0
_POLL_S = 0.2
_BRANCHING = 13.35
"""Factor between the numbers of positions at successive depths."""


def _never(_progress: Callable[[float], None]) -> Arrays:
    raise TableError("this table is built only on request")


@dataclass(frozen=True, slots=True)
class PruningTable:
    """A size of the pruning table.

    Attributes:
        flips: Number of flips that it keeps, of eleven.
        base: The largest number of turns of grade 0; grade 3 is more than two above it.
        prefix: Length of the turn sequences whose positions are the units of its construction.
    """

    flips: int
    base: int
    prefix: int = 4

    @property
    def places(self) -> int:
        """Number of places, four in a byte."""
        return layout.CLASSES * layout.SLICINGS << self.flips

    @property
    def size_bytes(self) -> int:
        """Size of the table."""
        return -(-self.places // 4)

    @property
    def tables(self) -> TableSet:
        """The table set; it is never built implicitly."""
        return TableSet(f"optimal-{self.flips}-{self.base}", 1, _never)


SIZES = {128.0: PruningTable(2, 7), 512.0: PruningTable(4, 7), 2000.0: PruningTable(6, 8)}
"""The tables by their sizes in megabytes, rounded up."""


def position_words(cubies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return positions without a last turn, as in `solver.kernels.optimal.coset`; (n, 40) to (n,).

    Args:
        cubies: Rows as of `Cubies.row`.
    """
    corners, twists, edges, flips = np.split(cubies.astype(np.int64), (8, 16, 28), axis=1)
    words = rank_orientations(twists, 3) | rank_orientations(flips, 2) << 12
    words |= rank_tetrads(corners) << 23
    return words | rank_slicings(SLICE_OF_EDGE[edges]) << 30


def coset_context(cosets: Arrays, grades: NDArray[np.uint8], table: PruningTable) -> NDArray[Any]:
    """Return a context of the compiled functions, with the addresses of the tables."""
    context = np.zeros(layout.CONTEXT_SLOTS, dtype=np.int64)
    set_slots(context, {slot: cosets[name] for slot, name in enumerate(layout.TABLES)})
    kept = {layout.KEPT_FLIPS: table.flips, layout.BASE: table.base}
    set_slots(context, {layout.GRADES: grades, **kept})
    return context


@dataclass(slots=True)
class _Record:
    """What has been done: for each grade and root, whether all its positions are marked."""

    path: Path
    done: NDArray[np.bool_]

    @classmethod
    def read(cls, path: Path, shape: tuple[int, int]) -> "_Record":
        """Return the record of a build; an unreadable or foreign one counts as none."""
        done = np.zeros(shape, dtype=bool)
        try:
            bits = bytes.fromhex(json.loads(path.read_text(encoding="utf-8"))["done"])
            done[:] = np.unpackbits(np.frombuffer(bits, np.uint8))[: done.size].reshape(shape)
        except (OSError, ValueError, KeyError, TypeError):
            done[:] = False
        return cls(path, done)

    def write(self, done: NDArray[np.bool_]) -> None:
        write_atomically(self.path, json.dumps({"done": np.packbits(done).tobytes().hex()}))


class Growth:
    """The construction of a pruning table, or its continuation.

    Args:
        store: Where tables are stored.
        table: The size.
        cosets: The tables of the coordinates.

    Attributes:
        path: The file that grows; its record is beside it.
    """

    def __init__(self, store: TableStore, table: PruningTable, cosets: Arrays) -> None:
        self._store, self._table, self._cosets = store, table, cosets
        final = store.path(table.tables)
        self.path = final.with_suffix(GROWING)
        self._record_path = final.with_suffix(f"{GROWING}.json")

    def run(
        self,
        threads: int,
        progress: Callable[[float], None] = lambda _: None,
        cancel: threading.Event | None = None,
    ) -> bool:
        """Build the table and store it; return False if it was cancelled, to be continued later.

        Args:
            threads: Number of threads.
            progress: Called with the share done, 0 to 1.
            cancel: Set it to stop within a second or two.

        Raises:
            TableError: Another process builds it, or the disk is full or read-only.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file, locked(file):
                if not self._mark(threads, progress, cancel or threading.Event()):
                    return False
            self._record_path.unlink(missing_ok=True)
            self.path.unlink()
        except BlockingIOError as failure:
            raise TableError(
                f"another process is building {self.path}: wait until it has finished"
            ) from failure
        except OSError as failure:
            raise TableError(
                f"cannot build {self.path} ({failure.strerror}): it needs "
                f"{2 * self._table.size_bytes / 1e6:.0f} MB of free disk space while it is built"
            ) from failure
        return True

    def _mark(
        self, threads: int, progress: Callable[[float], None], cancel: threading.Event
    ) -> bool:
        roots = without_images(after_turns(symmetries()[0], self._table.prefix), inverses=False)
        shape = (3, len(roots.turns))
        record = _Record.read(self._record_path, shape)
        if not record.done.any() or self.path.stat().st_size != self._table.size_bytes:
            record.done[:] = False
            _fill(self.path, self._table.size_bytes)
        grades = np.memmap(self.path, dtype=np.uint8, mode="r+")
        work = _Work(self._table, self._cosets, grades, roots, record, cancel)
        for grade in range(3):
            work.mark(grade, threads, progress)
            if cancel.is_set():
                return False
        self._store.save(self._table.tables, {"grades": grades})
        return True


def _fill(path: Path, size: int) -> None:
    """Write an unmarked table."""
    with path.open("wb") as file:
        for at in range(0, size, _PIECE):
            file.write(bytes([_UNMARKED]) * min(_PIECE, size - at))


@dataclass(slots=True)
class _Work:
    """The marking of one table by several threads."""

    table: PruningTable
    cosets: Arrays
    grades: NDArray[np.uint8]
    roots: Prefixes
    record: _Record
    cancel: threading.Event

    def mark(self, grade: int, threads: int, progress: Callable[[float], None]) -> None:
        """Mark the places of a grade from all roots; the lower grades must be complete."""
        if self.record.done[grade].all():
            return
        if grade == 0:
            self._mark_roots()
        left = iter(np.flatnonzero(~self.record.done[grade]).tolist())
        workers = [threading.Thread(target=self._run, args=(grade, left)) for _ in range(threads)]
        for worker in workers:
            worker.start()
        recorded = time.monotonic()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(_POLL_S)
                    progress(self.share)
                    if time.monotonic() - recorded > _RECORD_S:
                        self._keep()
                        recorded = time.monotonic()
        except BaseException:  # also if the caller is interrupted
            self.cancel.set()
            raise
        finally:
            for worker in workers:
                worker.join()
            self._keep()

    @property
    def share(self) -> float:
        """Share of the work that is done."""
        weights = _BRANCHING ** np.arange(-2.0, 1.0)
        return float(self.record.done.mean(axis=1) @ weights / weights.sum())

    def _keep(self) -> None:
        done = self.record.done.copy()  # before the file is synchronised, not after
        self.grades.flush()
        self.record.write(done)

    def _mark_roots(self) -> None:
        """Mark the solved cube, and all positions up to the roots."""
        kernel, context = self._kernel(0)
        solved = after_turns(symmetries()[0], 0)
        context[layout.REST] = self.table.prefix
        context[layout.POSITION] = position_words(solved.cubies)[0]
        context[layout.FIRST_TURNS] = solved.followers[0]
        kernel(context.ctypes.data)

    def _run(self, grade: int, numbers: Iterator[int]) -> None:
        kernel, context = self._kernel(grade)
        context[layout.REST] = self.table.base + grade - self.table.prefix
        words = position_words(self.roots.cubies)
        for number in numbers:
            if self.cancel.is_set():
                return
            context[layout.POSITION] = words[number]
            context[layout.FIRST_TURNS] = self.roots.followers[number]
            kernel(context.ctypes.data)
            self.record.done[grade, number] = True

    def _kernel(self, grade: int) -> tuple[Callable[[int], int], NDArray[Any]]:
        """Return the compiled function, and a context for it."""
        from solver.kernels.machine_code import machine_function

        context = coset_context(self.cosets, self.grades, self.table)
        context[layout.GRADE] = grade
        return machine_function("optimal.marking", "mark_from"), context
