"""The supercube (S3.12): centres with a visible orientation.

Turning a face also turns its centre, so a centre's orientation is the sum of its face's turns; a
picture cube is solved if every sum is a multiple of four quarter turns. No scan can measure these
angles, but the motors know them. Corners and centres are linked: the sum of all centre turns is odd
exactly when the corner permutation is odd.
"""

import re
from dataclasses import dataclass

import numpy as np

from cube.laws import permutation_parity
from cube.moves import FACES, MoveSequence
from cube.state import CubeState
from solver.errors import SolverError

_TEXT = re.compile(r"(?:[URFDLBT][0-3]){1,6}")


@dataclass(frozen=True, slots=True)
class Centres:
    """The orientation of each centre.

    Attributes:
        turns: Clockwise quarter turns, 0 to 3, of the centres of U R F D L B.

    Raises:
        SolverError: These are not six numbers of 0 to 3.
    """

    turns: tuple[int, ...] = (0,) * 6

    def __post_init__(self) -> None:
        if len(self.turns) != 6 or not set(self.turns) <= {0, 1, 2, 3}:
            raise SolverError(f"centres need six numbers of 0 to 3 quarter turns, not {self.turns}")

    @classmethod
    def parse(cls, text: str) -> "Centres":
        """Read quarter turns by face, such as ``U0R1F2D0L3B0``; faces left out are straight.

        Raises:
            SolverError: The text has another form.
        """
        letters = "".join(text.split()).upper()
        pairs = dict(zip(letters[::2].replace("T", "U"), letters[1::2], strict=False))
        if not _TEXT.fullmatch(letters) or 2 * len(pairs) != len(letters):
            raise SolverError(
                f"{text!r} does not describe the centres: write each face once with its clockwise "
                "quarter turns, such as U0R1F2D0L3B0"
            )
        return cls(tuple(int(pairs.get(face, "0")) for face in FACES))

    def apply(self, moves: MoveSequence) -> "Centres":
        """Return the centres after turns."""
        turns = list(self.turns)
        for move in moves:
            turns[FACES.index(move.face)] += move.turns
        return Centres(tuple(turn % 4 for turn in turns))

    def fits(self, state: CubeState) -> bool:
        """Return whether turns of the solved cube can produce both the state and these centres."""
        return sum(self.turns) % 2 == permutation_parity(state.corner_permutation)

    def __str__(self) -> str:
        return "".join(f"{face}{turns}" for face, turns in zip(FACES, self.turns, strict=True))


STRAIGHT = Centres()


def random_centres(state: CubeState, rng: np.random.Generator) -> Centres:
    """Draw one of the 2048 possible orientations of a state's centres."""
    turns = rng.integers(0, 4, 6).tolist()
    if not Centres(tuple(turns)).fits(state):
        turns[5] = (turns[5] + 1) % 4
    return Centres(tuple(turns))
