"""The brightness of each point of the virtual cube: diffuse light, and reflections of windows."""

import math
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.light import Light, Triple
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import HALF_MM, Side

Plane = NDArray[np.float32]

GRID_PX = 4
"""Light varies slowly: it is computed at every fourth pixel and interpolated in between."""
Box = tuple[slice, slice]
"""Rows and columns of a part of a picture."""

_FLANGE_MM = 7.8  # where the shade of a coupler is deepest
_SHADE_REACH_MM = 5.0
_WINDOW_SOFT_DEG = 1.6  # plastic is not a perfect mirror
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
    """Return the part of the picture, in whole cells of the grid, that contains a side."""
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
        side: The side; its plane is infinite.
        light: The room.
        coupled: Whether there is a coupler on the side's centre that shades it.
        box: The part of the picture, as in `box_of`.

    Returns:
        (h, w) float32 factor on the colour of the surface, and (h, w) float32 added light of
        reflected windows; both linear, and of the box.
    """
    width, height = pinhole.size
    rows, columns = (_cells(part, most) for part, most in zip(box, (height, width), strict=True))
    middles = [GRID_PX * cells + (GRID_PX / 2 - 0.5) for cells in (columns, rows)]
    rays = pinhole.rays(np.stack(np.meshgrid(*middles), axis=-1).reshape(-1, 2))
    facing = np.minimum(rays @ side.normal, -1e-3)
    reach = ((side.corners[0] - pinhole.position_mm) @ side.normal) / facing
    # Beyond the side itself the plane extends to infinity; nothing there is drawn.
    places = pinhole.position_mm + np.clip(reach, 0.0, 1000.0)[:, None] * rays
    diffuse = shade_factor(light, places, side.normal) * _unevenness(side, light, places, coupled)
    mirrored = _windows(side, light, places, rays)
    cut = tuple(
        slice(part.start - GRID_PX * cells[0], part.stop - GRID_PX * cells[0])
        for part, cells in zip(box, (rows, columns), strict=True)
    )
    shape = (len(rows), len(columns))
    return _enlarged(diffuse.reshape(shape))[cut], _enlarged(mirrored.reshape(shape))[cut]


def _cells(part: slice, most: int) -> NDArray[np.int64]:
    """Return the numbers of the grid cells in a part of a picture, and one more at each end."""
    first = max(0, part.start // GRID_PX - 1)
    return np.arange(first, min(-(-part.stop // GRID_PX) + 1, -(-most // GRID_PX)))


def _unevenness(
    side: Side, light: Light, places: NDArray[np.float64], coupled: bool
) -> NDArray[np.float64]:
    """Darken the end of the side that is far from the lamp, and the surroundings of the coupler."""
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
    """Rise smoothly from 0 to 1 where the value passes 0."""
    return np.asarray(1.0 / (1.0 + np.exp(np.clip(-3.0 * inside_deg / _WINDOW_SOFT_DEG, -40, 40))))


def _enlarged(values: NDArray[np.float64]) -> Plane:
    full = (values.shape[1] * GRID_PX, values.shape[0] * GRID_PX)
    large = cv2.resize(values.astype(np.float32), full, interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, dtype=np.float32)
