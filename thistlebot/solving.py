"""The solver with its tables, loaded when the first state comes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cube.facelets import Facelets
from cube.laws import examine
from cube.state import CubeState
from solver.solution import Solution
from thistlebot.errors import UnsolvableCubeError

Solve = Callable[[CubeState], Solution]


def lazy_solver(cache: Path, note: Callable[[str], None]) -> Solve:
    """Return a function that solves states; tables and compiled kernels come with its first call.

    Args:
        cache: The program's cache folder.
        note: Told when tables have to be built, which takes a moment.
    """
    ready: list[Solve] = []

    def solve(state: CubeState) -> Solution:
        if not ready:
            from solver.stage_tables import load_stage_tables  # noqa: PLC0415 - numba, lazily
            from solver.tables import TableStore  # noqa: PLC0415
            from solver.thistlethwaite import ThistlethwaiteSolver  # noqa: PLC0415

            tables = load_stage_tables(TableStore(cache / "tables"))
            if tables.source.note:
                note(tables.source.note)
            ready.append(ThistlethwaiteSolver(tables).solve)
        return ready[0](state)

    return solve


def solvable_state(facelets: Facelets) -> CubeState:
    """Return the state of stickers that face turns can solve.

    Raises:
        UnsolvableCubeError: A law of the cube is broken; the message names it and the pieces.
    """
    verdict = examine(facelets)
    if verdict.state is None or not verdict.solvable:
        text = "; ".join(problem.text for problem in verdict.problems)
        raise UnsolvableCubeError(f"no turns solve this cube: {text}", verdict.problems)
    return verdict.state
