"""One state being searched, until its time is over, the caller stops it or nothing is shorter.

The chain G0>G1>G2>G3>G4 is walked with its stages merged in pairs, G0>G2>G4, in six directions
(three axes, the cube and its inverse) and with up to four premoves, shortest first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cube.moves import MoveSequence
from cube.state import CubeState
from solver.clock import thread_clock_ns
from solver.cubies import of_state, symmetries
from solver.kernels import slots
from solver.kernels.context import (
    PATH_BYTES,
    ROW_BYTES,
    found_turns,
    set_clock,
    set_slots,
    shared_array,
)
from solver.search.engine import DIRECTIONS, Engine
from solver.turns import moves_seen

_WORK = {
    slots.ROOT: ROW_BYTES,
    slots.PATH: PATH_BYTES,
    slots.STACK: slots.MOST_LEVELS * slots.MOVES * 8,
}
"""Room that a thread needs for itself, in bytes."""


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
        self._shared = shared_array(engine.tuning.first_bound)
        self._shared[slots.CAPPED] = engine.tuning.first_bound
        self._shared[slots.CAP] = engine.tuning.first_cap
        self._proven = [False] * threads
        self._cpu_ms = [0.0] * threads
        self._nodes = [0] * threads

    def run(self, thread: int = 0, started_ns: int | None = None) -> None:
        """Search in the calling thread until the end; its processor time counts from the start."""
        started = thread_clock_ns() if started_ns is None else started_ns
        context = self._engine.context.copy()
        work = {slot: np.zeros(size, dtype=np.uint8) for slot, size in _WORK.items()}
        rows, selves = np.zeros(DIRECTIONS * ROW_BYTES, np.uint8), np.zeros(DIRECTIONS, np.int64)
        rows[:ROW_BYTES] = self._row
        set_slots(context, {**work, slots.ROWS: rows, slots.SELVES: selves})
        set_slots(context, {slots.SHARED: self._shared, slots.LEVELS: self._levels})
        context[slots.ROOT_CACHE], clock = self._roots.ctypes.data, np.zeros(2, dtype=np.int64)
        set_clock(context, clock, started + self._budget_ns)
        address = context.ctypes.data
        kernel = self._engine.kernel
        kernel.prepare(address)
        kernel.find_symmetries(address)
        if len(self._engine.directions) < DIRECTIONS:
            selves[:] = np.isin(np.arange(DIRECTIONS), self._engine.directions)
        for number, unit in enumerate(self._engine.units):
            context[slots.UNIT], context[slots.PASS] = unit, number
            context[slots.LEVEL] = context[slots.BEFORE] = 0
            self._proven[thread] = bool(kernel.search(address))
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
        direction = int(shared[slots.FOUND_DIRECTION])
        seen = self._engine.arrays["axis_turns"][direction % 3]
        return moves_seen(found_turns(shared), seen, inverse=direction >= 3).simplified()
