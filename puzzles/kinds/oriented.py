"""Solids whose faces or corners turn, with corner and edge pieces in several orientations (S3.16).

The tetrahedron has 4 corner and 6 edge pieces; the dodecahedron is known as the Megaminx, the
tetrahedron that turns about its corners as the Pyraminx.
"""

import numpy as np

from cube.drawing import Drawing, Patch, Shape, colour_of
from puzzles.kinds.painted import Painted, Spin, powers
from puzzles.kinds.pieces import Arrangement, Place
from puzzles.kinds.puzzle import PuzzleTurn, Stickers
from puzzles.kinds.solids import Points, Solid, face_letters, regular_solid

_EDGE_ON = 0.05
_INNER = 0.45
_TIP = 0.3

Slot = tuple[int, str, int]
"""A sticker: its face, ``corner``, ``edge``, ``tip`` or ``centre``, and its number."""


class _SolidPuzzle(Painted):
    """The drawing of a solid with stickers."""

    solid: Solid
    slots: list[Slot]

    def text(self, state: Stickers) -> str:
        """Return a row for each face, its stickers anticlockwise, the centre last."""
        rows = dict[str, str]()
        for colour, (face, _, _) in zip(state, self.slots, strict=True):
            letter = face_letters(face + 1)[face]
            rows[letter] = rows.get(letter, "") + " " + colour
        return "\n".join(f"{letter} {row}" for letter, row in rows.items())

    def drawn(self, state: Stickers) -> Drawing:
        """Return the solid as shapes; a face seen edge-on has none."""
        names = face_letters(len(self.solid.faces))
        shapes: dict[int, Shape] = {}
        for view, side in enumerate((1.0, -1.0)):
            for face, normal in enumerate(self.solid.normals):
                if side * normal[2] <= _EDGE_ON:
                    continue
                own = [i for i, slot in enumerate(self.slots) if slot[0] == face]
                outlines = _stickers(self.solid, face, len(own))
                for i, outline in zip(own, outlines, strict=True):
                    points = tuple((2.2 * view + side * float(x), -float(y)) for x, y, _ in outline)
                    shapes[i] = Patch(points, colour_of(state[i], names), state[i])
        return Drawing(shapes, 220)


class OrientedSolid(_SolidPuzzle):
    """A regular solid whose face turns move the corners and edges around the face.

    Its state is the letters of its stickers: face by face, each as corner, edge, corner, edge …
    anticlockwise, then the centre.
    """

    def __init__(self, solid: Solid) -> None:
        self.solid = solid
        self.slots = _slots(solid, ("corner", "edge"))
        made: dict[str, tuple[PuzzleTurn, Arrangement]] = {}
        for face, letter in enumerate(face_letters(len(solid.faces))):
            made |= powers(Spin(letter, letter, self._turned(face), len(solid.faces[face])))
        sizes = [len(face) for face in solid.faces]
        degrees = [sum(v in face for face in solid.faces) for v in range(len(solid.vertices))]
        axes = zip([*solid.normals, *solid.vertices], [*sizes, *degrees], strict=True)
        everything = [True] * len(self.slots)
        whole = [_spun(solid, self.slots, axis, order, everything) for axis, order in axes]
        super().__init__(solid.name, _places(self.slots, solid), made, _colours(self.slots), whole)

    def _turned(self, face: int) -> Arrangement:
        """Return one step clockwise, seen from outside."""
        solid = self.solid
        corners = set(solid.faces[face])
        edges = {n for n, edge in enumerate(solid.edges) if set(edge) <= corners}
        moved = [
            (kind == "corner" and number in corners) or (kind == "edge" and number in edges)
            for _, kind, number in self.slots
        ]
        return _spun(solid, self.slots, solid.normals[face], len(solid.faces[face]), moved)


class Pyraminx(_SolidPuzzle):
    """The tetrahedron that turns about its corners: 4 tips, 4 axial pieces and 6 edges.

    A capital letter turns a corner with its tip and its three edges, a small one only the tip.
    Corners have the names of the Pyraminx: U on top, then L, R and B.
    """

    def __init__(self) -> None:
        solid = regular_solid("tetrahedron")
        flip = np.diag([1.0, -1.0, -1.0])
        self.solid = solid = Solid("pyraminx", solid.vertices @ flip, solid.faces)
        self.slots = _slots(solid, ("tip", "corner", "edge"))
        made: dict[str, tuple[PuzzleTurn, Arrangement]] = {}
        top = np.argsort(-solid.vertices[:, 2])
        self.corners = dict(zip(top.tolist(), "ULRB", strict=True))
        for corner, letter in self.corners.items():
            for name, parts in ((letter, ("tip", "corner", "edge")), (letter.lower(), ("tip",))):
                moved = [
                    kind in parts
                    and (corner in solid.edges[number] if kind == "edge" else number == corner)
                    for _, kind, number in self.slots
                ]
                turn = _spun(solid, self.slots, solid.vertices[corner], 3, moved)
                made |= powers(Spin(name, letter, turn, 3))
        super().__init__("pyraminx", _places(self.slots, solid), made, _colours(self.slots))


def _slots(solid: Solid, kinds: tuple[str, ...]) -> list[Slot]:
    numbers = {edge: number for number, edge in enumerate(solid.edges)}
    slots: list[Slot] = []
    for face, vertices in enumerate(solid.faces):
        for a, b in zip(vertices, vertices[1:] + vertices[:1], strict=True):
            for kind in kinds:
                number = numbers[min(a, b), max(a, b)] if kind == "edge" else a
                slots.append((face, kind, number))
        slots.append((face, "centre", face))
    return slots


def _spun(
    solid: Solid, slots: list[Slot], axis: Points, order: int, moved: list[bool]
) -> Arrangement:
    """Return the turn of some slots about an axis by one step clockwise, seen from its head."""
    unit = axis / np.linalg.norm(axis)
    vertices, faces = solid.turned(unit, -2 * np.pi / order)
    edges = {frozenset(edge): number for number, edge in enumerate(solid.edges)}
    numbers = {slot: number for number, slot in enumerate(slots)}
    turn = np.arange(len(slots))
    for number, (face, kind, part) in enumerate(slots):
        if moved[number]:
            if kind == "edge":
                there = edges[frozenset(vertices[end] for end in solid.edges[part])]
            else:
                there = faces[part] if kind == "centre" else vertices[part]
            turn[numbers[faces[face], kind, there]] = number
    return turn


def _places(slots: list[Slot], solid: Solid) -> list[Place]:
    letters = face_letters(len(solid.faces))
    members: dict[tuple[str, int], list[int]] = {}
    for number, (_, kind, part) in enumerate(slots):
        if kind != "centre":
            members.setdefault((kind, part), []).append(number)
    ordered = sorted(members.items(), key=lambda item: ("tip", "corner", "edge").index(item[0][0]))
    return [
        Place("".join(letters[slots[i][0]] for i in group), kind + "s", tuple(group))
        for (kind, _), group in ordered
    ]


def _colours(slots: list[Slot]) -> list[str]:
    letters = face_letters(1 + max(face for face, _, _ in slots))
    return [letters[face] for face, _, _ in slots]


def _stickers(solid: Solid, face: int, count: int) -> list[Points]:
    """Return outlines of the stickers of a face in space, in the order of the slots."""
    corners = solid.vertices[list(solid.faces[face])]
    centre = corners.mean(axis=0)
    inner = centre + _INNER * (corners - centre)
    size = len(corners)
    kinds = (count - 1) // size
    found = []
    for i in range(size):
        here, after, before = corners[i], corners[(i + 1) % size], corners[i - 1]
        first, last = here + (after - here) / 3, here + (before - here) / 3
        if kinds == 3:
            tip = [here + _TIP * (point - here) for point in (first, inner[i], last)]
            found.append(np.array([here, *tip]))
            found.append(np.array([tip[0], first, inner[i], last, tip[2], tip[1]]))
        else:
            found.append(np.array([here, first, inner[i], last]))
        other = after + (here - after) / 3
        found.append(np.array([first, other, inner[(i + 1) % size], inner[i]]))
    return [*found, inner]
