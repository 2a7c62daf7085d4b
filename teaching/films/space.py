"""The shape of a puzzle in space, for `cube.player`: its faces, its stickers, and what turns.

Planes parallel to a face, or across the axis of a corner, cut a puzzle into its layers; its
stickers end where these planes meet its faces.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.oriented import OrientedSolid, Pyraminx

Points = NDArray[np.float64]
Space = Mapping[str, Any]
"""``sides`` of a box; or ``outlines`` of faces, ``stickers`` (face, corners), the ``slots`` that
they show, ``turns`` by name (axis, from, to, angle) and ``cell``, the size of a sticker.
"""
_DEPTHS = {"dodecahedron": 0.42, "tetrahedron": 0.6}
"""Where the planes meet a face, from its edge to its middle."""
_UPRIGHT = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""From coordinates with z up to those of the player, with y up."""
_NAME = re.compile(r"([A-Za-z]+)(\d*)('?)")


def space_of(puzzle: AnyPuzzle, sides: Sequence[int] | None) -> Space | None:
    """Return the shape of a puzzle; None for one that is only drawn flat."""
    if sides is not None:
        return {"sides": sides}
    if isinstance(puzzle, Pyraminx):
        return _pyraminx(puzzle)
    if isinstance(puzzle, OrientedSolid) and puzzle.solid.name in _DEPTHS:
        return _face_turner(puzzle)
    return None


def _face_turner(puzzle: OrientedSolid) -> Space:
    """Return a solid whose faces turn; three of them meet at each corner."""
    solid = puzzle.solid
    stickers: list[tuple[int, Points]] = []
    for face, numbers in enumerate(solid.faces):
        corners = solid.vertices[list(numbers)]
        middle = corners.mean(axis=0)
        edge = corners[1] - corners[0]
        apothem = float(np.linalg.norm((corners[0] + corners[1]) / 2 - middle))
        depth = _DEPTHS[solid.name] * apothem
        inner = middle + (1 - depth / apothem) * (corners - middle)
        angle = np.pi * (1 - 2 / len(corners))
        share = depth / np.sin(angle) / float(np.linalg.norm(edge))
        after = corners + share * (np.roll(corners, -1, axis=0) - corners)
        before = corners + share * (np.roll(corners, 1, axis=0) - corners)
        for i in range(len(corners)):
            following = (i + 1) % len(corners)
            stickers.append((face, np.array([corners[i], after[i], inner[i], before[i]])))
            sides = [after[i], before[following], inner[following], inner[i]]
            stickers.append((face, np.array(sides)))
        stickers.append((face, inner))
    distance = float(solid.vertices[solid.faces[0][0]] @ solid.normals[0])
    tilts = solid.normals @ solid.normals[0]
    tilt = float(np.sort(tilts)[-2])
    below = distance - depth * float(np.sqrt(1 - tilt**2))
    layers = dict.fromkeys(str(turn.layer) for turn in puzzle.turns)
    letters = dict(zip(layers, solid.normals, strict=True))
    turns = {
        turn.name: [(letters[str(turn.layer)], below, 2.0, _angle(turn.name, len(solid.faces[0])))]
        for turn in puzzle.turns
    }
    return _space(solid, stickers, list(range(len(stickers))), turns, 0.8 * depth)


def _pyraminx(puzzle: Pyraminx) -> Space:
    """Return the Pyraminx: nine triangles on each face, tips and layers that turn about corners."""
    solid = puzzle.solid
    stickers: list[tuple[int, Points]] = []
    slots: list[int] = []
    for face, numbers in enumerate(solid.faces):
        corners = solid.vertices[list(numbers)]
        middle = corners.mean(axis=0)
        for i in range(3):
            here = corners[i]
            after = here + (corners[(i + 1) % 3] - here) / 3
            before = here + (corners[i - 1] - here) / 3
            beyond = here + 2 * (corners[(i + 1) % 3] - here) / 3
            stickers.append((face, np.array([here, after, before])))
            stickers.append((face, np.array([after, middle, before])))
            stickers.append((face, np.array([after, beyond, middle])))
            slots += [10 * face + 3 * i + kind for kind in range(3)]
    axes = {letter: solid.vertices[corner] for corner, letter in puzzle.corners.items()}
    turns = {}
    for turn in puzzle.turns:
        letter = turn.name[0]
        below = 1 - (8 / 9 if letter.isupper() else 4 / 9)
        turns[turn.name] = [(axes[letter.upper()], below, 2.0, _angle(turn.name, 3))]
    return _space(solid, stickers, slots, turns, 0.3)


def _angle(name: str, order: int) -> float:
    """Return the angle of a turn such as ``A2'``, anticlockwise seen from outside."""
    match = _NAME.fullmatch(name)
    assert match is not None, name
    steps = int(match[2] or 1) * (-1 if match[3] else 1)
    return -2 * np.pi * steps / order


def _space(
    solid: Any,
    stickers: Sequence[tuple[int, Points]],
    slots: Sequence[int],
    turns: Mapping[str, Sequence[tuple[Points, float, float, float]]],
    cell: float,
) -> Space:
    def placed(points: Points) -> list[list[float]]:
        return [[round(float(x), 4) for x in point] for point in points @ _UPRIGHT.T]

    def about(axis: Points) -> list[float]:
        unit = _UPRIGHT @ (axis / np.linalg.norm(axis))
        return [round(float(x), 6) for x in unit]

    return {
        "outlines": [placed(solid.vertices[list(face)]) for face in solid.faces],
        "stickers": [(face, placed(corners)) for face, corners in stickers],
        "slots": list(slots),
        "turns": {
            name: [(about(axis), low, high, angle) for axis, low, high, angle in parts]
            for name, parts in turns.items()
        },
        "cell": cell,
    }
