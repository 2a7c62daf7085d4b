"""Finds a whole cube in a picture of one of its corners, if its state is known.

Searches all poses of a camera that looks at a corner of a cube with known colours.

Three faces are then visible. A grid of poses is ranked by the regions at the places of stickers and
by the known colours, for each of the 24 rotations of the cube. The best ones are improved by
descent, all at once, and in each round fewer of them continue.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from cube.orientation import orientations
from vision.faces.finder import find_regions
from vision.geometry.pinhole import Pinhole, Size, project
from vision.geometry.sampling import as_bgr8
from vision.geometry.scene import HALF_MM, facelet_centre
from vision.placement.camera_pose import camera_of
from vision.placement.known_cube import KnownCube, rotations

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

# The camera's view before the cube is rotated: the faces at the corner URF, without centres.
_FACELETS = np.array([9 * FACES.index(face) + i for face in "URF" for i in range(9) if i != 4])
_CENTRES = np.array([facelet_centre(int(facelet)) for facelet in _FACELETS])
# The grid: directions to the camera, its roll, the share of the shorter side that the cube fills,
# and the distance of its centre from the picture's, as a share of the sides. A third of a turn
# shows the same faces in another order.
_AIMS = (0.62, 1.0, 1.6)
_ROLLS_DEG = range(0, 120, 15)
_SHARES = (0.36, 0.44, 0.53, 0.64, 0.78, 0.95)
_SHIFTS = (-0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15)
# Width in sides of the outline of a cube seen at its corner.
_OUTLINE_SIDES = 1.6
# A region hits a sticker within this part of its side, if the ratio of their sizes is in this
# range.
_REACH, _LEAST_SIZE, _MOST_SIZE = 0.35, 0.4, 1.2
# Value of a sticker on a region, in ΔE.
_HIT_WORTH = 1.5
# Poses of the grid whose colours are compared; the numbers that continue, and for how many rounds.
_COMPARED = 2000
_STAGES = ((400, 4), (150, 5), (40, 8))
# Steps of a round: rotation of the camera (radians), shift as a share of the picture's width,
# changes of distance and focal length as shares; each round's steps are shorter.
_TURN, _MOVE, _SCALE, _SHORTENING = 0.09, 0.03, 0.09, 0.8


@dataclass(frozen=True, slots=True, eq=False)
class _Poses:
    """Many poses: turns (…, 3, 3), shifts (…, 3) mm, focal lengths (…,) pixels."""

    turns: Array
    shifts: Array
    focals: Array

    def take(self, *index: Labels) -> "_Poses":
        """Return some of the poses."""
        return _Poses(self.turns[index], self.shifts[index], self.focals[index])

    def project(self, size: Size) -> Array:
        """Project the stickers at the corner to pixels (…, 24, 2)."""
        return project(_CENTRES, self.turns, self.shifts, self.focals, size)

    def one(self, number: int, size: Size) -> Pinhole:
        """Return one pose out of (n,)."""
        return Pinhole.of(self.turns[number], self.shifts[number], self.focals[number], size)


@dataclass(frozen=True, slots=True, eq=False)
class CornerSearch:
    """Searches for the pose of a camera before a corner of a known cube.

    Attributes:
        known: The cube and the picture.
        regions: (n, 3) pixels, centre and side, of possible stickers.
        size: Width and height of the picture.
    """

    known: KnownCube
    regions: Array
    size: Size

    def best_poses(self, count: int, corner: str = "") -> list[Pinhole]:
        """Find the poses that explain regions and colours best.

        Args:
            count: Maximum number of poses.
            corner: Letters of faces that must be visible.

        Returns:
            Different poses, the best first.
        """
        sizes = self._region_sizes()
        poses = _grid(self.size)
        pixels = poses.project(self.size)
        hits = _hits(sizes, poses, pixels)
        compared = np.argsort(-hits, kind="stable")[:_COMPARED]
        poses, pixels, hits = poses.take(compared), pixels[compared], hits[compared]
        sights = [{held.face_at(place) for place in "URF"} for held in orientations()]
        allowed = np.array([n for n, seen in enumerate(sights) if set(corner) <= seen])
        costs = np.stack(
            [
                self.known.misfits(pixels[None], self.known.colours[[number]][:, _FACELETS])[0]
                for number in allowed
            ]
        )
        costs -= _HIT_WORTH * hits
        order = np.argsort(costs, axis=None, kind="stable")
        rotation, number = np.divmod(order[: _STAGES[0][0]], len(compared))
        poses, rotation = poses.take(number), allowed[rotation]
        step = 1.0
        for kept, rounds in _STAGES:
            poses, rotation = poses.take(np.arange(len(rotation))[:kept]), rotation[:kept]
            colours = self.known.colours[rotation][:, _FACELETS]
            for _ in range(rounds):
                tried = _neighbours(poses, step, self.size)
                pixels = tried.project(self.size)
                costs = self.known.misfits(pixels, colours)
                costs -= _HIT_WORTH * _hits(sizes, tried, pixels)
                rows, best = np.arange(len(costs)), costs.argmin(axis=1)
                poses = tried.take(rows, best)
                step *= _SHORTENING
            order = np.argsort(costs[rows, best], kind="stable")
            poses, rotation = poses.take(order), rotation[order]
        return self._different(poses, rotation)[:count]

    def _region_sizes(self) -> NDArray[np.float32]:
        """Return (h, w) pixels: the size of the smallest region with a centre near by, or 0."""
        sizes = np.zeros(self.size[::-1], dtype=np.float32)
        for x, y, side in sorted(self.regions.tolist(), key=lambda region: -region[2]):
            cv2.circle(sizes, (round(x), round(y)), round(_REACH * side), (side,), cv2.FILLED)
        return sizes

    def _different(self, poses: _Poses, rotation: Labels) -> list[Pinhole]:
        """Keep one of several poses with the cube in the same place."""
        pixels = poses.project(self.size)
        reach = 0.03 * max(self.size)
        kept: list[int] = []
        for i, turned in enumerate(rotation):
            apart = np.linalg.norm(pixels[kept] - pixels[i], axis=2).mean(axis=1)
            if (apart[rotation[kept] == turned] >= reach).all():
                kept.append(i)
        return [poses.one(i, self.size).turned(rotations()[rotation[i]]) for i in kept]


def _hits(sizes: NDArray[np.float32], poses: _Poses, pixels: Array) -> Array:
    """Return how many stickers are on regions of their size, (…,)."""
    height, width = sizes.shape
    x, y = np.rint(pixels[..., 0]).astype(np.intp), np.rint(pixels[..., 1]).astype(np.intp)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    found = np.where(inside, sizes[y.clip(0, height - 1), x.clip(0, width - 1)], 0.0)
    share = found / (2.0 * HALF_MM / 3.0 * poses.focals / poses.shifts[..., 2])[..., None]
    return np.asarray(((share > _LEAST_SIZE) & (share < _MOST_SIZE)).sum(axis=-1), dtype=np.float64)


def _neighbours(poses: _Poses, step: float, size: Size) -> _Poses:
    """Return (n, 15) poses: one step away in every direction, and unchanged."""
    turns = [np.eye(3)] * 15
    shifts = np.tile(poses.shifts[:, None], (1, 15, 1))
    focals = np.tile(poses.focals[:, None], (1, 15))
    for number, sign in enumerate((step, -step)):
        for axis in range(3):
            turns[3 * number + axis] = np.asarray(cv2.Rodrigues(sign * _TURN * np.eye(3)[axis])[0])
        for axis in range(2):
            way = sign * _MOVE * size[0] * poses.shifts[:, 2] / poses.focals
            shifts[:, 6 + 2 * number + axis, axis] += way
        shifts[:, [10 + number, 12 + number], 2] *= np.exp(sign * _SCALE)
        focals[:, 12 + number] *= np.exp(sign * _SCALE)
    return _Poses(np.array(turns) @ poses.turns[:, None], shifts, focals)


def _grid(size: Size) -> _Poses:
    """Return (n,) poses of cameras of usual focal length that look at the corner."""
    turns = []
    for aim in product(_AIMS, repeat=3):
        if aim.count(1.0) in {1, 2} or aim == (1.0, 1.0, 1.0):
            turns += [Pinhole.at(aim, roll_deg=roll).axes() for roll in _ROLLS_DEG]
    focal = float(max(size))
    distances = (_OUTLINE_SIDES * 2.0 * HALF_MM * focal / (share * min(size)) for share in _SHARES)
    shifts = [
        (x * size[0] * distance / focal, y * size[1] * distance / focal, distance)
        for distance, x, y in product(distances, _SHIFTS, _SHIFTS)
    ]
    count = len(turns) * len(shifts)
    return _Poses(
        np.repeat(np.array(turns), len(shifts), axis=0),
        np.tile(np.array(shifts), (len(turns), 1)),
        np.full(count, focal),
    )


SURE_AGREEMENT = 0.85
"""Agreement above which no other pose is tried."""

LEAST_AGREEMENT = 0.6
"""Agreement below which there is no cube: the best pose in pictures of one face, of another cube or
of none stays below it; correct poses have 0.75 and more, even if a face reflects a lamp.
"""

_MOST_POSES = 3
# Deduction from the agreement for a mean ΔE of misfit, when poses are compared.
_MISFIT_WORTH = 0.03
# Step sizes of a simplex: rotations (radians), shifts (mm), focal length (its logarithm) and
# distortion; and the costs of going far from the start, and of distortion.
_SIMPLEX_STEPS = np.array([0.08, 0.08, 0.08, 6.0, 6.0, 12.0, 0.1, 0.05])
_START_WEIGHT, _DISTORTION_WEIGHT = 0.02, 7.0
# A new simplex starts where one ended, as long as the colours improve by this much, ΔE.
_MOST_SIMPLEXES, _LEAST_GAIN = 5, 0.1


def find_cube(
    image_bgr: NDArray[np.uint8], facelets: Facelets, scheme: Mapping[str, str], corner: str = ""
) -> Pinhole | None:
    """Find a cube with known colours.

    Args:
        image_bgr: (h, w, 3) uint8; three faces of the cube are visible.
        facelets: The state of the cube.
        scheme: Colour name of each face.
        corner: The three visible faces, such as "URF", if known.

    Returns:
        The camera before the cube, or None if there is none.
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


def _polished(pose: Pinhole, known: KnownCube) -> Pinhole:
    """Move the camera until stickers of one colour look most alike (Nelder and Mead 1965).

    A simplex may get stuck before the optimum, so new searches continue from there.
    """
    before = float("inf")
    for _ in range(_MOST_SIMPLEXES):
        pose, cost = _one_simplex(pose, known)
        if cost > before - _LEAST_GAIN:
            break
        before = cost
    return pose


def _one_simplex(pose: Pinhole, known: KnownCube) -> tuple[Pinhole, float]:
    from scipy.optimize import minimize

    start = np.array([*pose.rotation, *pose.shift_mm, np.log(pose.focal_px), pose.distortion])

    def moved(steps: Array) -> Pinhole:
        there = start + steps * _SIMPLEX_STEPS
        there[5] = max(there[5], 60.0)
        return camera_of(there, pose.size)

    def cost(steps: Array) -> float:
        there = moved(steps)
        far = _START_WEIGHT * float(steps @ steps) + _DISTORTION_WEIGHT * there.distortion**2
        return known.misfit(there) + far

    simplex = np.vstack([np.zeros(8), np.eye(8)])
    limits = {"initial_simplex": simplex, "maxfev": 700, "xatol": 0.01, "fatol": 0.01}
    found = minimize(cost, np.zeros(8), method="Nelder-Mead", options=limits)
    return moved(np.asarray(found.x)), float(found.fun)
