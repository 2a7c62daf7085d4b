"""Balls on the corners and edge midpoints of a polyhedron; a turn cycles one face (S3.15)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cube.drawing import Ball, Drawing, Point, colour_of
from puzzles.kinds.painted import Painted, Spin, powers
from puzzles.kinds.pieces import Arrangement, Place
from puzzles.kinds.puzzle import PuzzleTurn, Stickers
from puzzles.kinds.solids import face_letters
from solver.errors import SolverError

Face = tuple[int, ...]


class Balls(Painted):
    """Numbered balls on any polyhedron given by its faces.

    Its state is the numbers of the balls: those on the corners first, then those on the edges.

    Args:
        name: Its name for people.
        faces: The numbers of each face's corners, in their order around it.

    Raises:
        SolverError: The faces do not form a closed surface.
    """

    separator = " "

    def __init__(self, name: str, faces: Sequence[Face]) -> None:
        self.faces = _outwards(name, faces)
        self.corners = sorted({corner for face in self.faces for corner in face})
        self.edges = sorted(
            {(min(a, b), max(a, b)) for face in self.faces for a, b in _sides(face)}
        )
        corners = [Place(f"{corner + 1}", "corners", (i,)) for i, corner in enumerate(self.corners)]
        edges = [
            Place(f"{a + 1}-{b + 1}", "edges", (len(corners) + i,))
            for i, (a, b) in enumerate(self.edges)
        ]
        made: dict[str, tuple[PuzzleTurn, Arrangement]] = {}
        for letter, face in zip(face_letters(len(self.faces)), self.faces, strict=True):
            made |= powers(Spin(letter, letter, self._cycled(face), len(face)))
        labels = [str(i + 1) for i in range(len(corners) + len(edges))]
        super().__init__(name, [*corners, *edges], made, labels)

    def _cycled(self, face: Face) -> Arrangement:
        """Move every ball of a face one step clockwise, seen from outside."""
        found = np.arange(len(self.corners) + len(self.edges))
        corners = [self.corners.index(corner) for corner in face]
        edges = [
            len(self.corners) + self.edges.index((min(a, b), max(a, b))) for a, b in _sides(face)
        ]
        for ring in (corners, edges):
            found[ring] = ring[1:] + ring[:1]
        return found

    def text(self, state: Stickers) -> str:
        """Return corners and edges with their balls."""
        rows = []
        for kind in ("corners", "edges"):
            shown = [
                f"{place.name}:{state[place.slots[0]]}"
                for place in self._places
                if place.kind == kind
            ]
            rows += [f"{kind:8}" + " ".join(shown)]
        return "\n".join(rows)

    def drawn(self, state: Stickers) -> Drawing:
        """Return the diagram as shapes."""
        points = self._embedded()
        spots = [
            *points,
            *(
                (points[self.corners.index(a)] + points[self.corners.index(b)]) / 2
                for a, b in self.edges
            ),
        ]
        names = ("corners", "edges")
        balls = {
            place.slots[0]: Ball(_point(spot), 0.05, colour_of(place.kind, names), ball)
            for spot, place, ball in zip(spots, self._places, state, strict=True)
        }
        lines = tuple(
            (_point(points[self.corners.index(a)]), _point(points[self.corners.index(b)]))
            for a, b in self.edges
        )
        return Drawing(balls, 300, lines)

    def _embedded(self) -> NDArray[np.float64]:
        """Return a place in the plane for each corner: its neighbours' mean, shape (corners, 2)."""
        outer = max(self.faces, key=len)
        count = len(self.corners)
        laws, targets = np.eye(count), np.zeros((count, 2))
        for i, corner in enumerate(self.corners):
            if corner in outer:
                angle = 2 * np.pi * outer.index(corner) / len(outer)
                targets[i] = np.sin(angle), -np.cos(angle)
            else:
                near = [b if a == corner else a for a, b in self.edges if corner in (a, b)]
                laws[i, [self.corners.index(other) for other in near]] = -1 / len(near)
        places: NDArray[np.float64] = np.linalg.solve(laws, targets).astype(np.float64)
        return places


def parse_faces(text: str) -> tuple[Face, ...]:
    """Read a polyhedron: an OFF file, or one face per line, its corners as integers.

    Raises:
        SolverError: The text is neither.
    """
    rows = [line.split("#")[0].replace(",", " ").split() for line in text.splitlines()]
    rows = [row for row in rows if row]
    try:
        if rows and rows[0][0].upper().endswith("OFF"):
            head = rows[0][1:] or rows.pop(1)
            corners, count = int(head[0]), int(head[1])
            rows = [row[1 : 1 + int(row[0])] for row in rows[1 + corners : 1 + corners + count]]
        return tuple(tuple(map(int, row)) for row in rows)
    except (ValueError, IndexError) as error:
        raise SolverError(
            "the polyhedron is not readable: write an OFF file, or a line for each face with "
            "the numbers of its corners in order around it"
        ) from error


def _sides(face: Face) -> list[tuple[int, int]]:
    return list(zip(face, face[1:] + face[:1], strict=True))


def _outwards(name: str, faces: Sequence[Face]) -> tuple[Face, ...]:
    """Return the faces with a consistent orientation, so that each edge has both directions."""
    if not faces or any(len(face) < 3 or len(set(face)) < len(face) for face in faces):
        raise SolverError(f"{name}: a face must have at least three corners, each once")
    if len(faces) > 26:
        raise SolverError(f"{name}: {len(faces)} faces, but there are only 26 letters to name them")
    sharing: dict[frozenset[int], list[int]] = {}
    for number, face in enumerate(faces):
        for side in _sides(face):
            sharing.setdefault(frozenset(side), []).append(number)
    lone = next((edge for edge, around in sharing.items() if len(around) != 2), None)
    if lone is not None:
        raise SolverError(
            f"{name}: the edge between the corners {' and '.join(map(str, sorted(lone)))} "
            f"belongs to {len(sharing[lone])} faces; on a closed polyhedron it belongs to two"
        )
    turned = {0: tuple(faces[0])}
    for number in (queue := [0]):
        for side in _sides(turned[number]):
            other = next(n for n in sharing[frozenset(side)] if n != number)
            face = tuple(faces[other])
            wanted = face[::-1] if side in _sides(face) else face
            if other not in turned:
                turned[other] = wanted
                queue.append(other)
            elif side in _sides(turned[other]):
                raise SolverError(f"{name}: the faces form a surface with only one side")
    if len(turned) < len(faces):
        raise SolverError(f"{name}: the faces form several bodies")
    return tuple(turned[number] for number in range(len(faces)))


def _point(spot: NDArray[np.float64]) -> Point:
    return float(spot[0]), float(spot[1])
