"""The cube and the rig's couplers as shapes in space, in millimetres."""

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from cube.moves import FACES

Points = NDArray[np.float64]

CUBE_SIDE_MM = 57.0
"""The side of the original cube and of most cubes since."""

CELL_MM = CUBE_SIDE_MM / 3.0
HALF_MM = CUBE_SIDE_MM / 2.0

_ARC_STEPS = 5  # points on a quarter of a rounded corner


@dataclass(frozen=True, slots=True)
class FaceAxes:
    """The directions of a face, seen from outside as in the net: its rows run down, left to right.

    Attributes:
        normal: Out of the cube.
        right: Along a row.
        down: From row to row.
    """

    normal: tuple[int, int, int]
    right: tuple[int, int, int]
    down: tuple[int, int, int]


FACE_AXES = {
    "U": FaceAxes((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    "R": FaceAxes((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "F": FaceAxes((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    "D": FaceAxes((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    "L": FaceAxes((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "B": FaceAxes((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
}
"""Kociemba's order of facelets, in space."""


@dataclass(frozen=True, slots=True)
class CubeStyle:
    """The appearance of a cube.

    Attributes:
        inset: Width of the plastic rim around a sticker, as a share of the cell's side.
        radius: Radius of a sticker's corners, as a share of the cell's side.
        inner_radius: Radius of the corners where four cells of a face meet, and of all corners of a
            centre.
        body_srgb: Colour of the plastic between the stickers, 0..255.
    """

    inset: float
    radius: float
    inner_radius: float
    body_srgb: tuple[int, int, int]


STICKERED = CubeStyle(inset=0.065, radius=0.10, inner_radius=0.10, body_srgb=(18, 18, 20))
STICKERLESS = CubeStyle(inset=0.012, radius=0.03, inner_radius=0.30, body_srgb=(26, 26, 28))


@dataclass(frozen=True, slots=True)
class TurningFace:
    """A face that is between two detents.

    Attributes:
        face: The face that turns.
        angle_deg: Clockwise as seen from outside.
    """

    face: str
    angle_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One side of a convex block.

    Attributes:
        face: The face of the cube that it belongs to, or that it would belong to in a whole cube.
        corners: (4, 3) clockwise as seen from outside.
        normal: (3,) out of the block.
        facelets: Its facelets.
    """

    face: str
    corners: Points
    normal: Points
    facelets: tuple[int, ...]

    def seen_from(self, place: ArrayLike) -> bool:
        """Return whether an eye at `place` (3,) sees this side from outside."""
        return bool(self.normal @ (np.asarray(place) - self.corners[0]) > 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A convex part of the cube that turns as one.

    Attributes:
        sides: Six.
        rotation: (3, 3), from the block at rest to its present position.
    """

    sides: tuple[Side, ...]
    rotation: Points


@dataclass(frozen=True, slots=True)
class Ring:
    """A piece of a coupler: a cylinder around a face's axis, outwards from the face.

    Attributes:
        radius_mm: Its radius.
        start_mm: Its beginning, measured from the face.
        end_mm: Its end.
        coloured: Whether it has the colour of the centre that it covers (otherwise it is dark
            metal).
    """

    radius_mm: float
    start_mm: float
    end_mm: float
    coloured: bool = True


COUPLER = (Ring(7.8, 0.0, 2.5), Ring(5.4, 2.5, 8.5), Ring(2.2, 8.5, 80.0, coloured=False))
"""The parts on a centre: a flange on the cap, a hub, and the motor's shaft."""


def facelet_centre(facelet: int) -> Points:
    """Return the middle (3,) of a facelet."""
    axes = FACE_AXES[FACES[facelet // 9]]
    row, column = divmod(facelet % 9, 3)
    return np.asarray(
        HALF_MM * np.array(axes.normal)
        + CELL_MM * ((column - 1) * np.array(axes.right) + (row - 1) * np.array(axes.down))
    )


def facelet_point(facelet: int, across: ArrayLike, down: ArrayLike) -> Points:
    """Return points of a facelet, whose cell runs from -1 to 1.

    Args:
        facelet: 0 to 53.
        across: Along the row, a number or (n,).
        down: From row to row, likewise.

    Returns:
        (3,) or (n, 3) mm.
    """
    axes = FACE_AXES[FACES[facelet // 9]]
    offset = np.multiply.outer(across, axes.right) + np.multiply.outer(down, axes.down)
    return np.asarray(facelet_centre(facelet) + CELL_MM / 2.0 * offset)


@cache
def sticker_outline(facelet: int, style: CubeStyle) -> Points:
    """Return the outline (n, 3) of a facelet's sticker, clockwise as seen from outside."""
    axes = FACE_AXES[FACES[facelet // 9]]
    row, column = divmod(facelet % 9, 3)
    half = CELL_MM * (0.5 - style.inset)
    outline = []
    for number, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        inner = abs(row - 1 + y) <= 1 and abs(column - 1 + x) <= 1
        radius = CELL_MM * (style.inner_radius if inner else style.radius)
        start_deg = 180.0 + 90.0 * number
        for step in range(_ARC_STEPS):
            angle = math.radians(start_deg + 90.0 * step / (_ARC_STEPS - 1))
            outline.append(
                (
                    x * (half - radius) + radius * math.cos(angle),
                    y * (half - radius) + radius * math.sin(angle),
                )
            )
    local = np.array(outline)
    plane = np.stack([axes.right, axes.down]).astype(np.float64)
    points = np.asarray(facelet_centre(facelet) + local @ plane)
    points.flags.writeable = False  # the result is cached
    return points


def blocks(turn: TurningFace | None = None) -> tuple[Block, ...]:
    """Return the cube's convex parts: one, or the rest and the layer between detents."""
    low, high = -HALF_MM * np.ones(3), HALF_MM * np.ones(3)
    if turn is None or turn.angle_deg == 0.0:
        return (_block(low, high, frozenset(range(54)), np.eye(3)),)
    normal = np.array(FACE_AXES[turn.face].normal, dtype=np.float64)
    cut = HALF_MM - CELL_MM
    layer = frozenset(i for i in range(54) if float(facelet_centre(i) @ normal) > cut)
    # Each block is the cube, cut at the plane between the layer and the rest.
    rest_low, rest_high = np.where(normal < 0, -cut, low), np.where(normal > 0, cut, high)
    layer_low, layer_high = np.where(normal > 0, cut, low), np.where(normal < 0, -cut, high)
    return (
        _block(rest_low, rest_high, frozenset(range(54)) - layer, np.eye(3)),
        _block(layer_low, layer_high, layer, rotation_about(normal, -turn.angle_deg)),
    )


def rotation_about(axis: Points, angle_deg: float) -> Points:
    """Return the rotation (3, 3) about a unit axis, counter-clockwise as seen from its tip."""
    return np.asarray(cv2.Rodrigues(math.radians(angle_deg) * axis)[0])


def _block(low: Points, high: Points, facelets: frozenset[int], rotation: Points) -> Block:
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    sides = []
    for face, axes in FACE_AXES.items():
        normal, right, down = (
            np.array(v, dtype=np.float64) for v in (axes.normal, axes.right, axes.down)
        )
        corners = np.array(
            [
                middle + half * (normal + x * right + y * down)
                for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
        )
        on_surface = abs(float(corners[0] @ normal) - HALF_MM) < 1e-6
        first = 9 * FACES.index(face)
        carried = sorted(facelets & set(range(first, first + 9))) if on_surface else []
        sides.append(Side(face, corners @ rotation.T, rotation @ normal, tuple(carried)))
    return Block(tuple(sides), rotation)
