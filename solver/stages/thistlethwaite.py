"""Thistlethwaite's method: four short descents, each from one subgroup into the next.

Source: M. Thistlethwaite's 52-move algorithm as described in S3; with complete tables the stages
need at most 7, 10, 13 and 15 moves, 45 in total.
"""

from cube.errors import InvalidCubeError
from cube.laws import examine_state
from cube.moves import MoveSequence, htm
from cube.state import SOLVED, CubeState
from solver.clock import thread_clock_ns
from solver.cubies import conjugate_moves, move_cubies, moves_seen
from solver.errors import TableError
from solver.stages.solution import Solution
from solver.stages.stage_tables import MAX_DEPTHS, StageTables, stage_coordinates
from solver.stages.subgroup_chain import ALL_CHAINS, Chain

MAX_MOVES = sum(MAX_DEPTHS)


def require_solvable(state: CubeState) -> None:
    """Refuse a state that face turns cannot solve.

    Raises:
        InvalidCubeError: The message names the broken laws.
    """
    problems = examine_state(state).problems
    if problems:
        raise InvalidCubeError(
            "face turns cannot solve this cube: " + "; ".join(p.text for p in problems)
        )


class ThistlethwaiteSolver:
    """Solves any cube in at most 45 moves, in some milliseconds.

    Each stage is as short as possible; of the six orientations of the chain, the one with the
    shortest simplified solution is taken.
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
        started = thread_clock_ns()
        chains = ALL_CHAINS if chain is None else (chain,)
        found = [(self._walk(state, each), each) for each in chains]
        moves, best = min(found, key=lambda pair: len(pair[0]))
        if state.apply(moves) != SOLVED or len(moves) > MAX_MOVES:
            raise TableError("the stage tables gave a wrong solution: remove and rebuild them")
        cpu_ms = (thread_clock_ns() - started) / 1e6
        proven = len(moves) <= 1
        return Solution(
            state, moves, chain=best, value=htm(moves), proven_optimal=proven, cpu_ms=cpu_ms
        )

    def _walk(self, state: CubeState, chain: Chain) -> MoveSequence:
        """Descend along the four tables, always with the first turn that reduces the distance."""
        tables, cubies = self._tables, chain.seen(state)
        turns: list[int] = []
        for stage, allowed in enumerate(tables.turns):
            a, b = stage_coordinates(cubies, stage, tables.lookups)
            begun = len(turns)
            for togo in reversed(range(tables.distance(stage, a, b))):
                for turn in allowed.tolist():
                    there = tables.turned(stage, a, b, turn)
                    if tables.distance(stage, *there) == togo:
                        a, b = there
                        turns.append(turn)
                        break
            for turn in turns[begun:]:
                cubies = cubies * move_cubies()[turn]
        seen = conjugate_moves()[chain.symmetry]
        return moves_seen(turns, seen).simplified()
