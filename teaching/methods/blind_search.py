"""The methods that solve any puzzle (S4, S5), on the 3×3×3 cube within their reach.

A turn of a slice counts as one move, as in S5; for a machine it is replaced by turns of two
opposite faces.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cube.held_moves import read_moves
from cube.state import CubeState
from puzzles.groups.searches import shortest, solutions
from puzzles.kinds.box import Box
from solver.errors import SolverError
from teaching.methods.method import MethodStep, misplaced
from teaching.wording import Wording, plural


@dataclass(frozen=True, slots=True)
class BlindSearch:
    """Backtracking with a move limit (S5), or breadth-first search from both ends (S4).

    Attributes:
        reach: Maximum number of turns of faces and slices.
    """

    name: str
    reach: int

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """Return one step; raises SolverError for a cube beyond the method's reach."""
        box = Box(3, 3, 3)
        stickers = tuple(state.to_facelets().text)
        if self.name == "backtracking":
            turns = next(solutions(box, stickers, self.reach), None)
        else:
            turns = shortest(box, stickers, self.reach, box.solved_states)
        if turns is None:
            raise SolverError(
                f"{self.name} searches at most {self.reach} turns of faces and slices deep, "
                "but this cube is farther from solved: choose another method"
            )
        if turns:
            yield MethodStep(
                "all at once",
                plural("method.fewest", len(turns)),
                read_moves(" ".join(turn.name for turn in turns)).simplified(),
                misplaced(state),
                Wording("method.solved", {"text": Wording("method.home_settled")}),
            )


ONE = "one"
"""The parameter of Thistlethwaite's methods: one orientation of the chain, S2's, instead of six."""
