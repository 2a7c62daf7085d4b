"""Thistlethwaite's method: four short walks, each from one subgroup into the next.

Source: M. Thistlethwaite's 52-move algorithm as told by S3; with complete tables no stage needs
more than 7, 10, 13 and 15 moves, 45 in all.
"""

import sys
import time
from collections.abc import Callable
from typing import cast

import numpy as np

from cube.errors import InvalidCubeError
from cube.laws import examine_state
from cube.metrics import htm
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from solver.cubies import conjugate_moves
from solver.errors import TableError
from solver.stages import descent
from solver.stages.chain import ALL_CHAINS, Chain
from solver.stages.solution import Solution
from solver.stages.stage_tables import MAX_DEPTHS, StageTables
from solver.turns import moves_seen

MAX_MOVES = sum(MAX_DEPTHS)


def require_solvable(state: CubeState) -> None:
    """Refuse a state that no face turns can solve.

    Raises:
        InvalidCubeError: The message says which laws are broken.
    """
    problems = examine_state(state).problems
    if problems:
        raise InvalidCubeError(
            "this cube cannot be solved by turning faces: " + "; ".join(p.text for p in problems)
        )


def _compiled_descend() -> Callable[..., int] | None:
    """The compiled walk when its module is loaded already; loading it takes long."""
    module = sys.modules.get("solver.stages.compiled_descent")
    return None if module is None else cast("Callable[..., int] | None", module.descend)


class ThistlethwaiteSolver:
    """Solves any cube in at most 45 moves, in well under a millisecond.

    Each stage is as short as it can be; of the six orientations of the chain, the one whose
    simplified solution is shortest is taken.
    """

    def __init__(self, tables: StageTables) -> None:
        self._tables = tables

    def solve(self, state: CubeState, chain: Chain | None = None) -> Solution:
        """Solve a state, in one orientation of the chain or in the best of the six.

        Raises:
            InvalidCubeError: Face turns cannot solve the state.
            TableError: The tables are wrong (an internal check).
        """
        require_solvable(state)
        started = time.thread_time()
        chains = ALL_CHAINS if chain is None else (chain,)
        found = [(self._walk(state, each), each) for each in chains]
        moves, best = min(found, key=lambda pair: len(pair[0]))
        if state.apply(moves) != SOLVED or len(moves) > MAX_MOVES:
            raise TableError("the stage tables gave a wrong solution: remove and rebuild them")
        cpu_ms = 1000 * (time.thread_time() - started)
        proven = len(moves) <= 1
        return Solution(
            state, moves, chain=best, value=htm(moves), proven_optimal=proven, cpu_ms=cpu_ms
        )

    def _walk(self, state: CubeState, chain: Chain) -> MoveSequence:
        descend = _compiled_descend() or descent.descend
        tables = self._tables
        turns = np.zeros(MAX_MOVES, dtype=np.int64)
        count = descend(
            chain.seen(state).row(),
            tables.move_rows,
            tables.a_moves,
            tables.b_moves,
            tables.distances,
            tables.turns,
            tables.lookups,
            turns,
        )
        seen = conjugate_moves()[chain.symmetry]
        return moves_seen(turns[:count].tolist(), seen).simplified()
