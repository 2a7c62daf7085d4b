"""The position of a camera before the cube, from points of the cube in its picture."""

import cv2
import numpy as np
from numpy.typing import ArrayLike

from cube.facelets import facelet_index
from vision.errors import VisionError
from vision.geometry.pinhole import Array, Pinhole, Size, camera_matrix, vector
from vision.geometry.scene import HALF_MM, facelet_centre
from vision.geometry.view import View

# Focal lengths tried first, as shares of the picture's longer side: from a wide action camera to a
# zoomed phone.
_FOCAL_SHARES = tuple(np.geomspace(0.5, 3.0, 12).tolist())
# Standard deviations of a webcam's focal length from its usual share of the longer side (in
# logarithms), and of its radial distortion from 0. They decide if the points do not.
_USUAL_FOCAL_SHARE, _FOCAL_SPREAD, _DISTORTION_SPREAD = 1.0, 0.7, 0.12
# A point with a larger error in pixels than this, at 640 pixels width, counts less and less.
_SOFT_MISS_PX = 2.0
_IMPOSSIBLE = "no camera can see these points like this; check their names and positions"
LEAST_POINTS = 4
"""Minimum number of points for a pose."""


def fit_pose(
    places_mm: ArrayLike, pixels: ArrayLike, size: Size, *, with_lens: bool = True
) -> Pinhole:
    """Find the pose, focal length and distortion that project points of the cube to their pixels.

    Perspective-n-point (SQPnP, Terzakis and Lourakis 2020) for several focal lengths, then least
    squares over all parameters, with a robust loss.

    Args:
        places_mm: (n, 3) points of the cube.
        pixels: (n, 2) their positions in the picture.
        size: Width and height of the picture.
        with_lens: Also find the distortion; needs points in more than one plane.

    Raises:
        VisionError: There are fewer than four points, or no camera can see them like this.
    """
    from scipy.optimize import least_squares

    places = np.asarray(places_mm, dtype=np.float64)
    seen = np.asarray(pixels, dtype=np.float64)
    if len(places) < LEAST_POINTS or len(places) != len(seen):
        raise VisionError(
            f"a pose needs {LEAST_POINTS} points of the cube, but there are {len(places)}"
        )
    first = _first_guess(places, seen, size)
    usual = np.log(_USUAL_FOCAL_SHARE * max(size))
    soft = _SOFT_MISS_PX * max(size) / 640.0

    def misses(parameters: Array) -> Array:
        off = (camera_of(parameters, size, with_lens=with_lens).project(places) - seen) / soft
        prior = [(parameters[6] - usual) / _FOCAL_SPREAD, parameters[7] / _DISTORTION_SPREAD]
        return np.concatenate([off.ravel(), 0.3 * np.array(prior)])

    found = least_squares(misses, first, loss="soft_l1", x_scale=(0.1, 0.1, 0.1, 9, 9, 9, 0.1, 0.1))
    if not np.isfinite(found.x).all() or found.x[5] <= HALF_MM:
        raise VisionError(_IMPOSSIBLE)
    return camera_of(found.x, size, with_lens=with_lens)


def _first_guess(places: Array, seen: Array, size: Size) -> Array:
    best: tuple[float, Array] | None = None
    for share in _FOCAL_SHARES:
        focal = share * max(size)
        try:
            came, turns, shifts, _ = cv2.solvePnPGeneric(
                places, seen, camera_matrix(focal, size), None, flags=cv2.SOLVEPNP_SQPNP
            )
        except cv2.error:  # coincident points, or not finite
            continue
        for turn, shift in zip(turns, shifts, strict=True) if came else ():
            parameters = np.array([*turn.ravel(), *shift.ravel(), np.log(focal), 0.0])
            off = camera_of(parameters, size).project(places) - seen
            miss = float(np.mean(np.sum(off**2, axis=1)))
            if parameters[5] > HALF_MM and (best is None or miss < best[0]):
                best = miss, parameters
    if best is None:
        raise VisionError(_IMPOSSIBLE)
    return best[1]


def camera_of(parameters: Array, size: Size, *, with_lens: bool = True) -> Pinhole:
    """Return the camera of eight numbers: rotation, shift, the focal's logarithm, distortion."""
    distortion = float(parameters[7]) if with_lens else 0.0
    focal_px = float(np.exp(parameters[6]))
    return Pinhole(vector(parameters[:3]), vector(parameters[3:6]), focal_px, size, distortion)


def view_pinhole(view: View, *, with_lens: bool = False) -> Pinhole:
    """Return a camera that sees the facelets about where a view has them.

    Raises:
        VisionError: It shows too few facelets, or no camera can see them like this.
    """
    places = [facelet_centre(facelet_index(entry.name)) for entry in view.facelet]
    seen = [np.array(entry.polygons).reshape(-1, 2).mean(axis=0) for entry in view.facelet]
    return fit_pose(places, seen, view.image_size, with_lens=with_lens)
