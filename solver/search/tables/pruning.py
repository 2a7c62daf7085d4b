"""The pruning tables of the optimal search, and their construction, which can be resumed.

The half turns keep the solved cube's coset. So the construction starts from the distinct cosets
some turns away, of which there are far fewer than states, and visits everything beyond depth first.

Marks are never undone and may be repeated. So the table can be copied to a file while threads mark
it, and a killed build continues from there: a record names the cosets that were finished before.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from documents.files import write_atomically
from solver.coordinates import rank_orientations
from solver.cubies import MOVES, symmetries
from solver.errors import TableError
from solver.kernels.optimal import layout
from solver.kernels.slots import set_slots
from solver.search.tables.cosets import (
    SLICE_OF_EDGE,
    rank_slicings,
    rank_tetrads,
)
from solver.search.tables.prefixes import after_turns
from solver.search.tables.symmetry_coordinates import Table
from solver.table_files import Arrays
from solver.tables import GROWING, TableSet, TableStore

if sys.platform != "win32":
    import fcntl

_UNMARKED = 0xFF
_RECORD_S, _RECORD_FACTOR = 5.0, 25.0
"""A build is recorded after this time, or after this multiple of the time that a record takes."""
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
        prefix: Distance of the cosets that are the units of its construction.
    """

    flips: int
    base: int
    prefix: int = 6

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


SIZES = {128.0: PruningTable(2, 8), 512.0: PruningTable(4, 8), 2000.0: PruningTable(6, 8)}
"""The tables by their sizes in megabytes, rounded up."""
DEFAULT_MB = 512.0
"""The size to build if the user does not name one."""


def position_words(cubies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return positions without a last turn, as in `solver.kernels.optimal.coset`; (n, 40) to (n,).

    Args:
        cubies: Rows in the form of `Cubies.row`.
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
            with self.path.open("ab") as file, _locked(file):
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
        roots = distant_cosets(self._cosets, self._table.prefix)
        record = _Record.read(self._record_path, (3, len(roots.positions)))
        grades = np.full(self._table.size_bytes, _UNMARKED, dtype=np.uint8)
        if record.done.any() and not _refill(grades, self.path):
            record.done[:] = False
        work = _Work(self._table, self._cosets, grades, roots, record, self.path, cancel)
        for grade in range(3):
            work.mark(grade, threads, progress)
            if cancel.is_set():
                return False
        self._store.save(self._table.tables, {"grades": grades})
        return True


@contextmanager
def _locked(file: BinaryIO) -> Iterator[None]:
    """Lock a file, as long as it is open.

    Raises:
        BlockingIOError: Another process holds it.
    """
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # some network folders do not support locks
            pass
    yield


def _refill(grades: NDArray[np.uint8], path: Path) -> bool:
    """Read the table of an interrupted build; return whether it is there."""
    with path.open("rb") as file:
        return file.readinto(grades.data) == len(grades)


@dataclass(frozen=True, slots=True)
class DistantCosets:
    """One of all cosets at a distance that are alike by symmetry, and the turns that lead farther.

    Attributes:
        positions: As in `solver.kernels.optimal.coset`, int64 (n,).
        farther: Turns as bits, int64 (n,).
    """

    positions: NDArray[np.int64]
    farther: NDArray[np.int64]


def distant_cosets(cosets: Arrays, distance: int) -> DistantCosets:
    """Return the cosets at a distance from the solved cube's, up to symmetry."""
    known = [np.zeros(0, dtype=np.int64)] * 2  # keys of the last levels: turns lead no farther back
    positions = position_words(symmetries()[0].row()[None].astype(np.int64))
    keys = _keys(cosets, positions)
    for _ in range(distance):
        known = [known[-1], keys]
        turned = np.concatenate([_turned(cosets, positions, turn) for turn in range(MOVES)])
        keys, first = np.unique(_keys(cosets, turned), return_index=True)
        new = ~np.isin(keys, np.concatenate(known))
        keys, positions = keys[new], turned[first[new]]
    nearer = np.concatenate([known[-1], keys])
    farther = np.zeros(len(positions), dtype=np.int64)
    for turn in range(MOVES):
        beyond = ~np.isin(_keys(cosets, _turned(cosets, positions, turn)), nearer)
        farther |= beyond.astype(np.int64) << turn
    return DistantCosets(positions, farther)


def _fields(positions: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Return twist, flip, tetrad and slicing."""
    return (
        *(positions & 0xFFF, positions >> 12 & 0x7FF),
        *(positions >> 23 & 0x7F, positions >> 30 & 0xFFFF),
    )


def _turned(cosets: Arrays, positions: NDArray[np.int64], turn: int) -> Table:
    twist, flip, tetrad, slicing = _fields(positions)
    words = cosets["twist_moves"][twist, turn].astype(np.int64)
    words |= cosets["flip_moves"][flip, turn].astype(np.int64) << 12
    words |= cosets["tetrad_moves"][tetrad, turn].astype(np.int64) << 23
    return np.asarray(words | cosets["slicing_moves"][slicing, turn].astype(np.int64) << 30)


def _keys(cosets: Arrays, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number of each coset, the same for those alike by symmetry."""
    twist, flip, tetrad, slicing = _fields(positions)
    entry = cosets["corner_classes"][tetrad * layout.TWISTS + twist].astype(np.int64)
    own = cosets["own_symmetries"][entry >> 7]
    least = np.full(len(positions), np.iinfo(np.int64).max)
    for symmetry in range(layout.SYMMETRIES):
        alike = np.flatnonzero(own >> np.uint64(symmetry) & np.uint64(1))
        through = cosets["products"][symmetry, entry[alike] & 63]
        places = _places(cosets, entry[alike] >> 7, slicing[alike], flip[alike], through)
        least[alike] = np.minimum(least[alike], places)
    return least


def _places(
    cosets: Arrays, classes: Table, slicing: Table, flip: Table, through: Table
) -> NDArray[np.int64]:
    """Return places in a table with all flips, seen through symmetries."""
    seen = cosets["slicings_seen"][slicing, through].astype(np.int64)
    flips = cosets["flips_seen"][through, flip] ^ seen >> 16
    return np.asarray((classes * layout.SLICINGS + (seen & 0xFFFF)) << layout.FLIP_BITS | flips)


def lower_bounds(
    cosets: Arrays, grades: NDArray[np.uint8], table: PruningTable, positions: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the number of turns that positions need at least, 0 if the table does not know."""
    twist, flip, tetrad, slicing = _fields(positions)
    entry = cosets["corner_classes"][tetrad * layout.TWISTS + twist].astype(np.int64)
    places = _places(cosets, entry >> 7, slicing, flip, entry & 63)
    places >>= layout.FLIP_BITS - table.flips
    grade = grades[places >> 2] >> ((places & 3) << 1) & 3
    return np.where(grade > 0, table.base + grade, 0).astype(np.int64)


@dataclass(slots=True)
class _Work:
    """The marking of one table by several threads."""

    table: PruningTable
    cosets: Arrays
    grades: NDArray[np.uint8]
    roots: DistantCosets
    record: _Record
    path: Path
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
        due_s = time.monotonic() + _RECORD_S
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(_POLL_S)
                    progress(self.share)
                    if (begun_s := time.monotonic()) > due_s:
                        self._keep()
                        ended_s = time.monotonic()
                        due_s = ended_s + max(_RECORD_S, _RECORD_FACTOR * (ended_s - begun_s))
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
        with self.path.open("r+b") as file:
            file.write(self.grades.data)
            file.flush()
            os.fsync(file.fileno())
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
        for number in numbers:
            if self.cancel.is_set():
                return
            context[layout.POSITION] = self.roots.positions[number]
            context[layout.FIRST_TURNS] = self.roots.farther[number]
            kernel(context.ctypes.data)
            self.record.done[grade, number] = True

    def _kernel(self, grade: int) -> tuple[Callable[[int], int], NDArray[Any]]:
        """Return the compiled function, and a context for it."""
        from solver.kernels.machine_code import machine_function

        context = coset_context(self.cosets, self.grades, self.table)
        context[layout.GRADE] = grade
        return machine_function("optimal.marking", "mark_from"), context
