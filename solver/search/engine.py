"""A search: its tables at their addresses, its run, and the reading of its results.

A run ends when its time is over, the caller stops it or nothing is shorter.

The chain G0>G1>G2>G3>G4 is searched with its stages merged in pairs, G0>G2>G4, in six directions
(three axes, the cube and its inverse) and with up to four premoves, shortest first.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import MoveSequence
from cube.state import CubeState
from solver.clock import CLOCK_KIND, thread_clock_ns
from solver.cubies import moves_seen, of_state, symmetries
from solver.kernels import slots
from solver.kernels.slots import PATH_BYTES, ROW_BYTES, found_turns, set_slots
from solver.search.directions import DIRECTIONS, different, direction_tables, six_cubes
from solver.search.step_costs import StepCosts
from solver.search.tables.axial import Cut
from solver.search.tables.axial_turns import (
    far_turns,
    longer_turns,
    turns_costing,
    turns_themselves,
    value_turns,
)
from solver.search.tables.symmetry_coordinates import TURN_TABLE_SET
from solver.tables import Obtained, Progress, TableSet, TableStore

_KERNEL = "axial.search", "search"
Schedule = tuple[tuple[int, int, float], ...]
"""For each level: the level, the longest premoves worth trying, and their minimum budget in ms."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search along G0>G2>G4, with the costs of turns, its tables and its start.

    Attributes:
        cut: The costs of turns, and the corresponding limits of the distance tables.
        first_bound: Only solutions that cost less are searched.
        first_cap: Maximum cost of phase two, so that the first solution comes soon.
        schedule: When premoves are worthwhile.
    """

    cut: Cut
    first_bound: int
    first_cap: int
    schedule: Schedule

    def premoves_by_level(self, counts: NDArray[np.int64], budget_ms: float) -> NDArray[np.int64]:
        """Return the number of premove sequences in use at each level, shape (MOST_LEVELS,).

        Args:
            counts: The number of sequences up to each length.
            budget_ms: Processor time.
        """
        numbers = np.empty(slots.MOST_LEVELS, dtype=np.int64)
        for level, longest, least_ms in self.schedule:
            if budget_ms >= least_ms:
                numbers[level:] = counts[longest]
        return numbers

    @property
    def tables(self) -> TableSet:
        """Its distance tables."""
        return self.cut.tables

    def load(self, store: TableStore, progress: Progress | None = None) -> "Engine":
        """Prepare the search; missing tables are built, missing machine code is compiled.

        Args:
            store: The storage of the tables.
            progress: Called with the share, 0 to 1, of the building done; 0 before compiling.

        Raises:
            TableError: The tables could not be built.
        """
        from solver.kernels.machine_code import is_compiled, machine_function

        if progress is not None and not is_compiled(*_KERNEL):
            progress(0.0)
        kernel = machine_function(*_KERNEL)
        sources = (store.obtain(TURN_TABLE_SET), store.obtain(self.tables, progress))
        arrays = {name: array for source in sources for name, array in source.arrays.items()}
        costs, measure = self.cut.costs(), StepCosts.even(self.cut.prices.costs())
        arrays |= {
            "twist_moves": value_turns(arrays["twist_moves"]),
            "near_filter": arrays["near_filters"],
            "itself": turns_themselves(arrays["axis_turns"]),
            "corner_distances": arrays["corner_bounds"][0, 0],
            "turns_costing": turns_costing(costs),
            "longer_turns": longer_turns(costs),
            **measure.arrays,
        }
        context = context_of(arrays)
        set_slots(
            context,
            {
                slots.NEAR_RADIUS: self.cut.near,
                slots.GRADES: self.cut.grades,
                slots.PAIR_RADIUS: self.cut.pairs,
                slots.RETURN: self.cut.back,
                slots.DEAREST: len(arrays["turns_costing"]) - 1,
                slots.FAR_TURNS: far_turns(costs),
                **measure.numbers,
            },
        )
        return Engine(self, arrays, context, kernel, sources, self.first_bound)


@dataclass(frozen=True, slots=True)
class Engine:
    """A search that is ready to run.

    Attributes:
        search: The search.
        arrays: The tables; they live as long as the engine.
        context: Their addresses in the slots of the compiled search.
        kernel: The compiled search: takes the address of a context, and returns 1 if nothing is
            better than the best.
        sources: Whether each table was stored or built.
        first_bound: Only solutions that cost less, in the unit of the measure, are searched.
        symmetry: Number of the rotation applied to the cube.
        directions: The directions to search, as bits; None: all that are not alike by symmetry.
        units: The value of a unit of cost in the measure of the best solution: a guess, and the
            minimum; or the minimum alone.
    """

    search: Search
    arrays: Mapping[str, NDArray[Any]]
    context: NDArray[np.int64]
    kernel: Callable[[int], int]
    sources: tuple[Obtained, ...]
    first_bound: int
    symmetry: int = 0
    directions: int | None = None
    units: tuple[int, ...] = (1,)

    def notes(self) -> tuple[str, ...]:
        """Notes about rebuilt or unstored tables, one sentence each."""
        return tuple(dict.fromkeys(source.note for source in self.sources if source.note))


def context_of(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.int64]:
    """Return the context of the compiled search, with the addresses of the existing tables."""
    context = np.zeros(slots.CONTEXT_SIZE, dtype=np.int64)
    named = {slots.TABLES[name]: arrays[name] for name in slots.TABLES.keys() & arrays.keys()}
    set_slots(context, named)
    return context


_WORK = {
    slots.CLOCK: 16,
    slots.ROOT: ROW_BYTES,
    slots.PATH: PATH_BYTES,
    slots.STACK: slots.MOST_LEVELS * slots.COST_LIMIT * 8,
    slots.CHILDREN: slots.MOST_CHILDREN * 16,
    slots.AXES: slots.TOGETHER_EXPANDED * 3 * 8,
    slots.CANDIDATES: slots.MOST_CANDIDATES * 80,
    slots.ITEMS: slots.MOST_ITEMS * 16,
    slots.ENDS: 2 * 16 * 8,
    slots.AXIAL_PATH: PATH_BYTES,
}
"""Memory of a thread, in bytes; one array, because each address takes a while."""
_WORK_SLOTS = np.array(list(_WORK))
_WORK_PLACES = np.cumsum([0, *_WORK.values()])
_COMMON = np.array([slots.SHARED, slots.LEVELS, slots.ROOT_CACHE])
_CLOCK = np.array([slots.CLOCK_KIND, slots.DEADLINE_NS])


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The result of a run so far: the best moves, if any, and whether nothing is shorter."""

    moves: MoveSequence | None
    proven: bool
    cpu_ms: float
    nodes: int


class Run:
    """One state, searched by any number of threads until time, caller or proof ends it."""

    def __init__(
        self, engine: Engine, state: CubeState, budget_ms: float, threads: int = 1
    ) -> None:
        self._engine = engine
        self._budget_ns = int(budget_ms * 1e6)
        cubies = of_state(state)
        if engine.symmetry:
            rotation = symmetries()[engine.symmetry]
            cubies = rotation * cubies * rotation.inverse()
        arrays = engine.arrays
        self._rows = six_cubes(cubies, arrays["rotations"])
        self._tables = direction_tables(self._rows)
        self._directions = engine.directions
        if self._directions is None:
            self._directions = different(self._rows, arrays["symmetry_rows"])
        levels = engine.search.premoves_by_level(engine.arrays["premove_counts"], budget_ms)
        roots = DIRECTIONS * int(levels.max())
        self._common = np.zeros(slots.SHARED_SIZE + len(levels) + roots, dtype=np.int64)
        self._common[slots.SHARED_SIZE :][: len(levels)] = levels
        self._shared = self._common[: slots.SHARED_SIZE]
        bound, cap = engine.first_bound, engine.search.first_cap
        self._shared[[slots.BEST, slots.CAPPED, slots.CAP]] = bound, bound, cap
        self._proven = [False] * threads
        self._cpu_ms = [0.0] * threads
        self._nodes = [0] * threads

    def run(self, thread: int = 0, started_ns: int | None = None) -> None:
        """Search in the calling thread until the end; its processor time counts from the start."""
        started = thread_clock_ns() if started_ns is None else started_ns
        context, work = self._engine.context.copy(), np.empty(_WORK_PLACES[-1], dtype=np.uint8)
        context[_WORK_SLOTS] = _WORK_PLACES[:-1] + work.ctypes.data
        common = self._common.ctypes.data
        levels = common + 8 * slots.SHARED_SIZE
        context[_COMMON] = common, levels, levels + 8 * slots.MOST_LEVELS
        context[_CLOCK] = CLOCK_KIND, started + self._budget_ns
        shared = {slots.ROWS: self._rows, slots.DIRECTION_TABLES: self._tables}
        set_slots(context, {**shared, slots.DIRECTIONS: self._directions, slots.ROOT_NUMBER: -1})
        address = context.ctypes.data
        for number, unit in enumerate(self._engine.units):
            context[slots.UNIT], context[slots.PASS] = unit, number
            context[slots.LEVEL] = context[slots.BEFORE] = 0
            self._proven[thread] = bool(self._engine.kernel(address))
            if not self._proven[thread]:
                break
        self._nodes[thread] = int(context[slots.NODES])
        self._cpu_ms[thread] = (thread_clock_ns() - started) / 1e6

    def stop(self) -> None:
        """Make every thread end soon."""
        self._shared[slots.STOP] = 1

    def outcome(self) -> SearchOutcome:
        """Return the best so far; safe while the threads run."""
        shared = self._shared
        while True:  # repeat until no thread wrote during the copy
            before = shared[slots.FOUND]
            copy = shared.copy()
            if copy[slots.LOCK] == 0 and before == copy[slots.FOUND] == shared[slots.FOUND]:
                break
        ended = all(self._proven) and not copy[slots.STOP]
        proven = bool(ended and copy[slots.BEST] <= copy[slots.CAPPED])
        moves = self._moves(copy) if copy[slots.FOUND] else None
        return SearchOutcome(moves, proven, sum(self._cpu_ms), sum(self._nodes))

    def _moves(self, shared: NDArray[np.int64]) -> MoveSequence:
        direction = int(shared[slots.FOUND_DIRECTION])
        seen = self._engine.arrays["axis_turns"][direction % 3]
        return moves_seen(found_turns(shared), seen, inverse=direction >= 3).simplified()
