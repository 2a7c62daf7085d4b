"""One state being searched, until its time is over, the caller stops it or nothing is shorter.

The chain G0>G1>G2>G3>G4 is walked with its stages merged in pairs, G0>G2>G4, in six directions
(three axes, the cube and its inverse) and with up to four premoves, shortest first.
"""

import importlib
import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cube.moves import Move, MoveSequence
from cube.state import CubeState
from solver.clock import CLOCK_KIND, thread_clock_ns
from solver.cubies import of_state, symmetries
from solver.kernels import slots
from solver.search.engine import DIRECTIONS, Engine

_WORK = (
    (slots.ROWS, 240),
    (slots.ROOT, 40),
    (slots.PATH, 64),
    (slots.STACK, slots.MOST_LEVELS * slots.MOVES * 8),
    (slots.CLOCK, 16),
    (slots.SELVES, 48),
)
WORK_BYTES = sum(size for _, size in _WORK)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has found so far: the best moves, if any, and whether nothing is shorter."""

    moves: MoveSequence | None
    proven: bool
    cpu_ms: float
    nodes: int


class Run:
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
            (slots.BEST, engine.tuning.first_bound),
            (slots.CAP, engine.tuning.first_cap),
            (slots.CAPPED, engine.tuning.first_bound),
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
            context[slots.LEVEL] = context[slots.BEFORE] = 0
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
        turns = shared[slots.FOUND_TURNS :][: shared[slots.FOUND_LENGTH]].tolist()
        back = np.argsort(arrays["axis_turns"][direction % 3]).tolist()
        moves = MoveSequence(tuple(Move.from_index(back[turn]) for turn in turns))
        return (moves.inverse() if direction >= 3 else moves).simplified()


def run_in_threads(run: Run, threads: int) -> list[threading.Thread]:
    """Start the search in threads of its own."""
    started = [threading.Thread(target=run.run, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    return started
