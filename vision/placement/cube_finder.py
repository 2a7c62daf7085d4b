"""Finds a whole cube in a picture of one of its corners, when it is known what it shows.

A search over all cameras that look at a corner gives a first pose; else faces that are found one by
one give it, and the regions that lie where it expects stickers correct it. The known colours tell
which corner of the cube it is, and draw the pose to its place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from vision.errors import VisionError
from vision.faces.finder import SeenFace, find_faces, find_regions
from vision.geometry.sampling import as_bgr8
from vision.geometry.scene import HALF_MM, facelet_centre, facelet_point
from vision.placement.corner_search import CornerSearch
from vision.placement.cube_colours import KnownCube, rotations
from vision.placement.cube_pose import CameraPose, fit_pose

Array = NDArray[np.float64]

_CENTRES = np.array([facelet_centre(facelet) for facelet in range(54)])
_FRONT = slice(9 * FACES.index("F"), 9 * FACES.index("F") + 9)
# A region belongs to a sticker when it lies within this part of a sticker's side from its place,
# first and at last.
_FIRST_REACH, _LAST_REACH = 0.42, 0.28
_ROUNDS = 5
SURE_AGREEMENT = 0.7
"""Agreement from which on no other pose is tried. Right poses have more, even of glossy cubes."""

LEAST_AGREEMENT = 0.6
"""Agreement below which there is no cube: the best pose before pictures of one face, of another
cube or of none stays below it."""

# A face that is found is the start of a pose when so many stickers have a region.
_LEAST_STICKERS = 10
# Poses tried: of cameras that look at a corner of the cube, and from single faces.
_MOST_CORNERS, _MOST_FACES = 3, 4
# What moves a camera in a simplex: turns (radians), shifts (mm), focal length (its logarithm) and
# distortion; and what the picture is asked about how far they lie from the start and from none.
_SIMPLEX_STEPS = np.array([0.08, 0.08, 0.08, 6.0, 6.0, 12.0, 0.1, 0.05])
_START_WEIGHT, _DISTORTION_WEIGHT = 0.02, 7.0
# A fresh simplex goes on where one ended while the colours agree better by so much, ΔE.
_MOST_SIMPLEXES, _LEAST_GAIN = 5, 0.1


@dataclass(frozen=True, slots=True)
class CubeSighting:
    """A cube found in a picture.

    Attributes:
        pose: The camera.
        misfit: How unlike stickers of one colour look, a mean ΔE.
        agreement: Share of the stickers seen, centres aside, that look most like those of their
            own colour, 0..1.
    """

    pose: CameraPose
    misfit: float
    agreement: float

    @property
    def worth(self) -> float:
        """How much speaks for it."""
        return self.agreement - 0.03 * self.misfit


def find_cube(
    image_bgr: NDArray[np.uint8],
    facelets: Facelets,
    scheme: Mapping[str, str],
    corner: str = "",
) -> CubeSighting | None:
    """Find a cube whose colours are known.

    Args:
        image_bgr: (h, w, 3) uint8; three faces of the cube in sight.
        facelets: What the cube shows.
        scheme: Face letter to colour name.
        corner: The three faces in sight, such as "URF", when it is known.

    Returns:
        The cube, or None when there is none.
    """
    image = as_bgr8(image_bgr)
    known = KnownCube(image, facelets, scheme)
    regions = find_regions(image)
    best: CubeSighting | None = None
    for start in _starts(image, known, regions, corner):
        pose = _polished(start, known)
        sighting = CubeSighting(pose, known.misfit(pose), known.agreement(pose))
        if len(pose.faces) < 3 or sighting.agreement < LEAST_AGREEMENT:
            continue
        if best is None or sighting.worth > best.worth:
            best = sighting
        if best.agreement >= SURE_AGREEMENT:
            break
    return best


def _starts(
    image: NDArray[np.uint8], known: KnownCube, regions: Array, corner: str
) -> Iterator[CameraPose]:
    """Yield poses to start from, the likeliest first: before a corner, then before found faces."""
    size = (image.shape[1], image.shape[0])
    yield from CornerSearch(known, regions, size).best_poses(_MOST_CORNERS, corner)
    for face in find_faces(image)[:_MOST_FACES]:
        for pose in _before(face, size):
            grown = _grown(pose, regions)
            if grown is not None and grown[0] >= _LEAST_STICKERS:
                _, rotation = known.best_rotation(grown[1], corner)
                yield grown[1].turned(rotations()[rotation])


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

    found = minimize(
        cost,
        np.zeros(8),
        method="Nelder-Mead",
        options={
            "initial_simplex": np.vstack([np.zeros(8), np.eye(8)]),
            "maxfev": 700,
            "xatol": 0.01,
            "fatol": 0.01,
        },
    )
    return moved(np.asarray(found.x)), float(found.fun)


def _before(face: SeenFace, size: tuple[int, int]) -> list[CameraPose]:
    """Both poses in which a flat face looks as it was found, if it were the front one."""
    middle = 0.9 * max(size)
    matrix = np.array([[middle, 0, size[0] / 2], [0, middle, size[1] / 2], [0, 0, 1.0]])
    flat = (_CENTRES[_FRONT] - (0.0, 0.0, HALF_MM)) * (1.0, -1.0, 1.0)
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        flat, face.middles, matrix, None, flags=cv2.SOLVEPNP_IPPE
    )
    starts = []
    # IPPE wants the plane z = 0 seen with y down; the cube's axes have y up and the face in front.
    flip = np.diag([1.0, -1.0, -1.0])
    for turn, shift in zip(turns, shifts, strict=True):
        rotation = cv2.Rodrigues(turn)[0] @ flip
        moved = shift.ravel() - rotation @ (0.0, 0.0, HALF_MM)
        rx, ry, rz = (float(value) for value in cv2.Rodrigues(rotation)[0].ravel())
        tx, ty, tz = (float(value) for value in moved)
        starts.append(CameraPose((rx, ry, rz), (tx, ty, tz), middle, 0.0, size))
    return starts


def _grown(pose: CameraPose, regions: Array) -> tuple[int, CameraPose] | None:
    """Take in the regions that lie where stickers should be, and fit the pose to them.

    Args:
        pose: Where to start.
        regions: (n, 3) pixels, middles and sides.

    Returns:
        How many stickers have a region, and the pose.
    """
    count = 0
    for reach in np.linspace(_FIRST_REACH, _LAST_REACH, _ROUNDS):
        facelets, chosen = _matched(pose, regions, float(reach))
        count = len(facelets)
        if count < 6:
            return None
        faces = len(set((facelets // 9).tolist()))
        try:
            pose = fit_pose(
                _CENTRES[facelets],
                regions[chosen, :2],
                pose.size,
                start=pose,
                with_lens=faces > 1 and count >= _LEAST_STICKERS,
            ).pose
        except VisionError:
            return None
    return count, pose


def _matched(
    pose: CameraPose, regions: Array, reach: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Facelets in sight that have a region near their place, and those regions."""
    seen = np.array(
        [9 * FACES.index(face) + place for face in pose.faces for place in range(9)],
        dtype=np.intp,
    )
    if len(seen) == 0 or len(regions) == 0:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    places = pose.project(_CENTRES[seen])
    sides = np.array([_side_px(pose, int(i)) for i in seen])
    apart = np.linalg.norm(places[:, None] - regions[None, :, :2], axis=2)
    ratio = regions[None, :, 2] / sides[:, None]
    apart[(ratio < 0.5) | (ratio > 1.4)] = np.inf
    nearest = apart.argmin(axis=1)
    hit = apart.min(axis=1) < reach * sides
    return seen[hit], nearest[hit]


def _side_px(pose: CameraPose, facelet: int) -> float:
    """Square root of the area of a cell in the picture."""
    corners = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
    outline = pose.project(facelet_point(facelet, corners[:, 0], corners[:, 1]))
    return float(np.sqrt(abs(cv2.contourArea(outline.astype(np.float32)))))
