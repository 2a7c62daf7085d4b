"""Nine places in three rows of three: which candidates lie on such a lattice.

Each pair of neighbours at about a right angle proposes the two steps of a lattice; all candidates
vote for it by lying on its points with about the same size. The steps need be neither equal nor
perpendicular, so a face seen from the side votes as well; a fit of a homography to the voters takes
up the rest of the perspective.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face_candidates import Candidates

Array = NDArray[np.float64]

# Neighbours stand this many sticker sides apart: stickerless cubes touch, old stickers leave wide
# black gaps.
_LEAST_STEP, _MOST_STEP = 0.85, 1.50
# Largest ratio of the areas' square roots of stickers of one face.
_SIZE_RATIO = 1.45
# The two steps of a lattice enclose an angle with at least this sine, and differ by at most this
# ratio.
_LEAST_SINE, _STEP_RATIO = 0.62, 1.7
# How far from its lattice point, in steps, a voter may lie.
_VOTE_RADIUS, _FIT_RADIUS = 0.22, 0.20
# Root mean square miss, in steps, above which an affine fit is not good enough.
_AFFINE_MISS = 0.035
# Fewest candidates that make a face.
LEAST_VOTES = 4
_MOST_CANDIDATES = 400


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Where the nine stickers of a face would be.

    Attributes:
        homography: (3, 3) from lattice coordinates to pixels; sticker (row, column) has its middle
            at (column, row), so the face reaches from −0.5 to 2.5.
        voters: (3, 3) bool, which places a candidate confirms.
        around: how many candidates continue the lattice outside the nine places.
        miss: root mean square distance of the candidates from their places, in steps.
        unlike: standard deviation of the logarithm of the candidates' sides.
    """

    homography: Array
    voters: NDArray[np.bool_]
    around: int
    miss: float
    unlike: float

    def to_pixels(self, points: Array) -> Array:
        """Map (n, 2) lattice coordinates to pixels."""
        homogeneous = np.column_stack([points, np.ones(len(points))]) @ self.homography.T
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def vote(candidates: Candidates, most: int = 12) -> list[Lattice]:
    """Return the lattices with the most votes, best first, at most `most` different ones."""
    centres, sizes = candidates.centres, candidates.sizes
    if len(sizes) < LEAST_VOTES:
        return []
    origins, steps = _propose(centres, sizes)
    if len(origins) == 0:
        return []
    grids = _occupied(centres, sizes, origins, steps)
    windows = _best_windows(grids)
    found: list[Lattice] = []
    taken: list[tuple[Array, float]] = []
    for hypothesis, row, column, votes in windows:
        if votes < LEAST_VOTES or len(found) >= most:
            break
        first = centres[origins[hypothesis]] + steps[hypothesis].T @ np.array([column, row])
        middle = first + steps[hypothesis].sum(axis=0)
        length = float(np.linalg.norm(steps[hypothesis], axis=1).mean())
        if any(
            np.linalg.norm(middle - m) < 0.3 * length and 0.8 < length / size < 1.25
            for m, size in taken
        ):
            continue
        taken.append((middle, length))
        lattice = _refine(centres, sizes, first, steps[hypothesis])
        if lattice is not None:
            found.append(lattice)
    return found


def _propose(centres: Array, sizes: Array) -> tuple[NDArray[np.intp], Array]:
    """Origins (h,), candidate indices, and steps (h, 2, 2): along a row, down a column."""
    offset = centres[None, :, :] - centres[:, None, :]
    distance = np.hypot(offset[..., 0], offset[..., 1])
    ratio = sizes[None, :] / sizes[:, None]
    side = np.sqrt(sizes[None, :] * sizes[:, None])
    near = (
        (distance > _LEAST_STEP * side)
        & (distance < _MOST_STEP * side)
        & (ratio < _SIZE_RATIO)
        & (ratio > 1 / _SIZE_RATIO)
    )
    origins, steps = [], []
    for i in np.flatnonzero(near.sum(axis=1) >= 2):
        arms = offset[i, near[i]]
        length = distance[i, near[i]]
        cross = arms[:, None, 0] * arms[None, :, 1] - arms[:, None, 1] * arms[None, :, 0]
        a, b = np.nonzero(cross > _LEAST_SINE * length[:, None] * length[None, :])
        fair = (length[a] < _STEP_RATIO * length[b]) & (length[b] < _STEP_RATIO * length[a])
        # One of the four equivalent pairs is enough: the one whose first step points to the right.
        fair &= np.abs(arms[a, 1]) <= arms[a, 0]
        for first, second in zip(a[fair], b[fair], strict=True):
            origins.append(i)
            steps.append((arms[first], arms[second]))
    return np.array(origins, dtype=np.intp), np.array(steps, dtype=np.float64).reshape(-1, 2, 2)


def _occupied(
    centres: Array, sizes: Array, origins: NDArray[np.intp], steps: Array
) -> NDArray[np.bool_]:
    """(h, 5, 5) [row, column]: which points within two steps of each origin hold a candidate."""
    grids = np.zeros((len(origins), 5, 5), dtype=bool)
    inverse = np.linalg.inv(steps.transpose(0, 2, 1))
    for start in range(0, len(origins), 256):
        part = slice(start, start + 256)
        offset = centres[None, :, :] - centres[origins[part], None, :]
        place = np.einsum("hij,hnj->hni", inverse[part], offset)
        nearest = np.rint(place)
        ratio = sizes[None, :] / sizes[origins[part], None]
        hit = (
            (np.abs(place - nearest).max(axis=2) < _VOTE_RADIUS)
            & (np.abs(nearest).max(axis=2) <= 2)
            & (ratio < _SIZE_RATIO)
            & (ratio > 1 / _SIZE_RATIO)
        )
        h, n = np.nonzero(hit)
        column, row = nearest[h, n].astype(np.intp).T + 2
        grids[start + h, row, column] = True
    return grids


def _best_windows(grids: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """(hypothesis, row and column of its first sticker from the origin, votes), best first."""
    counts = np.stack(
        [
            grids[:, row : row + 3, column : column + 3].sum(axis=(1, 2))
            for row in range(3)
            for column in range(3)
        ],
        axis=1,
    )
    order = np.argsort(-counts, axis=None, kind="stable")[:_MOST_CANDIDATES]
    return [
        (int(flat // 9), int(flat % 9 // 3) - 2, int(flat % 3) - 2, int(counts.flat[flat]))
        for flat in order
    ]


def _refine(centres: Array, sizes: Array, first: Array, steps: Array) -> Lattice | None:
    """Fit the lattice to its voters, collect the voters again, and fit again."""
    mapping = np.eye(3)
    mapping[:2, 0], mapping[:2, 1], mapping[:2, 2] = steps[0], steps[1], first
    side = float(np.sqrt(abs(np.linalg.det(steps))))
    for _ in range(3):
        voters = _voters(centres, sizes, mapping, side)
        if len(voters) < LEAST_VOTES:
            return None
        places = np.array(list(voters), dtype=np.float64)
        pixels = centres[list(voters.values())]
        mapping = _fit(places, pixels)
        if not np.isfinite(mapping).all():
            return None
    confirmed = np.zeros((3, 3), dtype=bool)
    for column, row in voters:
        confirmed[int(row), int(column)] = True
    chosen = list(voters.values())
    lattice = Lattice(mapping, confirmed, 0, 0.0, 0.0)
    off = lattice.to_pixels(np.array(list(voters), dtype=np.float64)) - centres[chosen]
    miss = float(np.sqrt(np.mean(np.sum(off**2, axis=1)))) / side
    unlike = float(np.std(np.log(sizes[chosen])))
    around = len(_voters(centres, sizes, mapping, side, reach=1)) - len(voters)
    return Lattice(mapping, confirmed, around, miss, unlike)


def _voters(
    centres: Array, sizes: Array, mapping: Array, side: float, reach: int = 0
) -> dict[tuple[float, float], int]:
    """The nearest candidate of each lattice point: (column, row) to candidate index."""
    back = np.linalg.inv(mapping)
    homogeneous = np.column_stack([centres, np.ones(len(centres))]) @ back.T
    with np.errstate(divide="ignore", invalid="ignore"):
        place = homogeneous[:, :2] / homogeneous[:, 2:]
    place = np.where(np.isfinite(place), place, 99.0)
    nearest = np.rint(place)
    error = np.abs(place - nearest).max(axis=1)
    ok = (
        (error < _FIT_RADIUS)
        & (nearest.min(axis=1) >= -reach)
        & (nearest.max(axis=1) <= 2 + reach)
        & (sizes > side / _MOST_STEP / 1.1)
        & (sizes < side * 1.12)
    )
    voters: dict[tuple[float, float], int] = {}
    for i in np.flatnonzero(ok)[np.argsort(-error[ok], kind="stable")]:
        voters[(float(nearest[i, 0]), float(nearest[i, 1]))] = int(i)
    return voters


def _fit(places: Array, pixels: Array) -> Array:
    """Least squares: an affine mapping, or a homography where the perspective shows.

    A homography follows the noise of the centres into the corners of the face, so it is used only
    when the affine mapping visibly misses them.
    """
    design = np.column_stack([places, np.ones(len(places))])
    solution, *_ = np.linalg.lstsq(design, pixels, rcond=None)
    mapping = np.eye(3)
    mapping[:2] = solution.T
    step = np.sqrt(abs(np.linalg.det(mapping[:2, :2])))
    miss = np.sqrt(np.mean(np.sum((design @ solution - pixels) ** 2, axis=1)))
    spread = len(set(places[:, 0])) == 3 and len(set(places[:, 1])) == 3
    if len(places) >= 7 and spread and miss > _AFFINE_MISS * step:
        found, _ = cv2.findHomography(places, pixels, 0)
        if found is not None:
            return np.asarray(found, dtype=np.float64)
    return mapping
