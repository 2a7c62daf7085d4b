"""Solutions that are proven shortest: the anytime answer first, then the optimal search."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.rigs.mechanism import Mechanism
from solver.goal import Goal
from solver.search.optimal import Depth, OptimalSearch, OptimalTables, prove
from solver.stages.solution import Solution
from solver.tables import TableStore
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving

_TOLD_FROM_S = 2.0


class Proving(Solving):
    """Solves states with the fewest turns.

    Attributes:
        shortest: Every shortest solution of the last state, if `Approach.every` is set.

    Raises:
        MissingFileError: There is no table for the optimal search within the memory limit.
        UsageError: The rig lacks a face.
    """

    def __init__(
        self,
        cache: Path,
        approach: Approach,
        rig: Mechanism,
        note: Callable[[str], None] = lambda _: None,
        *,
        progress: Callable[[Depth], None] = lambda _: None,
        **more: Any,
    ) -> None:
        tables = OptimalTables.load(TableStore(cache / "tables"), approach.memory_mb)
        if tables is None:
            within = "" if approach.memory_mb is None else f" within {approach.memory_mb:g} MB"
            raise MissingFileError(
                f"there is no table for --method optimal{within}: `thistlebot tables build "
                "--optimal` builds one; its --memory chooses 128MB, 512MB or 2GB"
            )
        super().__init__(cache, replace(approach, goal=Goal.HTM), rig, note, **more)
        if self.forbidden:
            raise UsageError(
                f"--method optimal needs all six faces, and this rig lacks {self.forbidden}"
            )
        self._optimal, self._progress = tables, progress
        self.shortest: tuple[MoveSequence, ...] = ()

    def __call__(
        self,
        state: CubeState,
        target: CubeState = SOLVED,
        on_better: Callable[[Solution], None] | None = None,
        budget_ms: float | None = None,
    ) -> Solution:
        """Find a shortest solution, and prove it.

        If the user interrupts the proof and no rig turns, the best solution so far is returned.

        Raises:
            SolverError: Face turns cannot lead from the state to the target.
        """
        plain = super().__call__
        first = plain(state, target, on_better, budget_ms)
        threads, every = self._approach.searchers, self._approach.every
        search = OptimalSearch(state, self._optimal, threads=threads, target=target, every=every)
        best, told = first, ""

        def bounds(found: Solution, next_s: float) -> None:
            nonlocal best, told
            best, turns = found, len(found.moves)
            bound = f"{turns} turns found, {found.excluded} excluded"
            later = next_s > _TOLD_FROM_S
            if not found.proven_optimal and (later or not told) and bound != told:
                wait = f"; the next number takes about {next_s:.0f} s" if later else ""
                self._note(f"{bound}{wait}: {found.moves}")
                told = bound

        def improve(budget_ms: float) -> Solution:
            return plain(state, target, budget_ms=budget_ms)

        try:
            best, self.shortest = prove(
                search, first, improve=improve, on_bounds=bounds, progress=self._progress
            )
        except KeyboardInterrupt:
            self._note(f"stopped: {len(best.moves)} turns found, {best.excluded} excluded")
            if self._approach.rig_turns:
                raise
        return best
