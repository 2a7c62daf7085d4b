"""Finds a whole cube in a picture of one of its corners, when it is known what it shows."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from vision.faces.finder import find_regions
from vision.geometry.sampling import as_bgr8
from vision.placement.camera_pose import CameraPose
from vision.placement.corner_search import CornerSearch
from vision.placement.known_cube import KnownCube

Array = NDArray[np.float64]

SURE_AGREEMENT = 0.85
"""Agreement from which on no other pose is tried."""

LEAST_AGREEMENT = 0.6
"""Agreement below which there is no cube: the best pose before pictures of one face, of another
cube or of none stays below it; right poses have 0.75 and more, even where a face mirrors a lamp."""

_MOST_POSES = 3
# What a mean ΔE of misfit takes from the agreement when poses are compared.
_MISFIT_WORTH = 0.03
# What moves a camera in a simplex: turns (radians), shifts (mm), focal length (its logarithm) and
# distortion; and what it costs to go far from the start, and to bend the picture.
_SIMPLEX_STEPS = np.array([0.08, 0.08, 0.08, 6.0, 6.0, 12.0, 0.1, 0.05])
_START_WEIGHT, _DISTORTION_WEIGHT = 0.02, 7.0
# A fresh simplex goes on where one ended while the colours agree better by so much, ΔE.
_MOST_SIMPLEXES, _LEAST_GAIN = 5, 0.1


def find_cube(
    image_bgr: NDArray[np.uint8], facelets: Facelets, scheme: Mapping[str, str], corner: str = ""
) -> CameraPose | None:
    """Find a cube whose colours are known.

    Args:
        image_bgr: (h, w, 3) uint8; three faces of the cube in sight.
        facelets: What the cube shows.
        scheme: Face letter to colour name.
        corner: The three faces in sight, such as "URF", when it is known.

    Returns:
        The camera before the cube, or None when there is none.
    """
    image = as_bgr8(image_bgr)
    known = KnownCube(image, facelets, scheme)
    search = CornerSearch(known, find_regions(image), (image.shape[1], image.shape[0]))
    best, most = None, -np.inf
    for start in search.best_poses(_MOST_POSES, corner):
        pose = _polished(start, known)
        agreement = known.agreement(pose)
        if len(pose.faces) < 3 or agreement < LEAST_AGREEMENT:
            continue
        if (worth := agreement - _MISFIT_WORTH * known.misfit(pose)) > most:
            best, most = pose, worth
        if agreement >= SURE_AGREEMENT:
            break
    return best


def _polished(pose: CameraPose, known: KnownCube) -> CameraPose:
    """Move the camera until stickers of one colour look most alike (Nelder and Mead 1965).

    A simplex may stall before the best place, so fresh ones go on from there.
    """
    before = float("inf")
    for _ in range(_MOST_SIMPLEXES):
        pose, cost = _one_simplex(pose, known)
        if cost > before - _LEAST_GAIN:
            break
        before = cost
    return pose


def _one_simplex(pose: CameraPose, known: KnownCube) -> tuple[CameraPose, float]:
    from scipy.optimize import minimize

    start = np.array([*pose.rotation, *pose.translation_mm, np.log(pose.focal_px), pose.distortion])

    def moved(steps: Array) -> CameraPose:
        rx, ry, rz, tx, ty, tz, log_focal, k1 = (float(v) for v in start + steps * _SIMPLEX_STEPS)
        shift = (tx, ty, max(tz, 60.0))
        return CameraPose((rx, ry, rz), shift, float(np.exp(log_focal)), k1, pose.size)

    def cost(steps: Array) -> float:
        there = moved(steps)
        far = _START_WEIGHT * float(steps @ steps) + _DISTORTION_WEIGHT * there.distortion**2
        return known.misfit(there) + far

    simplex = np.vstack([np.zeros(8), np.eye(8)])
    limits = {"initial_simplex": simplex, "maxfev": 700, "xatol": 0.01, "fatol": 0.01}
    found = minimize(cost, np.zeros(8), method="Nelder-Mead", options=limits)
    return moved(np.asarray(found.x)), float(found.fun)
