"""Pretty patterns: named states, each with moves that make it from a solved cube."""

from dataclasses import dataclass

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState


@dataclass(frozen=True, slots=True)
class Pattern:
    """A well-known state with a name.

    Attributes:
        name: The name, in lower case.
        moves: Make it from a solved cube.
        text: A description in one line.
    """

    name: str
    moves: MoveSequence
    text: str

    @property
    def state(self) -> CubeState:
        """The state."""
        return SOLVED.apply(self.moves)

    @property
    def slug(self) -> str:
        """The name in a form for file names."""
        return self.name.replace(" ", "-").replace("'", "")


def find_pattern(name: str) -> Pattern | None:
    """Return the pattern with a name; case, spaces, hyphens and the like are ignored.

    Args:
        name: A name such as ``Cube-in-cube`` or ``cube_in_cube``.

    Returns:
        The pattern, or None if there is none with that name.
    """
    wanted = _bare(name)
    return next((each for each in PATTERNS if _bare(each.name) == wanted), None)


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _pattern(name: str, moves: str, text: str) -> Pattern:
    return Pattern(name, MoveSequence.parse(moves), text)


PATTERNS: tuple[Pattern, ...] = (
    _pattern(
        "superflip",
        "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2",
        "every edge flipped in its place, every corner solved: 20 turns away from solved",
    ),
    _pattern("checkerboard", "U2 D2 R2 L2 F2 B2", "two alternating colours on every face"),
    _pattern("six spots", "U D' R L' F B' U D'", "a spot in the middle of every face"),
    _pattern("four spots", "F2 B2 U D' R2 L2 U D'", "a spot on each of four faces"),
    _pattern(
        "cube in cube",
        "F L F U' R U F2 L2 U' L' B D' B' L2 U",
        "a small cube in a corner of the large one",
    ),
    _pattern(
        "cube in cube in cube",
        "U' L' U' F' R2 B' R F U B2 U B' L U' F U R F'",
        "a still smaller cube in the corner of the small one",
    ),
    _pattern(
        "plus minus", "U2 R2 L2 U2 R2 L2", "a plus on two faces and a minus on the two beside them"
    ),
    _pattern(
        "christman's cross",
        "U F B' L2 U2 L2 F' B U2 L2 U",
        "a cross on every face; opposite faces swap their corners",
    ),
    _pattern(
        "plummer's cross",
        "R2 L' D F2 R' D' R' L U' D R D B2 R' U D2",
        "a cross on every face; two rings of three faces swap their corners",
    ),
    _pattern("vertical stripes", "F U F R L2 B D' R D2 L D' B R2 L F U F", "stripes on four faces"),
    _pattern("tetris", "L R F B U' D' L' R'", "two Tetris pieces on every face"),
    _pattern("anaconda", "L U B' U' R L' B R' F B' D R D' F'", "a ring that winds around the cube"),
    _pattern(
        "python", "F2 R' B' U R' L F' L F' B D' R B L2", "a snake that winds around the whole cube"
    ),
    _pattern(
        "spiral", "L' B' D U R U' R' D2 R2 D L D' L' R' F U", "a band that winds around two corners"
    ),
    _pattern(
        "twister", "F R' U L F' L' F U' R U L' U' L F'", "a twist around two opposite corners"
    ),
    _pattern(
        "gift box",
        "U B2 R2 B2 L2 F2 R2 D' F2 L2 B F' L F2 D U' R2 F' L' R'",
        "three stripes on four faces, and a cross on the other two, like a ribbon",
    ),
    _pattern(
        "kilt",
        "U' R2 L2 F2 B2 U' R L F B' U F2 D2 R2 L2 F2 U2 F2 U' F2",
        "corners of one colour, edges of another and a centre of a third on every face",
    ),
    _pattern(
        "tablecloth",
        "R L U2 F' U2 D2 R2 L2 F' D2 F2 D R2 L2 F2 B2 D B2 L2",
        "a checkerboard on two faces, and one of four colours on the others",
    ),
)
"""All patterns, in the order of lists."""
