"""The methods that solve any puzzle (S4, S5), on the 3×3×3 cube as far as they reach.

A turn of a slice counts as one move, as in S5; for a machine it is rewritten as turns of two
opposite faces.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cube.held_moves import read_moves
from cube.state import CubeState
from puzzles.groups.searches import shortest, solutions
from puzzles.kinds.box import SLICES, Box
from puzzles.kinds.puzzle import PuzzleTurn
from solver.errors import SolverError
from teaching.methods.method import MethodStep, misplaced

_QUARTERS = {"": 1, "2": 2, "'": 3}
_SUFFIXES = ("", "", "2", "'")


@dataclass(frozen=True, slots=True)
class BlindSearch:
    """Backtracking with a move limit (S5), or breadth-first search from both ends (S4).

    Attributes:
        name: The name on the command line, ``backtracking`` or ``bidirectional``.
        reach: Turns of faces and slices that it looks ahead.
    """

    name: str
    reach: int

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """One step; raises SolverError for a cube that is farther away than the method reaches."""
        box = Box(3, 3, 3)
        stickers = tuple(state.to_facelets().text)
        if self.name == "backtracking":
            turns = next(solutions(box, stickers, self.reach), None)
        else:
            turns = shortest(box, stickers, self.reach, box.solved_states)
        if turns is None:
            raise SolverError(
                f"{self.name} looks at most {self.reach} turns of faces and slices ahead, and this "
                "cube is farther from solved: choose another method"
            )
        if turns:
            count = f"{len(turns)} turn{'s' if len(turns) > 1 else ''}"
            yield MethodStep(
                "all at once",
                f"The fewest turns of faces and slices, found by trying: {count}.",
                read_moves(" ".join(map(_written, turns))).simplified(),
                misplaced(state),
                "every piece is at home: the cube is solved",
            )


def _written(turn: PuzzleTurn) -> str:
    """A turn of the box in the cube's notation."""
    layer = str(turn.layer)
    quarters = _QUARTERS[turn.name.removeprefix(layer)]
    slices = {own: (name, sense) for name, (own, sense) in SLICES.items()}
    name, sense = slices.get(layer, (layer, 1))
    return name + _SUFFIXES[sense * quarters % 4]
