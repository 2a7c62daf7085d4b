"""The puzzles by their names."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cube.moves import FACES
from puzzles.kinds.balls import Balls, Face
from puzzles.kinds.box import Box, PocketCube
from puzzles.kinds.cubes import coupled_cube, face_cube, restricted_cube
from puzzles.kinds.hypercube import Hypercube
from puzzles.kinds.oriented import OrientedSolid, Pyraminx
from puzzles.kinds.puzzle import Puzzle
from puzzles.kinds.solids import SOLIDS, regular_solid
from puzzles.kinds.supercubes import Supercube, ThreeColourCube
from solver.errors import SolverError

AnyPuzzle = Puzzle[Any]
_BOX = re.compile(r"([1-9])x([1-9])x([1-9])")
_SLICES = "3x3x3-slices"


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of the list: a puzzle, or a family of them.

    Attributes:
        name: The name.
        text: Description.
        make: Makes it; None for a family, whose members have their own names.
    """

    name: str
    text: str
    make: Callable[[], AnyPuzzle] | None = None


def _solid(name: str) -> Callable[[], AnyPuzzle]:
    return lambda: OrientedSolid(regular_solid(name))


def _balls(name: str) -> Callable[[], AnyPuzzle]:
    return lambda: Balls(f"balls-{name}", regular_solid(name).faces)


CATALOGUE: tuple[Listed, ...] = (
    Listed("3x3x3", "the cube; its six faces turn", lambda: face_cube(name="3×3×3")),
    Listed(_SLICES, "the cube; its middle layers turn, too", lambda: Box(3, 3, 3)),
    Listed("2x2x2", "the pocket cube, with one corner held still", PocketCube),
    Listed("NxMxK", "boxes of 1 to 9 small cubes per side: 3x2x3 is the Domino, 4x4x4 …"),
    Listed("RU, RUF, R2U2 …", "the cube; only these faces turn, those with 2 by half turns"),
    Listed(
        "slice",
        "opposite faces turn together, in the same direction in space (Rs = R L')",
        lambda: coupled_cube(same_sense=True),
    ),
    Listed(
        "antislice",
        "opposite faces turn together, in opposite directions in space (Ra = R L)",
        lambda: coupled_cube(same_sense=False),
    ),
    Listed("phi1", "no quarter turns of R and L", lambda: restricted_cube(1)),
    Listed("phi2", "no quarter turns of R, L, F and B", lambda: restricted_cube(2)),
    Listed("phi3", "half turns only", lambda: restricted_cube(3)),
    Listed("supercube", "the cube with arrows on its centres", Supercube),
    Listed("three-colour", "the cube with opposite faces in the same colour", ThreeColourCube),
    Listed("3x3x3x3", "the cube in four dimensions", Hypercube),
    Listed("pyraminx", "the tetrahedron that turns around its corners", Pyraminx),
    *(
        Listed(name, text, _solid(name))
        for name, text in (
            ("tetrahedron", "4 corner and 6 edge pieces; the faces turn"),
            ("octahedron", "6 corner and 12 edge pieces; the faces turn"),
            ("dodecahedron", "20 corner and 30 edge pieces; the faces turn: the Megaminx"),
            ("icosahedron", "12 corner and 30 edge pieces; the faces turn"),
        )
    ),
    *(
        Listed(
            f"balls-{name}", f"balls on the {name}; a turn cycles the balls of a face", _balls(name)
        )
        for name in SOLIDS
    ),
    Listed("balls", "balls on any polyhedron: --faces FILE"),
)
_ALIASES = {
    "cube": "3x3x3",
    "rubik": "3x3x3",
    "pocket": "2x2x2",
    "domino": "3x2x3",
    "megaminx": "dodecahedron",
    "hypercube": "3x3x3x3",
    "three-color": "three-colour",
}


def puzzle_named(name: str, faces: tuple[Face, ...] | None = None) -> AnyPuzzle:
    """Return the puzzle with a name.

    Args:
        name: As typed; in either case, with × or x.
        faces: Those of the polyhedron, for ``balls``.

    Raises:
        SolverError: There is no such puzzle, the polyhedron is invalid, or the puzzle takes none.
    """
    plain = name.strip().lower().replace("×", "x")
    plain = _ALIASES.get(plain, plain)
    if plain == "balls":
        if faces is None:
            raise SolverError("balls need a polyhedron: add --faces FILE")
        return Balls("balls", faces)
    if faces is not None:
        raise SolverError(f"{name!r} has its own shape: --faces is only for balls")
    for listed in CATALOGUE:
        if listed.name == plain and listed.make:
            return listed.make()
    if match := _BOX.fullmatch(plain):
        return Box(int(match[1]), int(match[2]), int(match[3]))
    letters = re.sub(r"[<>,\s]", "", name).upper()
    if letters and set(letters) <= {*FACES, "2"}:
        return face_cube(letters)
    raise SolverError(
        f"there is no puzzle {name!r}; `thistlebot school puzzle` lists them, and boxes are named "
        "by their sides, 1 to 9 each, such as 4x4x4"
    )
