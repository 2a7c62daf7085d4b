"""The default rig's two corner cameras, a camera before a hand-held face, and the rig's views."""

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_name
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.background import Background
from vision.couplers import draw_coupler
from vision.errors import VisionError
from vision.light import EVEN_LIGHT
from vision.palette import GREY_SRGB
from vision.pinhole import Pinhole, Vector
from vision.render import Viewpoint
from vision.scene import FACE_AXES, HALF_MM, Couplers, blocks, facelet_point, rotation_about
from vision.view import FaceletPatches, Polygon, View

CORNER_CAMERAS = {
    "A": Pinhole((90.0, 69.0, 127.0), (2.0, 2.0, 2.0), focal_px=720.0, roll_deg=9.0),
    "B": Pinhole((-125.0, -71.0, -90.0), (-2.0, -2.0, -2.0), focal_px=720.0, roll_deg=-7.0),
}
"""A looks at the corner of U, R and F, B at the opposite one of D, L and B."""

PATCH_PART = 0.15
"""Side of a patch as a share of the cell's side."""

PATCHES_WANTED = 4
"""At most so many patches a facelet; more tell little."""

_PATCH_STEPS = (
    -0.55,
    -0.275,
    0.0,
    0.275,
    0.55,
)  # in a cell from -1 to 1
_CLEARANCE_PX = 3  # kept between a patch and a coupler, for cameras that are not quite in place


def corner_viewpoint(camera: str, couplers: Couplers = Couplers.CENTRE_COLOUR) -> Viewpoint:
    """Return the place of the default rig's camera "A" or "B".

    Raises:
        VisionError: the rig has no such camera.
    """
    if camera not in CORNER_CAMERAS:
        raise VisionError(f"the default rig has no camera {camera!r}, only A and B")
    return Viewpoint(f"virtual camera {camera}", CORNER_CAMERAS[camera], couplers, Background.RIG)


def hand_held_viewpoint(
    face: str,
    *,
    roll_deg: float = 0.0,
    tilt_deg: float = 0.0,
    pan_deg: float = 0.0,
    distance_mm: float = 160.0,
    shift_mm: tuple[float, float] = (0.0, 0.0),
    size: tuple[int, int] = (640, 480),
    background: Background = Background.DESK,
) -> Viewpoint:
    """Return the place of a webcam before which a person holds one face, upright as in the net.

    Args:
        face: the face shown.
        roll_deg: turns the face clockwise in the picture.
        tilt_deg: shows more of the upper neighbour when positive.
        pan_deg: shows more of the right neighbour when positive.
        distance_mm: from the face's middle.
        shift_mm: moves the face right and down in the picture.
        size: width and height of the picture in pixels.
        background: what is behind the cube.

    Raises:
        VisionError: there is no such face, or it is turned out of sight.
    """
    if face not in FACE_AXES:
        raise VisionError(f"{face!r} is no face; the faces are {' '.join(FACES)}")
    if not (abs(tilt_deg) < 80.0 and abs(pan_deg) < 80.0 and distance_mm > 2.0 * HALF_MM):
        raise VisionError("a face must be tilted by less than 80° and be 57 mm away or more")
    normal, right, down = (
        np.array(v, dtype=np.float64)
        for v in (FACE_AXES[face].normal, FACE_AXES[face].right, FACE_AXES[face].down)
    )
    turned = rotation_about(down, -pan_deg) @ rotation_about(right, -tilt_deg)
    middle = HALF_MM * normal - shift_mm[0] * right - shift_mm[1] * down
    return Viewpoint(
        f"virtual webcam at {face}",
        Pinhole(
            _vector(middle + distance_mm * (turned @ normal)),
            _vector(middle),
            focal_px=0.95 * size[0],
            size=size,
            roll_deg=-roll_deg,
            up=_vector(-(turned @ down)),
        ),
        Couplers.NONE,
        background,
    )


def default_views(scheme: Mapping[str, str] = WESTERN_SCHEME) -> tuple[View, View]:
    """Return the views of the default rig's cameras A and B, from the rig's own geometry.

    Each facelet gets up to four patches, none under a coupler or its shaft; the centres, which the
    couplers hide, get the colours of the scheme.
    """
    return (_view(CORNER_CAMERAS["A"], scheme), _view(CORNER_CAMERAS["B"], scheme))


def _view(pinhole: Pinhole, scheme: Mapping[str, str]) -> View:
    sides = [side for side in blocks()[0].sides if side.seen_from(pinhole.position_mm)]
    hidden = _hidden_by_couplers(pinhole, [side.face for side in sides])
    entries = []
    for facelet in (facelet for side in sides for facelet in side.facelets if facelet % 9 != 4):
        patches = [patch for patch in _patches(pinhole, facelet) if _is_free(patch, hidden)]
        if chosen := _spread(patches):
            polygons = tuple(_polygon(corners) for corners in chosen)
            entries.append(FaceletPatches(facelet_name(facelet), polygons))
    centres = {side.face: scheme[side.face] for side in sides}
    return View(pinhole.size, tuple(entries), centres)


def _hidden_by_couplers(pinhole: Pinhole, faces: list[str]) -> NDArray[np.bool_]:
    """Return (h, w): where a coupler is or almost is."""
    width, height = pinhole.size
    canvas = np.zeros((height, width, 3), dtype=np.uint8)
    mask = np.zeros((height, width), dtype=np.uint8)
    for face in faces:
        draw_coupler(canvas, mask, pinhole, face=face, colour=GREY_SRGB, light=EVEN_LIGHT)
    reach = 2 * _CLEARANCE_PX + 1
    return np.asarray(cv2.dilate(mask, np.ones((reach, reach), dtype=np.uint8)) > 0)


def _patches(pinhole: Pinhole, facelet: int) -> NDArray[np.float64]:
    """Return every place (n, 4, 2) in pixels where a patch of the facelet may lie."""
    corners = PATCH_PART * np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
    middles = np.array([(across, down) for down in _PATCH_STEPS for across in _PATCH_STEPS])
    places = (middles[:, None] + corners).reshape(-1, 2)
    points = facelet_point(facelet, places[:, 0], places[:, 1])
    return pinhole.project(points).reshape(-1, 4, 2)


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


def _polygon(corners: NDArray[np.float64]) -> Polygon:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    return a, b, c, d


def _vector(values: NDArray[np.float64]) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
