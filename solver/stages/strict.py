"""The shortest solution whose four stages are each as short as possible.

Twelve variants are tried: six orientations of the chain, the cube and its inverse. A solution of
the inverse, reversed, solves the cube, but passes the subgroups in the opposite order: it begins
with the half turns. Such an answer is marked, and its stages are those of the inverse, each
inverted, which are as short as possible; the cube's own are not. With ``backwards=False`` only the
six orientations are used, and every answer follows G0>G1>G2>G3>G4.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from cube.moves import htm
from cube.state import SOLVED, CubeState
from solver.clock import CLOCK_KIND, thread_clock_ns
from solver.cubies import allowed_turns, conjugate_moves, moves_seen
from solver.errors import SolverError, TableError
from solver.kernels import slots
from solver.kernels.slots import PATH_BYTES, ROW_BYTES, found_turns, set_slots
from solver.stages.solution import Solution
from solver.stages.stage_tables import StageTables
from solver.stages.subgroup_chain import ALL_CHAINS, Chain
from solver.stages.thistlethwaite import MAX_MOVES, ThistlethwaiteSolver, require_solvable


class StrictSolver:
    """Follows every stage-optimal chain until its time is over."""

    def __init__(self, tables: StageTables) -> None:
        from solver.kernels import strict as kernel

        self._kernel = kernel
        self._greedy = ThistlethwaiteSolver(tables)
        self._kept = (tables, allowed_turns())
        self._context = np.zeros(kernel.STRICT_CONTEXT_SIZE, dtype=np.int64)
        for stage in range(4):
            values = {
                kernel.A_MOVES: tables.a_moves[stage],
                kernel.B_MOVES: tables.b_moves[stage],
                kernel.DISTANCES: tables.distances[stage],
                kernel.LOOKUPS: tables.lookups[stage],
                kernel.SIZES: len(tables.b_moves[stage]),
                kernel.TURNS: sum(1 << int(turn) for turn in tables.turns[stage]),
            }
            set_slots(self._context, {slot + stage: value for slot, value in values.items()})
        own = {kernel.ALLOWED: self._kept[1], slots.MOVE_ROWS: tables.move_rows}
        set_slots(self._context, {**own, slots.UNIT: 1, slots.NEXT_CHECK: slots.CHECK_EVERY})

    def solve(
        self, state: CubeState, budget_ms: float = 20.0, *, backwards: bool = True
    ) -> Solution:
        """Find the shortest solution by stage-optimal chains within the budget.

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
            raise SolverError(f"the budget must be above 0 ms, not {budget_ms:g}")
        require_solvable(state)
        started = thread_clock_ns()
        cubes = (state, state.inverse()) if backwards else (state,)
        directions = list(product(cubes, ALL_CHAINS))
        shared, nodes = self._search(directions, started + int(budget_ms * 1e6))
        if shared[slots.FOUND]:
            number = int(shared[slots.FOUND_DIRECTION])
            chain = directions[number][1]
            seen, inverse = conjugate_moves()[chain.symmetry], number >= len(ALL_CHAINS)
            moves = moves_seen(found_turns(shared), seen, inverse=inverse)
            moves = min(moves, moves.simplified(), key=len)  # stage by stage, unless turns meet
            if state.apply(moves) != SOLVED:
                raise TableError("the stage tables gave a wrong solution: remove and rebuild them")
        else:  # the budget was too short for any solution
            greedy = self._greedy.solve(state)
            moves, chain, inverse = greedy.moves, greedy.chain, False
        return Solution(
            state,
            moves,
            chain=chain,
            value=htm(moves),
            proven_optimal=len(moves) <= 1,
            cpu_ms=(thread_clock_ns() - started) / 1e6,
            nodes=nodes,
            of_inverse=inverse,
        )

    def _search(
        self, directions: list[tuple[CubeState, Chain]], deadline_ns: int
    ) -> tuple[NDArray[np.int64], int]:
        """Search all directions until the deadline; return the result and the node count."""
        kernel, context = self._kernel, self._context.copy()
        shared, clock = np.zeros(slots.SHARED_SIZE, dtype=np.int64), np.zeros(2, dtype=np.int64)
        shared[slots.BEST] = MAX_MOVES + 1  # only better solutions are searched
        path, rows = np.zeros(PATH_BYTES, np.uint8), np.zeros((5, ROW_BYTES), np.uint8)
        entries = np.zeros((kernel.MOST_ENTRIES, kernel.ENTRY_BYTES), dtype=np.uint8)
        work = {slots.PATH: path, kernel.STAGE_ROWS: rows, kernel.ENTRIES: entries}
        time = {slots.CLOCK: clock, slots.CLOCK_KIND: CLOCK_KIND, slots.DEADLINE_NS: deadline_ns}
        set_slots(context, {**work, **time, slots.SHARED: shared})
        address = context.ctypes.data
        for number, (cube, chain) in enumerate(directions):
            rows[0] = chain.seen(cube).row()
            if kernel.first_half(address, number):
                break
        found = entries[: context[kernel.ENTRY_COUNT], kernel.ENTRY_SUM]
        order = np.argsort(found, kind="stable").astype(np.int32)
        kernel.second_half(address, order.ctypes.data)
        return shared, int(context[slots.NODES])
