"""How bright each point of the virtual cube is: diffuse light, and the mirror images of windows.

Draws couplers and shafts, which stand on the faces' middles, with the light baked in.
"""

import math
from functools import cache
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.colours.palette import METAL_SRGB, Srgb, bgr
from vision.geometry.light import Light, Triple
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import COUPLER, FACE_AXES, HALF_MM, Points, Ring, Side

Plane = NDArray[np.float32]

GRID_PX = 4
"""Light varies slowly: it is computed at every fourth pixel and interpolated between."""
Box = tuple[slice, slice]
"""Rows and columns of a part of a picture."""

_FLANGE_MM = 7.8  # where the shade of a coupler is deepest
_SHADE_REACH_MM = 5.0
_WINDOW_SOFT_DEG = 1.6  # plastic is no perfect mirror
_WINDOW_BAR_DEG = 0.7  # half the width of the bars that divide a window


def shade_factor(
    light: Light, places: NDArray[np.float64], normal: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the diffuse light (n,) on surfaces at `places` (n, 3) mm with one unit normal (3,)."""
    lamp = np.array(light.lamp_mm)
    way = lamp - places
    distance = np.linalg.norm(way, axis=1)
    cosine = np.clip(way @ normal / distance, 0.0, None)
    return np.asarray(light.ambient + light.direct * cosine * (lamp @ lamp) / distance**2)


def box_of(pinhole: Pinhole, side: Side) -> Box:
    """Return the part of the picture, whole cells of the grid, outside of which a side is not seen.

    Args:
        pinhole: The camera.
        side: The side.
    """
    corners = pinhole.project(side.corners)
    first = np.floor((corners.min(axis=0) - 1.0) / GRID_PX).astype(int) * GRID_PX
    last = np.ceil((corners.max(axis=0) + 2.0) / GRID_PX).astype(int) * GRID_PX
    (left, top), (right, bottom) = (
        np.clip(each, 0, pinhole.size).tolist() for each in (first, last)
    )
    return slice(top, bottom), slice(left, right)


def light_on_side(
    pinhole: Pinhole, side: Side, light: Light, coupled: bool, box: Box
) -> tuple[Plane, Plane]:
    """Compute the light on the plane of one side, for every pixel of a part of the picture.

    Args:
        pinhole: The camera.
        side: The side; its plane is taken without end.
        light: The room.
        coupled: Whether a coupler stands on the side's middle and shades it.
        box: The part of the picture, as of `box_of`.

    Returns:
        (h, w) float32 factor on the colour of the surface, and (h, w) float32 added light of
        mirrored windows; both linear, and of the box.
    """
    width, height = pinhole.size
    rows, columns = (_cells(part, most) for part, most in zip(box, (height, width), strict=True))
    middles = [GRID_PX * cells + (GRID_PX / 2 - 0.5) for cells in (columns, rows)]
    rays = pinhole.rays(np.stack(np.meshgrid(*middles), axis=-1).reshape(-1, 2))
    facing = np.minimum(rays @ side.normal, -1e-3)
    reach = ((side.corners[0] - pinhole.position_mm) @ side.normal) / facing
    # Beyond the side itself the plane runs to infinity; nothing there is drawn.
    places = np.asarray(pinhole.position_mm) + np.clip(reach, 0.0, 1000.0)[:, None] * rays
    diffuse = shade_factor(light, places, side.normal) * _unevenness(side, light, places, coupled)
    mirrored = _windows(side, light, places, rays)
    cut = tuple(
        slice(part.start - GRID_PX * cells[0], part.stop - GRID_PX * cells[0])
        for part, cells in zip(box, (rows, columns), strict=True)
    )
    shape = (len(rows), len(columns))
    return _enlarged(diffuse.reshape(shape))[cut], _enlarged(mirrored.reshape(shape))[cut]


def _cells(part: slice, most: int) -> NDArray[np.int64]:
    """Number the cells of the grid in a part of a picture, and one beyond each end if there is."""
    first = max(0, part.start // GRID_PX - 1)
    return np.arange(first, min(-(-part.stop // GRID_PX) + 1, -(-most // GRID_PX)))


def _unevenness(
    side: Side, light: Light, places: NDArray[np.float64], coupled: bool
) -> NDArray[np.float64]:
    """Darken the end of the side that is far from the lamp, and the foot of the coupler."""
    normal = side.normal
    lamp = np.array(light.lamp_mm) / math.hypot(*light.lamp_mm)
    from_middle = places - (side.corners[0] @ normal) * normal
    factor = np.clip(1.0 + light.gradient * (from_middle @ lamp) / HALF_MM, 0.05, None)
    if coupled:
        from_axis = np.linalg.norm(from_middle - np.outer(from_middle @ normal, normal), axis=1)
        beside = np.clip(from_axis - _FLANGE_MM, 0.0, None) / _SHADE_REACH_MM
        factor *= 1.0 - light.coupler_shade * np.exp(-(beside**2))
    return np.asarray(factor)


def _windows(
    side: Side, light: Light, places: NDArray[np.float64], rays: NDArray[np.float64]
) -> NDArray[np.float64]:
    if light.gloss == 0.0:
        return np.zeros(len(places))
    cosine = rays @ side.normal
    mirrored = rays - 2.0 * np.outer(cosine, side.normal)
    seen = np.zeros(len(places))
    for window in light.windows_mm:
        across, along, middle = (mirrored @ _window_axes(window)).T
        ahead = np.clip(middle, 1e-6, None)
        x_deg, y_deg = np.degrees(np.arctan2((across, along), ahead))
        pane = _edge(light.window_deg - np.abs(x_deg)) * _edge(light.window_deg - np.abs(y_deg))
        bars = _edge(np.abs(x_deg) - _WINDOW_BAR_DEG) * _edge(np.abs(y_deg) - _WINDOW_BAR_DEG)
        seen += pane * (0.4 + 0.6 * bars)
    # Schlick's approximation, scaled so that `gloss` is the strength seen from straight ahead.
    return np.asarray(light.gloss * seen * (1.0 + 4.0 * (1.0 - np.abs(cosine)) ** 5))


@cache
def _window_axes(window: Triple) -> NDArray[np.float64]:
    """Return (3, 3) unit columns: across a window, along it, and to its middle."""
    middle = np.array(window) / math.hypot(*window)
    across = np.cross(middle, (0.0, 1.0, 0.0))
    across /= np.linalg.norm(across)
    return np.stack([across, np.cross(across, middle), middle], axis=1)


def _edge(inside_deg: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rise from 0 to 1 where the value passes 0, softly."""
    return np.asarray(1.0 / (1.0 + np.exp(np.clip(-3.0 * inside_deg / _WINDOW_SOFT_DEG, -40, 40))))


def _enlarged(values: NDArray[np.float64]) -> Plane:
    full = (values.shape[1] * GRID_PX, values.shape[0] * GRID_PX)
    large = cv2.resize(values.astype(np.float32), full, interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, dtype=np.float32)


SIDES = 24  # of the prism that stands for a cylinder
SUBPIXEL_BITS = 4


class Projection(Protocol):
    """A camera: a pinhole, or one with a lens."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture in pixels."""

    @property
    def position_mm(self) -> ArrayLike:
        """Where it stands, (3,) in the cube's axes."""

    def project(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Project points (n, 3) in mm to pixels (n, 2)."""


def draw_polygon(
    image: NDArray[np.uint8], outline: NDArray[np.float64], colour: tuple[int, ...]
) -> None:
    """Fill a polygon (n, 2) given in pixels with parts, edges smoothed."""
    points = np.rint(outline * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillPoly(image, [points], colour, cv2.LINE_AA, SUBPIXEL_BITS)


def draw_coupler(
    image: NDArray[np.uint8],
    mask: NDArray[np.uint8] | None,
    camera: Projection,
    *,
    face: str,
    colour: Srgb,
    light: Light,
    rings: tuple[Ring, ...] = COUPLER,
) -> None:
    """Draw one face's coupler.

    Args:
        image: (h, w, 3) uint8 BGR, painted on.
        mask: (h, w) uint8, set to 255 where the coupler is; or None.
        camera: A camera with the size of the image.
        face: The face whose axis it stands on.
        colour: Of its coloured rings.
        light: The room.
        rings: Its pieces, from the face outwards.
    """
    eye, axis = np.asarray(camera.position_mm), np.array(FACE_AXES[face].normal, dtype=np.float64)
    # From behind, the far end is the one nearer to the face.
    for ring in rings if eye @ axis > HALF_MM else rings[::-1]:
        ink = colour if ring.coloured else METAL_SRGB
        near, far = _circle(face, ring, ring.start_mm), _circle(face, ring, ring.end_mm)
        for number in range(SIDES):
            following = (number + 1) % SIDES
            quad = np.array([near[number], near[following], far[following], far[number]])
            middle = quad.mean(axis=0)
            outward = near[number] + near[following]
            outward = outward - (outward @ axis) * axis
            outward /= np.linalg.norm(outward)
            if outward @ (eye - middle) > 0.0:
                rib = 0.86 if ring.coloured and number % 6 == 0 else 1.0
                shade = rib * float(shade_factor(light, middle[None], outward)[0])
                _paint(image, mask, camera.project(quad), ink, shade)
        for place, circle, direction in ((ring.start_mm, near, -axis), (ring.end_mm, far, axis)):
            if direction @ (eye - (HALF_MM + place) * axis) > 0.0:
                shade = float(shade_factor(light, circle.mean(axis=0)[None], direction)[0])
                _paint(image, mask, camera.project(circle), ink, shade)


def _circle(face: str, ring: Ring, height_mm: float) -> Points:
    axes = FACE_AXES[face]
    angles = np.arange(SIDES) * 2.0 * math.pi / SIDES
    around = np.outer(np.cos(angles), axes.right) + np.outer(np.sin(angles), axes.down)
    return np.asarray((HALF_MM + height_mm) * np.array(axes.normal) + ring.radius_mm * around)


def _paint(
    image: NDArray[np.uint8],
    mask: NDArray[np.uint8] | None,
    outline: NDArray[np.float64],
    colour: Srgb,
    shade: float,
) -> None:
    # A factor on light is about its 2.2th root on encoded levels.
    factor = shade ** (1.0 / 2.2)
    draw_polygon(image, outline, tuple(min(255, round(level * factor)) for level in bgr(colour)))
    if mask is not None:
        draw_polygon(mask, outline, (255,))
