"""The pruning tables of the optimal search, and their construction.

The half turns keep the solved cube's coset. So the construction starts from the distinct cosets
some turns away, of which there are far fewer than states, and visits everything beyond depth first.
Marks are never undone and may be repeated, so threads share the table.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.coordinates import rank_orientations
from solver.cubies import MOVES, Cubies, symmetries
from solver.errors import TableError
from solver.kernels.optimal import layout
from solver.kernels.slots import set_slots
from solver.search.tables.cosets import SLICE_OF_EDGE, rank_slicings, rank_tetrads
from solver.search.tables.prefixes import after_turns
from solver.search.tables.symmetry_coordinates import Table
from solver.search.threads import run_threads
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

_UNMARKED = 0xFF
_POLL_S = 0.2
_BRANCHING = 13.35
"""Factor between the numbers of positions at successive depths."""


def _never(_progress: Progress) -> Arrays:
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
        """The table set; `grow` builds it, and only on request."""
        return TableSet(f"optimal-{self.flips}-{self.base}", 1, _never)


SIZES = {128.0: PruningTable(2, 8), 512.0: PruningTable(4, 8), 2000.0: PruningTable(6, 8)}
"""The tables by their sizes in megabytes, rounded up."""
DEFAULT_MB = 512.0
"""The size to build if the user does not name one."""


def position_words(rows: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return positions without a last turn, as in `solver.kernels.optimal.coset`; (n, 40) to (n,).

    Args:
        rows: In the form of `Cubies.row`.
    """
    cubies = Cubies.of_rows(rows)
    words = rank_orientations(cubies.twists, 3) | rank_orientations(cubies.flips, 2) << 12
    words |= rank_tetrads(cubies.corners) << 23
    return words | rank_slicings(SLICE_OF_EDGE[cubies.edges]) << 30


def coset_context(cosets: Arrays, grades: NDArray[np.uint8], table: PruningTable) -> NDArray[Any]:
    """Return a context of the compiled functions, with the addresses of the tables."""
    context = np.zeros(layout.CONTEXT_SLOTS, dtype=np.int64)
    set_slots(context, {slot: cosets[name] for slot, name in enumerate(layout.TABLES)})
    kept = {layout.KEPT_FLIPS: table.flips, layout.BASE: table.base}
    set_slots(context, {layout.GRADES: grades, **kept})
    return context


def grow(
    table: PruningTable,
    cosets: Arrays,
    threads: int,
    progress: Callable[[float], None] = lambda _: None,
) -> Arrays:
    """Build a pruning table.

    Args:
        table: The size.
        cosets: The tables of the coordinates.
        threads: Number of threads.
        progress: Called with the share done, 0 to 1.
    """
    grades = np.full(table.size_bytes, _UNMARKED, dtype=np.uint8)
    work = _Work(table, cosets, grades, distant_cosets(cosets, table.prefix))
    for grade in range(3):
        work.mark(grade, threads, progress)
    return {"grades": grades}


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
    positions = position_words(symmetries()[0].row()[None])
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


@dataclass(slots=True)
class _Work:
    """The marking of one table by several threads."""

    table: PruningTable
    cosets: Arrays
    grades: NDArray[np.uint8]
    roots: DistantCosets
    begun: int = 0
    stopped: bool = False

    def mark(self, grade: int, threads: int, progress: Callable[[float], None]) -> None:
        """Mark the places of a grade from all roots; the lower grades must be complete."""
        if grade == 0:
            self._mark_roots()
        weights = _BRANCHING ** np.arange(3.0)
        numbers, count = iter(range(len(self.roots.positions))), len(self.roots.positions)

        def look() -> None:
            done = weights[:grade].sum() + weights[grade] * self.begun / count
            progress(float(done / weights.sum()))

        run_threads([partial(self._run, grade, numbers)] * threads, _POLL_S, look, self._stop)

    def _stop(self) -> None:
        self.stopped = True

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
            if self.stopped:
                return
            self.begun = number
            context[layout.POSITION] = self.roots.positions[number]
            context[layout.FIRST_TURNS] = self.roots.farther[number]
            kernel(context.ctypes.data)

    def _kernel(self, grade: int) -> tuple[Callable[[int], int], NDArray[Any]]:
        """Return the compiled function, and a context for it."""
        from solver.kernels.machine_code import machine_function

        context = coset_context(self.cosets, self.grades, self.table)
        context[layout.GRADE] = grade
        return machine_function("optimal.marking", "mark_from"), context
