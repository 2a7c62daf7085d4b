"""Shows a person how an answer shortens while the search goes on."""

import time

from cube.state import SOLVED, CubeState
from solver.stages.solution import Solution
from thistlebot.solving.solver import Solving
from thistlebot.terminal.screen import Screen


class Shortening:
    """Solves like `Solving`, and tells the four-stage answer and each shorter one.

    Args:
        solving: Solves.
        screen: Where to tell.
    """

    def __init__(self, solving: Solving, screen: Screen) -> None:
        self._solving, self._screen = solving, screen

    def __call__(self, state: CubeState, target: CubeState = SOLVED) -> Solution:
        """Solve a state.

        Raises:
            SolverError: Face turns cannot lead from the state to the target.
            TableError: Tables cannot be built.
        """
        if target == SOLVED:
            self._tell("stages", self._solving.staged(state), "by four stages")
        began_s = time.monotonic()

        def tell(better: Solution) -> None:
            word = "quicker" if self._solving.objective.timed else "shorter"
            self._tell(word, better, f"after {1000 * (time.monotonic() - began_s):.0f} ms")

        return self._solving(state, target, tell)

    def _tell(self, word: str, found: Solution, how: str) -> None:
        objective = self._solving.objective
        took = f", {objective.value(found.moves) / 1000:.2f} s" if objective.timed else ""
        self._screen.line(f"{word:<9} {len(found.moves)} turns{took} {how}")
