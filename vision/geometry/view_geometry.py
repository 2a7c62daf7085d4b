"""Makes a view from a camera's position: the patches of its picture that show each facelet.

This module also computes the brightness of each point of the virtual cube: diffuse light, and
reflections of windows.

Finally, it draws couplers and shafts, which are on the faces' centres, with their shading.
"""

import math
from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_name
from cube.moves import FACES
from vision.colours.palette import GREY_SRGB, METAL_SRGB, Srgb, bgr
from vision.errors import VisionError
from vision.geometry.light import EVEN_LIGHT, Light, Triple
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import COUPLER, FACE_AXES, HALF_MM, Points, Ring, Side, facelet_point
from vision.geometry.view import FaceletPatches, View
from vision.reading import as_polygon

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


SIDES = 24  # of the prism that approximates a cylinder
SUBPIXEL_BITS = 4


def draw_polygon(
    image: NDArray[np.uint8], outline: NDArray[np.float64], colour: tuple[int, ...]
) -> None:
    """Fill a polygon (n, 2), given in fractional pixels, with smoothed edges."""
    points = np.rint(outline * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillPoly(image, [points], colour, cv2.LINE_AA, SUBPIXEL_BITS)


def draw_coupler(
    image: NDArray[np.uint8],
    mask: NDArray[np.uint8] | None,
    camera: Pinhole,
    *,
    face: str,
    colour: Srgb,
    light: Light,
    rings: tuple[Ring, ...] = COUPLER,
) -> None:
    """Draw one face's coupler.

    Args:
        image: (h, w, 3) uint8 BGR, painted on.
        mask: (h, w) uint8, set to 255 under the coupler; or None.
        camera: A camera with the size of the image.
        face: The face that it is on.
        colour: Colour of its coloured rings.
        light: The room.
        rings: Its pieces, from the face outwards.
    """
    eye, axis = camera.position_mm, np.array(FACE_AXES[face].normal, dtype=np.float64)
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


PATCH_PART = 0.15
"""Side of a patch as a share of the cell's side."""

PATCHES_WANTED = 4
"""Maximum number of patches per facelet; more add little."""

_PATCH_STEPS = (-0.55, -0.275, 0.0, 0.275, 0.55)  # in a cell from -1 to 1
_CLEARANCE_PX = 3  # kept between a patch and a coupler, for cameras that are slightly out of place


def view_from(
    camera: Pinhole,
    centres: Mapping[str, str],
    couplers: tuple[Ring, ...] = COUPLER,
) -> View:
    """Make the view of a camera with a known position.

    Each facelet gets up to four patches, none under a coupler or its shaft.

    Args:
        camera: The camera; its lens may bend the picture.
        centres: Colour name of each face, for centres that couplers hide.
        couplers: The rings on each centre, from the face outwards. If there are none,
            the centres are read like any sticker.

    Raises:
        VisionError: The camera does not see any facelet completely.
    """
    seen = camera.faces
    hidden = _hidden_by_couplers(camera, seen, couplers)
    entries = []
    for facelet in (9 * FACES.index(face) + place for face in seen for place in range(9)):
        if couplers and facelet % 9 == 4:
            continue
        patches = [patch for patch in _patches(camera, facelet) if _is_free(patch, hidden)]
        if chosen := _spread(patches):
            polygons = (*[as_polygon(corners, 1) for corners in chosen],)
            entries.append(FaceletPatches(facelet_name(facelet), polygons))
    if not entries:
        raise VisionError("the camera sees no sticker of the cube; aim it at a corner of the cube")
    hidden_centres = {face: centres[face] for face in seen} if couplers else {}
    return View(camera.size, tuple(entries), hidden_centres)


def _hidden_by_couplers(
    camera: Pinhole, faces: str, couplers: tuple[Ring, ...]
) -> NDArray[np.bool_]:
    """Return (h, w): the region of couplers, slightly enlarged."""
    width, height = camera.size
    canvas = np.zeros((height, width, 3), dtype=np.uint8)
    mask = np.zeros((height, width), dtype=np.uint8)
    for face in faces:
        draw_coupler(
            canvas, mask, camera, face=face, colour=GREY_SRGB, light=EVEN_LIGHT, rings=couplers
        )
    reach = 2 * _CLEARANCE_PX + 1
    return np.asarray(cv2.dilate(mask, np.ones((reach, reach), dtype=np.uint8)) > 0)


def _patches(camera: Pinhole, facelet: int) -> NDArray[np.float64]:
    """Return every possible place (n, 4, 2) of a patch of the facelet, in pixels."""
    corners = PATCH_PART * np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
    middles = np.array([(across, down) for down in _PATCH_STEPS for across in _PATCH_STEPS])
    places = (middles[:, None] + corners).reshape(-1, 2)
    points = facelet_point(facelet, places[:, 0], places[:, 1])
    return camera.project(points).reshape(-1, 4, 2)


def _is_free(corners: NDArray[np.float64], hidden: NDArray[np.bool_]) -> bool:
    height, width = hidden.shape
    if corners.min() < _CLEARANCE_PX or (corners > (width - 1, height - 1)).any():
        return False
    points = np.rint(corners).astype(np.int32)
    left, top = points.min(axis=0)
    around = hidden[top : points[:, 1].max() + 1, left : points[:, 0].max() + 1]
    area = np.zeros(around.shape, dtype=np.uint8)
    cv2.fillConvexPoly(area, points - (left, top), (1,))
    return not bool(around[area > 0].any())


def _spread(patches: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Choose patches far from one another, so that one reflection does not cover all of them."""
    if not patches:
        return []
    middles = np.array([patch.mean(axis=0) for patch in patches])
    chosen = [int(np.argmax(np.linalg.norm(middles - middles.mean(axis=0), axis=1)))]
    while len(chosen) < min(PATCHES_WANTED, len(patches)):
        apart = np.linalg.norm(middles[:, None] - middles[chosen], axis=2).min(axis=1)
        chosen.append(int(np.argmax(apart)))
    return [patches[index] for index in sorted(chosen)]
