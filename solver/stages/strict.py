"""The shortest solution whose four stages are each as short as they can be.

Twelve ways are tried: six orientations of the chain, the cube and its inverse. A solution of the
inverse, read backwards, is one of the cube, but goes through the subgroups the other way round:
the stages of such an answer are where the cube lies in G1, G2 and G3 for good (see
`solver.stages.solution.annotate`). With ``backwards=False`` only the six orientations are used, and
every answer walks G0>G1>G2>G3>G4.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from cube.metrics import htm
from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState
from solver.clock import CLOCK_KIND, thread_clock_ns
from solver.cubies import conjugate_moves
from solver.errors import SolverError, TableError
from solver.kernels import slots
from solver.premoves import allowed_turns
from solver.stages.chain import ALL_CHAINS, Chain
from solver.stages.solution import Solution
from solver.stages.stage_tables import StageTables
from solver.stages.thistlethwaite import MAX_MOVES, ThistlethwaiteSolver, require_solvable

_ROW, _PATH, _ROWS = 40, 64, 5 * 40
_CLOCK = 16


class StrictSolver:
    """Follows every stage-optimal chain until its time is over."""

    def __init__(self, tables: StageTables) -> None:
        from solver.kernels import stages  # noqa: F401 - so the greedy walk is compiled
        from solver.kernels import strict as kernel

        self._kernel = kernel
        self._greedy = ThistlethwaiteSolver(tables)
        self._kept = (tables, allowed_turns())
        context = np.zeros(kernel.STRICT_CONTEXT_SIZE, dtype=np.int64)
        for stage in range(4):
            for slot, array in (
                (kernel.A_MOVES, tables.a_moves[stage]),
                (kernel.B_MOVES, tables.b_moves[stage]),
                (kernel.DISTANCES, tables.distances[stage]),
                (kernel.LOOKUPS, tables.lookups[stage]),
            ):
                context[slot + stage] = array.ctypes.data
            context[kernel.SIZES + stage] = len(tables.b_moves[stage])
            context[kernel.TURNS + stage] = sum(1 << int(turn) for turn in tables.turns[stage])
        context[slots.ALLOWED] = self._kept[1].ctypes.data
        context[slots.MOVE_ROWS] = tables.move_rows.ctypes.data
        context[slots.UNIT] = 1
        self._context = context

    def solve(
        self, state: CubeState, budget_ms: float = 20.0, *, backwards: bool = True
    ) -> Solution:
        """Solve a state as shortly as stage-optimal chains can within the budget.

        Args:
            state: What to solve.
            budget_ms: Processor time.
            backwards: Whether the inverse cube's chains count, too.

        Raises:
            InvalidCubeError: Face turns cannot solve the state.
            SolverError: The budget is not above zero.
            TableError: The tables are wrong (an internal check).
        """
        if not budget_ms > 0:
            raise SolverError(f"the budget has to be above 0 ms, not {budget_ms:g}")
        require_solvable(state)
        started = thread_clock_ns()
        kernel = self._kernel
        shared = np.zeros(slots.SHARED_SIZE, dtype=np.int64)
        shared[slots.BEST] = MAX_MOVES + 1
        work = np.zeros(_CLOCK + _PATH + _ROWS, dtype=np.uint8)
        entries = np.zeros((kernel.MOST_ENTRIES, kernel.ENTRY_BYTES), dtype=np.uint8)
        context = self._context.copy()
        for slot, value in (
            (slots.CLOCK, work.ctypes.data),
            (slots.PATH, work.ctypes.data + _CLOCK),
            (kernel.STAGE_ROWS, work.ctypes.data + _CLOCK + _PATH),
            (slots.CLOCK_KIND, CLOCK_KIND),
            (slots.DEADLINE_NS, started + int(budget_ms * 1e6)),
            (slots.NEXT_CHECK, slots.CHECK_EVERY),
            (slots.SHARED, shared.ctypes.data),
            (kernel.ENTRIES, entries.ctypes.data),
        ):
            context[slot] = value
        cubes = (state, state.inverse()) if backwards else (state,)
        for number, (cube, chain) in enumerate(product(cubes, ALL_CHAINS)):
            work[_CLOCK + _PATH :][:_ROW] = chain.seen(cube).row()
            if kernel.first_half(context.ctypes.data, number):
                break
        found = entries[: context[kernel.ENTRY_COUNT], kernel.ENTRY_SUM]
        order = np.argsort(found, kind="stable").astype(np.int32)
        kernel.second_half(context.ctypes.data, order.ctypes.data)
        if shared[slots.FOUND]:
            moves, chain = _found(shared)
            if state.apply(moves) != SOLVED:
                raise TableError("the stage tables gave a wrong solution: remove and rebuild them")
        else:  # the budget was too short for any
            greedy = self._greedy.solve(state)
            moves, chain = greedy.moves, greedy.chain
        return Solution(
            state,
            moves,
            chain=chain,
            value=htm(moves),
            proven_optimal=len(moves) <= 1,
            cpu_ms=(thread_clock_ns() - started) / 1e6,
            nodes=int(context[slots.NODES]),
        )


def _found(shared: NDArray[np.int64]) -> tuple[MoveSequence, Chain]:
    """The moves that the search found, and the chain that they follow."""
    number = int(shared[slots.FOUND_DIRECTION])
    turns = shared[slots.FOUND_TURNS :][: shared[slots.FOUND_LENGTH]].tolist()
    chain = ALL_CHAINS[number % len(ALL_CHAINS)]
    return _unseen(turns, chain.symmetry, inverse=number >= len(ALL_CHAINS)), chain


def _unseen(turns: list[int], symmetry: int, *, inverse: bool) -> MoveSequence:
    """Turns of the cube seen through a symmetry, as moves of the cube itself."""
    back = np.argsort(conjugate_moves()[symmetry]).tolist()
    moves = MoveSequence(tuple(Move.from_index(back[turn]) for turn in turns))
    return (moves.inverse() if inverse else moves).simplified()
