"""Finds a whole cube in a picture of one of its corners, when it is known what it shows.

Faces that are found one by one give a first pose of the camera; the regions that lie where the
pose expects stickers correct it; the known colours tell which corner of the cube it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from vision.errors import VisionError
from vision.faces.finder import SeenFace, find_faces, find_regions
from vision.geometry.pinhole import Pinhole
from vision.geometry.sampling import as_bgr8
from vision.geometry.scene import HALF_MM, facelet_centre, facelet_point
from vision.placement.cube_colours import KnownCube, rotations
from vision.placement.cube_pose import CameraPose, fit_pose

Array = NDArray[np.float64]

_CENTRES = np.array([facelet_centre(facelet) for facelet in range(54)])
_FRONT = slice(9 * FACES.index("F"), 9 * FACES.index("F") + 9)
# A region belongs to a sticker when it lies within this part of a sticker's side from its place,
# first and at last.
_FIRST_REACH, _LAST_REACH = 0.42, 0.28
_ROUNDS = 5
SURE_AGREEMENT = 0.9
"""Agreement from which on a cube counts as found without a doubt."""

_LEAST_INLIERS, _SURE_STICKERS = 10, 14
# Poses tried: from single faces, and of cameras that look at a corner of the cube.
_MOST_FACES, _MOST_CORNERS, _MOST_POLISHED = 4, 60, 3


@dataclass(frozen=True, slots=True)
class CubeSighting:
    """A cube found in a picture.

    Attributes:
        pose: The camera.
        miss_px: Root mean square distance of the stickers seen from where the pose puts them.
        stickers: How many stickers were seen in their places.
        misfit: How unlike stickers of one colour look, a mean ΔE.
        agreement: Share of the stickers seen, centres aside, that look most like those of their
            own colour, 0..1.
    """

    pose: CameraPose
    miss_px: float
    stickers: int
    misfit: float
    agreement: float

    @property
    def sure(self) -> bool:
        """Whether stickers of three faces lie in place and their colours agree."""
        return self.agreement >= SURE_AGREEMENT and self.stickers >= _SURE_STICKERS

    @property
    def worth(self) -> float:
        """How much speaks for it: colours that agree, and stickers in their places."""
        return self.agreement + 0.01 * self.stickers - 0.03 * self.misfit


def find_cube(
    image_bgr: NDArray[np.uint8],
    facelets: Facelets,
    scheme: Mapping[str, str],
    corner: str = "",
) -> CubeSighting | None:
    """Find a cube whose colours are known.

    Args:
        image_bgr: (h, w, 3) uint8; two or three faces of the cube in sight.
        facelets: What the cube shows.
        scheme: Face letter to colour name.
        corner: The three faces in sight, such as "URF", when it is known.

    Returns:
        The cube, or None when there is none.
    """
    image = as_bgr8(image_bgr)
    size = (image.shape[1], image.shape[0])
    known = KnownCube(image, facelets, scheme)
    regions = find_regions(image)
    poses = []
    for face in find_faces(image)[:_MOST_FACES]:
        grown = (_grown(start, regions) for start in _starts(face, size))
        poses += [pose for count, pose in filter(None, grown) if count >= _LEAST_INLIERS]
    sightings = [_sighting(pose, known, regions, corner) for pose in poses]
    if not any(sighting.sure for sighting in sightings):
        guesses = [
            (known.best_rotation(pose, corner), pose)
            for pose in poses + _promising(_corner_starts(size), regions)
        ]
        guesses.sort(key=lambda guess: guess[0][0])
        for (_, rotation), pose in guesses[:_MOST_POLISHED]:
            better = _polished(pose.turned(rotations()[rotation]), known)
            sightings.append(_sighting(better, known, regions, corner))
    best = max(sightings, key=lambda sighting: sighting.worth, default=None)
    if best is None or best.sure:
        return best
    # A simplex may have stalled; a fresh one goes on from there.
    again = _sighting(_polished(best.pose, known), known, regions, corner)
    return max(best, again, key=lambda sighting: sighting.worth)


def _sighting(pose: CameraPose, known: KnownCube, regions: Array, corner: str) -> CubeSighting:
    misfit, rotation = known.best_rotation(pose, corner)
    turned = pose.turned(rotations()[rotation])
    stickers, chosen = _matched(turned, regions, _LAST_REACH)
    off = turned.project(_CENTRES[stickers]) - regions[chosen, :2]
    miss_px = float(np.sqrt(np.mean(np.sum(off**2, axis=1)))) if len(stickers) else float("nan")
    return CubeSighting(turned, miss_px, len(stickers), misfit, known.agreement(turned))


def _polished(pose: CameraPose, known: KnownCube) -> CameraPose:
    """Move the camera until stickers of one colour look most alike (Nelder and Mead 1965)."""
    from scipy.optimize import minimize

    scale = np.array([0.08, 0.08, 0.08, 6.0, 6.0, 12.0, 0.1])
    start = np.array([*pose.rotation, *pose.translation_mm, np.log(pose.focal_px)])

    def moved(steps: Array) -> CameraPose:
        rx, ry, rz, tx, ty, tz, log_focal = (float(value) for value in start + steps * scale)
        return CameraPose(
            (rx, ry, rz), (tx, ty, max(tz, 60.0)), float(np.exp(log_focal)), 0.0, pose.size
        )

    def cost(steps: Array) -> float:
        return known.misfit(moved(steps)) + 0.02 * float(steps @ steps)

    simplex = np.vstack([np.zeros(7), np.eye(7)])
    found = minimize(
        cost,
        np.zeros(7),
        method="Nelder-Mead",
        options={"initial_simplex": simplex, "maxfev": 700, "xatol": 0.01, "fatol": 0.01},
    )
    return moved(np.asarray(found.x))


def _starts(face: SeenFace, size: tuple[int, int]) -> list[CameraPose]:
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


def _corner_starts(size: tuple[int, int]) -> list[CameraPose]:
    """Poses of cameras that look at the corner between three faces, for rigs and hands."""
    # A third of a turn shows the same three faces again, in other order.
    starts = []
    aims = [(1.0, 1.0, 1.0)] + [
        tuple(1.0 + step * (axis == number) for axis in range(3))
        for number in range(3)
        for step in (-0.35, 0.5)
    ]
    for aim, roll_deg, share, x, y in product(
        aims, range(0, 120, 15), (0.5, 0.62, 0.76, 0.92), (-0.1, 0.0, 0.1), (-0.1, 0.0, 0.1)
    ):
        focal = float(max(size))
        # The outline of a cube seen at its corner is about 1.6 sides wide.
        distance = 1.6 * 2.0 * HALF_MM * focal / (share * min(size))
        away = np.array(aim) / np.linalg.norm(aim) * distance
        pinhole = Pinhole(
            (float(away[0]), float(away[1]), float(away[2])), focal_px=focal, roll_deg=roll_deg
        )
        turn = pinhole.axes()
        rx, ry, rz = (float(value) for value in cv2.Rodrigues(turn)[0].ravel())
        shift = (x * size[0] * distance / focal, y * size[1] * distance / focal, distance)
        starts.append(CameraPose((rx, ry, rz), shift, focal, 0.0, size))
    return starts


def _promising(poses: list[CameraPose], regions: Array) -> list[CameraPose]:
    """Choose the poses that put the most stickers of three faces on regions."""
    if len(regions) == 0:
        return []
    counts = []
    front = _CENTRES[[i for i in range(54) if FACES[i // 9] in "URF"]]
    for pose in poses:
        turn = cv2.Rodrigues(np.array(pose.rotation))[0]
        seen = front @ turn.T + pose.translation_mm
        middle = (np.array(pose.size) - 1.0) / 2.0
        places = pose.focal_px * seen[:, :2] / seen[:, 2:] + middle
        side = pose.focal_px * 2.0 * HALF_MM / 3.0 / pose.translation_mm[2]
        x = np.abs(places[:, None, 0] - regions[None, :, 0])
        y = np.abs(places[:, None, 1] - regions[None, :, 1])
        fits = (regions[:, 2] > 0.4 * side) & (regions[:, 2] < 1.2 * side)
        counts.append(np.count_nonzero(((np.maximum(x, y) < 0.3 * side) & fits).any(axis=1)))
    return [poses[number] for number in np.argsort(-np.array(counts))[:_MOST_CORNERS]]


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
                with_lens=faces > 1 and count >= _LEAST_INLIERS,
            ).pose
        except VisionError:
            return None
    return count, pose


def _matched(
    pose: CameraPose, regions: Array, reach: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Facelets in sight that have a region near their place, and those regions."""
    seen = np.array(
        [
            i
            for number, face in enumerate(FACES)
            if pose.sees(face)
            for i in range(9 * number, 9 * number + 9)
        ],
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
