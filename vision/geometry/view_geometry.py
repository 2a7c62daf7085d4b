"""Makes a view from a camera's position: the patches of its picture that show each facelet."""

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_name
from cube.moves import FACES
from vision.colours.palette import GREY_SRGB
from vision.errors import VisionError
from vision.geometry.couplers import draw_coupler
from vision.geometry.light import EVEN_LIGHT
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import COUPLER, Ring, facelet_point
from vision.geometry.view import FaceletPatches, View
from vision.reading import as_polygon

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
