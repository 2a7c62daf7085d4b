"""The two-phase tables as the compiled search sees them, and one run of that search.

The chain G0>G1>G2>G3>G4 is walked with its stages merged in pairs, G0>G2>G4, in six directions
(three axes, the cube and its inverse) and with up to four premoves, shortest first.
"""

import importlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import Move, MoveSequence
from cube.state import CubeState
from solver.clock import CLOCK_KIND, thread_clock_ns
from solver.cubies import of_state, symmetries
from solver.kernels import slots
from solver.search.turn_tables import TURN_TABLE_SET
from solver.search.two_phase_tables import FIVE_FACE_TABLE_SET, TWO_PHASE_TABLE_SET
from solver.tables import Obtained, Progress, TableSet, TableStore

DIRECTIONS = 6
LEVELS = 64
Schedule = tuple[tuple[int, int, float], ...]
"""(level, longest premoves, least budget in ms): what pays from which level on."""

# schedule; the first solution costs less than this; and takes at most this in phase two
_PLAN: tuple[Schedule, int, int] = (((0, 1, 0.0), (9, 2, 0.0), (10, 3, 3.0), (12, 4, 30.0)), 24, 12)
_FIVE_PLAN: tuple[Schedule, int, int] = (
    ((0, 1, 0.0), (9, 2, 0.0), (10, 3, 3.0), (12, 4, 10.0)),
    30,
    11,
)


@dataclass(frozen=True, slots=True)
class Engine:
    """One metric's search: its tables at their addresses, and how to read what it found.

    Attributes:
        arrays: The tables; they live as long as the engine.
        context: Their addresses in the slots of the compiled search.
        search: The compiled search.
        schedule: When premoves pay.
        first_bound: Only solutions that cost less are looked for.
        first_cap: Cost of phase two at most, so that the first solution comes soon.
        premove_turns: Reads a premove word and a variant into single turns that end a solution.
        sources: Where the tables came from.
        symmetry: Number of the rotation through which the cube is looked at.
        directions: Those to search, of three axes of the cube and three of its inverse.
        units: What a unit of cost is worth in the measure of the best solution: a guess, and the
            least; or the least alone.
    """

    arrays: Mapping[str, NDArray[Any]]
    context: NDArray[np.int64]
    search: Callable[[int], int]
    schedule: Schedule
    first_bound: int
    first_cap: int
    premove_turns: Callable[[int, int], list[int]]
    sources: tuple[Obtained, ...]
    symmetry: int = 0
    directions: tuple[int, ...] = tuple(range(DIRECTIONS))
    units: tuple[int, ...] = (1,)

    def premoves_by_level(self, budget_ms: float) -> NDArray[np.int64]:
        """How many premove sequences are in use at each level, shape (LEVELS,)."""
        counts = self.arrays["premove_counts"]
        numbers = np.empty(LEVELS, dtype=np.int64)
        for level, longest, least_ms in self.schedule:
            if budget_ms >= least_ms:
                numbers[level:] = counts[longest]
        return numbers


def load_two_phase(store: TableStore | None = None, progress: Progress | None = None) -> Engine:
    """The search in the half-turn metric with the full tier of tables, built when missing.

    The tables take about 115 MB, and some 10 s on two cores to build.

    Raises:
        TableError: The tables could not be built.
    """
    return _load(TWO_PHASE_TABLE_SET, _PLAN, store, progress)


def load_five_faces(store: TableStore | None = None, progress: Progress | None = None) -> Engine:
    """The search in the half-turn metric for a cube whose face B does not turn.

    Four directions are left: two axes, the cube and its inverse. The tables take about 175 MB,
    and some 30 s on two cores to build.

    Raises:
        TableError: The tables could not be built.
    """
    return _load(FIVE_FACE_TABLE_SET, _FIVE_PLAN, store, progress)


def _load(
    tables: TableSet,
    plan: tuple[Schedule, int, int],
    store: TableStore | None,
    progress: Progress | None,
) -> Engine:
    store = store or TableStore()
    sources = (store.obtain(TURN_TABLE_SET), store.obtain(tables, progress))
    arrays = {name: array for source in sources for name, array in source.arrays.items()}
    return Engine(
        arrays,
        context_of(arrays),
        importlib.import_module("solver.kernels.two_phase").search,
        *plan,
        _premove_turns,
        sources,
    )


def context_of(arrays: Mapping[str, NDArray[Any]], size: int = 0) -> NDArray[np.int64]:
    """The context of the compiled search, with the addresses of those tables that are there."""
    context = np.zeros(max(size, slots.CONTEXT_SIZE), dtype=np.int64)
    for slot, name in enumerate(slots.TABLES):
        if name in arrays:
            context[slot] = arrays[name].ctypes.data
    if "pair_radius" in arrays:
        context[slots.PAIR_RADIUS] = arrays["pair_radius"][0]
    return context


def _premove_turns(word: int, variant: int) -> list[int]:
    turns = [word >> 8 + 5 * place & 31 for place in range(word & 7)]
    if variant & 2:
        turns[0] += 2  # the clockwise turn was replaced by its inverse
    return turns


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has found so far: the best moves, if any, and whether nothing is shorter."""

    moves: MoveSequence | None
    proven: bool
    cpu_ms: float
    nodes: int


class TwoPhaseRun:
    """One state being searched by any number of threads until time, caller or proof ends it."""

    def __init__(
        self, engine: Engine, state: CubeState, budget_ms: float, threads: int = 1
    ) -> None:
        self._engine = engine
        self._budget_ns = int(budget_ms * 1e6)
        cubies = of_state(state)
        if engine.symmetry:
            rotation = symmetries()[engine.symmetry]
            cubies = rotation * cubies * rotation.inverse()
        self._row = cubies.row()
        self._levels = engine.premoves_by_level(budget_ms)
        self._roots = np.zeros(DIRECTIONS * int(self._levels.max()), dtype=np.uint64)
        self._shared = np.zeros(slots.SHARED_SIZE, dtype=np.int64)
        for slot, value in (
            (slots.BEST, engine.first_bound),
            (slots.CAP, engine.first_cap),
            (slots.CAPPED, engine.first_bound),
        ):
            self._shared[slot] = value
        self._proven = [False] * threads
        self._cpu_ms = [0.0] * threads
        self._nodes = [0] * threads

    def run(self, thread: int = 0, started_ns: int | None = None) -> None:
        """Search in the calling thread until the end; its processor time counts from the start."""
        started = thread_clock_ns() if started_ns is None else started_ns
        context = self._engine.context.copy()
        work = np.zeros(WORK_BYTES, dtype=np.uint8)
        offset = work.ctypes.data
        for slot, size in _WORK:
            context[slot] = offset
            offset += size
        work[: len(self._row)] = self._row
        context[slots.CLOCK_KIND] = CLOCK_KIND
        context[slots.DEADLINE_NS] = started + self._budget_ns
        context[slots.SHARED] = self._shared.ctypes.data
        context[slots.ROOT_CACHE] = self._roots.ctypes.data
        context[slots.LEVELS] = self._levels.ctypes.data
        address = context.ctypes.data
        roots = importlib.import_module("solver.kernels.roots")
        roots.prepare(address)
        roots.find_symmetries(address)
        if len(self._engine.directions) < DIRECTIONS:
            start = context[slots.SELVES] - work.ctypes.data
            chosen = np.isin(np.arange(DIRECTIONS), self._engine.directions)
            work[start : start + 8 * DIRECTIONS].view(np.int64)[:] = chosen
        for number, unit in enumerate(self._engine.units):
            context[slots.UNIT], context[slots.PASS] = unit, number
            self._proven[thread] = bool(self._engine.search(address))
            if not self._proven[thread]:
                break
        self._nodes[thread] = int(context[slots.NODES])
        self._cpu_ms[thread] = (thread_clock_ns() - started) / 1e6

    def stop(self) -> None:
        """Make every thread end soon."""
        self._shared[slots.STOP] = 1

    @property
    def found(self) -> int:
        """How many solutions, each better than the last, there have been."""
        return int(self._shared[slots.FOUND])

    def outcome(self) -> Outcome:
        """The best of this moment; safe while the threads run."""
        shared = self._shared
        while True:  # take a copy that no thread wrote to in the meantime
            before = self.found
            copy = shared.copy()
            if copy[slots.LOCK] == 0 and before == copy[slots.FOUND] == self.found:
                break
        ended = all(self._proven) and not copy[slots.STOP]
        proven = bool(ended and copy[slots.BEST] <= copy[slots.CAPPED])
        moves = self._moves(copy) if copy[slots.FOUND] else None
        return Outcome(moves, proven, sum(self._cpu_ms), sum(self._nodes))

    def _moves(self, shared: NDArray[np.int64]) -> MoveSequence:
        arrays = self._engine.arrays
        direction = int(shared[slots.FOUND_DIRECTION])
        word = int(arrays["premoves"][shared[slots.FOUND_PREMOVE]])
        premoves = self._engine.premove_turns(word, int(shared[slots.FOUND_VARIANT]))
        length = int(shared[slots.FOUND_LENGTH])
        turns = [*shared[slots.FOUND_TURNS :][:length].tolist(), *premoves]
        back = np.argsort(arrays["axis_turns"][direction % 3]).tolist()
        moves = MoveSequence(tuple(Move.from_index(back[turn]) for turn in turns))
        return (moves.inverse() if direction >= 3 else moves).simplified()


_WORK = (
    (slots.ROWS, 240),
    (slots.ROOT, 40),
    (slots.PATH, 64),
    (slots.STACK, LEVELS * 18 * 8),
    (slots.CLOCK, 16),
    (slots.SELVES, 48),
)
WORK_BYTES = sum(size for _, size in _WORK)


def run_in_threads(run: TwoPhaseRun, threads: int) -> list[threading.Thread]:
    """Start the search in threads of its own."""
    started = [threading.Thread(target=run.run, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    return started
