"""A cube of 54 stickers in space, made without the program's own cube.

A sticker is a point and a direction. A turn moves those of one layer.
"""

from functools import cache
from itertools import product

from cube.net import SCREEN_COLOURS, WESTERN_SCHEME

FACES = "URFDLB"
LOOKS = {
    "U": (0, 1, 0),
    "R": (1, 0, 0),
    "F": (0, 0, 1),
    "D": (0, -1, 0),
    "L": (-1, 0, 0),
    "B": (0, 0, -1),
}
# of each face in the drawing: the direction to the right, the direction down
_DRAWN = {
    "U": ((1, 0, 0), (0, 0, 1)),
    "R": ((0, 0, -1), (0, -1, 0)),
    "F": ((1, 0, 0), (0, -1, 0)),
    "D": ((1, 0, 0), (0, 0, -1)),
    "L": ((0, 0, 1), (0, -1, 0)),
    "B": ((-1, 0, 0), (0, -1, 0)),
}
# slices turn with a face; whole turns, too
_WITH = {"M": "L", "E": "D", "S": "F", "x": "R", "y": "U", "z": "F"}
QUARTERS = {"": 1, "2": 2, "'": 3}

Vector = tuple[int, int, int]
Sticker = tuple[Vector, Vector]
Cube = tuple[int, ...]
"""For each of 54 places the number of the sticker that is there."""


@cache
def stickers() -> tuple[Sticker, ...]:
    """Return point and direction of every place, in the order of facelet strings."""
    found = []
    for face in FACES:
        right, down = _DRAWN[face]
        for row, column in product((-1, 0, 1), repeat=2):
            x, y, z = (
                n + column * r + row * d for n, r, d in zip(LOOKS[face], right, down, strict=True)
            )
            point = (x, y, z)
            found.append((point, LOOKS[face]))
    return tuple(found)


def _dot(a: Vector, b: Vector) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _turned(vector: Vector, axis: Vector) -> Vector:
    """Return a quarter turn, clockwise when looking against the axis: v·a a - a x v."""
    (a, b, c), (x, y, z) = axis, vector
    along = _dot(axis, vector)
    return a * along - b * z + c * y, b * along - c * x + a * z, c * along - a * y + b * x


@cache
def turn(move: str) -> tuple[int, ...]:
    """Return the new place of each sticker; for faces, slices M E S, and x y z."""
    name, quarters = move[0], QUARTERS[move[1:]]
    axis = LOOKS[_WITH.get(name, name)]
    moved = {1} if name in FACES else {0} if name in "MES" else {-1, 0, 1}
    number = {sticker: i for i, sticker in enumerate(stickers())}
    goes = []
    for point, look in stickers():
        there = (point, look)
        if _dot(axis, point) in moved:
            for _ in range(quarters):
                there = (_turned(there[0], axis), _turned(there[1], axis))
        goes.append(number[there])
    return tuple(goes)


SOLVED: Cube = tuple(range(54))


def after(cube: Cube, moves: str) -> Cube:
    """Return the cube after moves."""
    for move in moves.split():
        goes, made = turn(move), list(cube)
        for place, sticker in enumerate(cube):
            made[goes[place]] = sticker
        cube = tuple(made)
    return cube


def straight(cube: Cube) -> Cube:
    """Return the cube rotated so that the centres of U and F are up and in front."""
    for first in ("", "x", "x2", "x'", "z", "z'"):
        for second in ("", "y", "y2", "y'"):
            held = after(cube, f"{first} {second}")
            if held[4] == 4 and held[22] == 22:
                return held
    raise AssertionError("no cube")


@cache
def pieces() -> dict[frozenset[str], tuple[int, ...]]:
    """Return the places of each corner and edge, by its faces."""
    at: dict[Vector, list[int]] = {}
    for number, (point, _) in enumerate(stickers()):
        at.setdefault(point, []).append(number)
    named = {frozenset(FACES[i // 9] for i in found): tuple(found) for found in at.values()}
    return {faces: found for faces, found in named.items() if len(faces) > 1}


def read(facelets: str) -> Cube:
    """Return the cube of a facelet string: a sticker is identified by its piece's colours."""
    cube = [4 + 9 * (i // 9) for i in range(54)]
    for places in pieces().values():
        homes = pieces()[frozenset(facelets[place] for place in places)]
        for place in places:
            cube[place] = next(home for home in homes if FACES[home // 9] == facelets[place])
    return tuple(cube)


def colours(cube: Cube) -> dict[int, str]:
    """Return the colour of each place on screens."""
    return {
        i: SCREEN_COLOURS[WESTERN_SCHEME[FACES[sticker // 9]]] for i, sticker in enumerate(cube)
    }
