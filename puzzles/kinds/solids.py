"""The five regular solids, with computed coordinates."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from string import ascii_uppercase

import numpy as np
from numpy.typing import NDArray

from solver.errors import SolverError

_GOLDEN = (1 + 5**0.5) / 2
_CLOSE = 1e-6

Points = NDArray[np.float64]


def _cyclic(*points: tuple[float, ...]) -> list[tuple[float, ...]]:
    return [point[i:] + point[:i] for point in points for i in range(3)]


def _signs(*sizes: float) -> list[tuple[float, ...]]:
    return sorted(set(product(*((-size, size) for size in sizes))))


_VERTICES = {
    "tetrahedron": [point for point in _signs(1, 1, 1) if np.prod(point) > 0],
    "cube": _signs(1, 1, 1),
    "octahedron": _cyclic((1, 0, 0), (-1, 0, 0)),
    "dodecahedron": _signs(1, 1, 1) + _cyclic(*_signs(0, 1 / _GOLDEN, _GOLDEN)),
    "icosahedron": _cyclic(*_signs(0, 1, _GOLDEN)),
}
SOLIDS = tuple(_VERTICES)


@dataclass(frozen=True)
class Solid:
    """A convex polyhedron in space.

    Attributes:
        name: Its name.
        vertices: Shape (vertices, 3), with the first face on top (its normal is +z).
        faces: The vertices of each face, anticlockwise seen from outside.
    """

    name: str
    vertices: Points
    faces: tuple[tuple[int, ...], ...]

    @cached_property
    def normals(self) -> Points:
        """Return unit normals of the faces, outwards, shape (faces, 3)."""
        rows = np.array([self.vertices[list(face)].mean(axis=0) for face in self.faces])
        unit: Points = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Return pairs of vertices, the smaller number first."""
        pairs = {
            (min(a, b), max(a, b))
            for face in self.faces
            for a, b in zip(face, face[1:] + face[:1], strict=True)
        }
        return tuple(sorted(pairs))

    def turned(self, axis: Points, angle: float) -> tuple[list[int], list[int]]:
        """Return the images of vertices and faces under an anticlockwise turn about an axis."""
        matrix = rotation(axis, angle)
        return (
            _nearest(self.vertices @ matrix.T, self.vertices),
            _nearest(self.normals @ matrix.T, self.normals),
        )


def face_letters(count: int) -> tuple[str, ...]:
    """Return a letter for each face, from top to bottom."""
    return tuple(ascii_uppercase[:count])


def rotation(axis: Points, angle: float) -> Points:
    """Return the matrix of a rotation about a unit axis, anticlockwise (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix: Points = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return matrix


def regular_solid(name: str) -> Solid:
    """Return one of the five regular solids.

    Raises:
        SolverError: There is no such solid.
    """
    if name not in _VERTICES:
        raise SolverError(f"{name!r} is not a regular solid; choose one of {', '.join(SOLIDS)}")
    vertices = np.array(_VERTICES[name], dtype=float)
    faces = _hull(vertices)
    top = vertices[list(faces[0])].mean(axis=0)
    vertices = vertices @ _upright(top / np.linalg.norm(top)).T
    vertices /= np.linalg.norm(vertices[0])
    normals = np.array([vertices[list(face)].mean(axis=0) for face in faces]).round(6)
    angles = np.arctan2(normals[:, 1], normals[:, 0]).round(6)
    order = sorted(range(len(faces)), key=lambda i: (-normals[i, 2], angles[i]))
    return Solid(name, vertices, tuple(faces[i] for i in order))


def _hull(vertices: Points) -> list[tuple[int, ...]]:
    """Return the faces: planes through three vertices with all others on one side."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for a, b, c in combinations(range(len(vertices)), 3):
        normal = np.cross(vertices[b] - vertices[a], vertices[c] - vertices[a])
        if np.linalg.norm(normal) < _CLOSE:
            continue
        heights = (vertices - vertices[a]) @ normal
        if heights.max() > _CLOSE:
            heights, normal = -heights, -normal
        if heights.max() > _CLOSE:
            continue
        members = np.flatnonzero(heights > -_CLOSE)
        centre = vertices[members].mean(axis=0)
        first = vertices[members[0]] - centre
        second = np.cross(normal / np.linalg.norm(normal), first)
        around = vertices[members] - centre
        angles = np.arctan2(around @ second, around @ first)
        found[frozenset(members.tolist())] = tuple(members[np.argsort(angles)].tolist())
    return list(found.values())


def _upright(direction: Points) -> Points:
    """Return a rotation that maps a unit direction to +z."""
    axis = np.cross(direction, [0, 0, 1])
    size = np.linalg.norm(axis)
    if size < _CLOSE:
        return np.diag([1.0, np.sign(direction[2]), np.sign(direction[2])])
    return rotation(axis / size, float(np.arctan2(size, direction[2])))


def _nearest(points: Points, among: Points) -> list[int]:
    return [int(i) for i in np.linalg.norm(points[:, None] - among, axis=2).argmin(axis=1)]
