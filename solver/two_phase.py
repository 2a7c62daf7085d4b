"""The two-phase tables as the compiled search sees them, and one run of that search.

The chain G0>G1>G2>G3>G4 is walked with its stages merged in pairs, G0>G2>G4, in six directions
(three axes, the cube and its inverse) and with up to four premoves, shortest first.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import Move, MoveSequence
from cube.state import CubeState
from solver.cubies import of_state, symmetries
from solver.tables import Obtained, Progress, TableStore
from solver.two_phase_tables import TWO_PHASE_TABLE_SET

DIRECTIONS = 6
LEVELS, WIDEST = 64, 45
FIRST_BOUND, FIRST_CAP = 24, 12
"""A solution of at most 23 turns with at most 12 of them in phase two turns up at once."""

# from which level on premoves of so many turns pay, and the budget in ms that this needs
_SCHEDULE = ((0, 1, 0.0), (9, 2, 0.0), (10, 3, 3.0), (12, 4, 30.0))
_ADDRESSED = (
    *("class_moves", "twist_moves", "twist_conjugates", "phase_one", "near_filter"),
    *(
        "nearest_filter",
        "near_keys",
        "near_values",
        "endings",
        "symmetry_products",
        "frame_turns",
        "raw_turns",
        "allowed",
    ),
    *("corner_moves", "corner_distances", "corner_slice_distances", "corner_classes"),
    *("edge_conjugates", "edge_moves", "slice_moves", "phase_two", "corner_names", "slice_names"),
    *("flip_slices", "slice_numbers", "move_rows", "rotations", "premove_rows", "premoves"),
)
"""The arrays whose addresses start a context, in the order of its slots."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One metric's search: its tables at their addresses, and how to read what it found.

    Attributes:
        arrays: The tables; they live as long as the engine.
        context: Their addresses in the slots of the compiled search.
        search: The compiled search.
        schedule: (level, longest premoves, least budget in ms): what pays from which level on.
        first_bound: Only solutions that cost less are looked for.
        first_cap: Cost of phase two at most, so that the first solution comes soon.
        premove_turns: Reads a premove word and a variant into single turns that end a solution.
        source: Where the tables came from.
        symmetry: Number of the rotation through which the cube is looked at.
        directions: Those to search, of three axes of the cube and three of its inverse.
    """

    arrays: Mapping[str, NDArray[Any]]
    context: NDArray[np.int64]
    search: Callable[[int], int]
    schedule: tuple[tuple[int, int, float], ...]
    first_bound: int
    first_cap: int
    premove_turns: Callable[[int, int], list[int]]
    source: Obtained
    symmetry: int = 0
    directions: tuple[int, ...] = tuple(range(DIRECTIONS))

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
    from solver.kernels import two_phase as kernel  # noqa: PLC0415 - numba loads when needed

    obtained = (store or TableStore()).obtain(TWO_PHASE_TABLE_SET, progress)
    arrays = dict(obtained.arrays)
    context = np.zeros(kernel.CONTEXT_SIZE, dtype=np.int64)
    for slot, name in enumerate(_ADDRESSED):
        context[slot] = arrays[name].ctypes.data
    context[kernel.SYMMETRY_ROWS] = arrays["symmetry_rows"].ctypes.data
    context[kernel.UNIT] = 1
    return Engine(
        arrays,
        context,
        kernel.search,
        _SCHEDULE,
        FIRST_BOUND,
        FIRST_CAP,
        _premove_turns,
        obtained,
    )


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
        from solver.kernels import two_phase as kernel  # noqa: PLC0415 - numba loads when needed

        self._kernel = kernel
        self._engine = engine
        self._budget_ns = int(budget_ms * 1e6)
        cubies = of_state(state)
        if engine.symmetry:
            rotation = symmetries()[engine.symmetry]
            cubies = rotation * cubies * rotation.inverse()
        self._row = cubies.row()
        self._levels = engine.premoves_by_level(budget_ms)
        self._roots = np.zeros(DIRECTIONS * int(self._levels.max()), dtype=np.uint64)
        self._shared = np.zeros(kernel.SHARED_SIZE, dtype=np.int64)
        for slot, value in (
            (kernel.BEST, engine.first_bound),
            (kernel.CAP, engine.first_cap),
            (kernel.CAPPED, engine.first_bound),
        ):
            self._shared[slot] = value
        self._proven = [False] * threads
        self._cpu_ms = [0.0] * threads
        self._nodes = [0] * threads

    def run(self, thread: int = 0, started_ns: int | None = None) -> None:
        """Search in the calling thread until the end; its processor time counts from the start."""
        kernel = self._kernel
        started = thread_clock_ns() if started_ns is None else started_ns
        context = self._engine.context.copy()
        work = np.zeros(WORK_BYTES, dtype=np.uint8)
        offset = work.ctypes.data
        for slot, size in _WORK:
            context[getattr(kernel, slot)] = offset
            offset += size
        work[: len(self._row)] = self._row
        context[kernel.CLOCK_KIND] = CLOCK_KIND
        context[kernel.DEADLINE_NS] = started + self._budget_ns
        context[kernel.SHARED] = self._shared.ctypes.data
        context[kernel.ROOT_CACHE] = self._roots.ctypes.data
        context[kernel.LEVELS] = self._levels.ctypes.data
        address = context.ctypes.data
        kernel.prepare(address)
        kernel.find_symmetries(address)
        if len(self._engine.directions) < DIRECTIONS:
            start = context[kernel.SELVES] - work.ctypes.data
            chosen = np.isin(np.arange(DIRECTIONS), self._engine.directions)
            work[start : start + 8 * DIRECTIONS].view(np.int64)[:] = chosen
        self._proven[thread] = bool(self._engine.search(address))
        self._nodes[thread] = int(context[kernel.NODES])
        self._cpu_ms[thread] = (thread_clock_ns() - started) / 1e6

    def stop(self) -> None:
        """Make every thread end soon."""
        self._shared[self._kernel.STOP] = 1

    @property
    def found(self) -> int:
        """How many solutions, each better than the last, there have been."""
        return int(self._shared[self._kernel.FOUND])

    def outcome(self) -> Outcome:
        """The best of this moment; safe while the threads run."""
        shared, kernel = self._shared, self._kernel
        while True:  # take a copy that no thread wrote to in the meantime
            before = self.found
            copy = shared.copy()
            if copy[kernel.LOCK] == 0 and before == copy[kernel.FOUND] == self.found:
                break
        ended = all(self._proven) and not copy[kernel.STOP]
        proven = bool(ended and copy[kernel.BEST] <= copy[kernel.CAPPED])
        moves = self._moves(copy) if copy[kernel.FOUND] else None
        return Outcome(moves, proven, sum(self._cpu_ms), sum(self._nodes))

    def _moves(self, shared: NDArray[np.int64]) -> MoveSequence:
        kernel, arrays = self._kernel, self._engine.arrays
        direction = int(shared[kernel.FOUND_DIRECTION])
        word = int(arrays["premoves"][shared[kernel.FOUND_PREMOVE]])
        premoves = self._engine.premove_turns(word, int(shared[kernel.FOUND_VARIANT]))
        length = int(shared[kernel.FOUND_LENGTH])
        turns = [*shared[kernel.FOUND_TURNS :][:length].tolist(), *premoves]
        back = np.argsort(arrays["axis_turns"][direction % 3]).tolist()
        moves = MoveSequence(tuple(Move.from_index(back[turn]) for turn in turns))
        return (moves.inverse() if direction >= 3 else moves).simplified()


_WORK = (
    ("ROWS", 240),
    ("ROOT", 40),
    ("PATH", 64),
    ("STACK", LEVELS * 18 * 8),
    ("CLOCK", 16),
    ("SELVES", 48),
)
WORK_BYTES = sum(size for _, size in _WORK)

if sys.platform == "win32":
    CLOCK_KIND = 100  # nanoseconds a tick of the performance counter

    def thread_clock_ns() -> int:
        """The clock of the budgets: the wall's, for want of a fine clock of the thread."""
        return time.perf_counter_ns()

else:
    CLOCK_KIND = time.CLOCK_THREAD_CPUTIME_ID

    def thread_clock_ns() -> int:
        """The clock of the budgets: processor time of the calling thread."""
        return time.thread_time_ns()


def run_in_threads(run: TwoPhaseRun, threads: int) -> list[threading.Thread]:
    """Start the search in threads of its own."""
    started = [threading.Thread(target=run.run, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    return started
