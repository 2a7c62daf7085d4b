"""Where a camera stands that looks at one face of a cube, from a picture of it."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from vision.faces.finder import find_face
from vision.geometry.pinhole import camera_matrix
from vision.geometry.sampling import as_bgr8
from vision.geometry.scene import facelet_centre
from vision.placement.camera_pose import CameraPose
from vision.placement.known_cube import KnownCube


@dataclass(frozen=True, slots=True)
class FacePose:
    """A camera before one face.

    Attributes:
        pose: Where it stands.
        margin: How much worse the stickers fit when the face is turned in its plane, a mean ΔE.
    """

    pose: CameraPose
    margin: float


def find_face_pose(
    image_bgr: NDArray[np.uint8], face: str, facelets: Facelets, scheme: Mapping[str, str]
) -> FacePose | None:
    """Find a face whose stickers are known; they tell how it is turned in its plane.

    Args:
        image_bgr: (h, w, 3) uint8; all nine stickers in sight.
        face: Which face it is.
        facelets: What the cube shows.
        scheme: Face letter to colour name.

    Returns:
        The camera, or None when there is no face, or no camera can see one so. Where all turns fit
        alike, the face is upright in the picture.
    """
    found = find_face(image_bgr)
    if found is None:
        return None
    known = KnownCube(as_bgr8(image_bgr), facelets, scheme)
    size = image_bgr.shape[1], image_bgr.shape[0]
    seen = np.array([np.mean(each.polygons, axis=(0, 1)) for each in found.stickers])
    places = np.array([facelet_centre(9 * FACES.index(face) + cell) for cell in range(9)])
    grid = np.arange(9).reshape(3, 3)
    fits: list[tuple[float, CameraPose]] = []
    for quarters in range(4):
        turned = np.rot90(grid, quarters).ravel()
        pose = _flat_pose(places[turned], seen, size)
        if pose is not None and face in pose.faces:
            fits.append((known.misfit(pose), pose))
    if not fits:
        return None
    misfit, pose = min(fits, key=lambda fit: fit[0])
    others = [each for each, other in fits if other is not pose]
    return FacePose(pose, min(others, default=float("inf")) - misfit)


def _flat_pose(
    places_mm: NDArray[np.float64], pixels: NDArray[np.float64], size: tuple[int, int]
) -> CameraPose | None:
    """Find the pose by points of one plane (IPPE, Collins and Bartoli 2014).

    They hardly tell the focal length from the distance: it is taken as a webcam's usual one, and
    the distance makes up for that.
    """
    focal_px = float(max(size))
    matrix = camera_matrix(focal_px, size)
    found, turns, shifts = cv2.solvePnP(places_mm, pixels, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None
    rx, ry, rz = (float(value) for value in turns.ravel())
    x, y, z = (float(value) for value in shifts.ravel())
    return CameraPose((rx, ry, rz), (x, y, z), focal_px, 0.0, size)
