"""Nine places in three rows of three: the candidates on such a lattice.

Guesses come from pairs of neighbours (`vision.faces.candidates`) and from regions that may be whole
faces. Each guess is fitted to its voters: an affine mapping, or a homography if the perspective is
visible.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.candidates import Candidates
from vision.faces.lattice_guesses import MOST_STEP, propose

Array = NDArray[np.float64]

# Maximum distance of a voter from its lattice point, in steps.
_FIT_RADIUS = 0.20
# Root mean square error, in steps, above which an affine fit is not good enough.
_AFFINE_MISS = 0.035
# Minimum number of candidates for a fit.
LEAST_VOTES = 4
# The vote of a part of a region, relative to that of a region, and that of a region like a face.
_PART_VOTE, _FACE_VOTES = 0.5, 4.0
# Maximum number of parts of regions, and of lattices that are examined.
_MOST_PARTS, _MOST_LATTICES = 60, 5
# Least size of a stray candidate in steps: logos and reflections are smaller.
_STRAY_SIZE = 0.5
# The three places beyond each side of a face: left, right, above and below.
_BEYOND = np.array(
    [
        [(-1, 0), (-1, 1), (-1, 2)],
        [(3, 0), (3, 1), (3, 2)],
        [(0, -1), (1, -1), (2, -1)],
        [(0, 3), (1, 3), (2, 3)],
    ],
    dtype=np.float64,
)
# A candidate is beyond a side if it is this near to a place there, in steps: the stickers of a
# cube's other sides are not on the lattice. And its size in steps: they are narrower.
_BEYOND_RADIUS, _BEYOND_SIZES = 0.45, (0.4, 1.2)
# For each of the four sides of an outline in order, the next one and the opposite one.
_NEXT, _OPPOSITE = np.array([1, 2, 3, 0]), np.array([2, 3, 0, 1])
# Bounds of a face's picture: ratio of opposite sides, of neighbouring sides, sine between them
# (0.8 for a face that is tilted by 60° about its diagonal).
_MOST_TAPER, _MOST_SQUEEZE, _LEAST_SINE = 1.7, 2.2, 0.75
_OUTLINE = np.array([(-0.5, -0.5), (2.5, -0.5), (2.5, 2.5), (-0.5, 2.5)], dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The positions of the nine stickers of a face.

    Attributes:
        homography: (3, 3) from lattice coordinates to pixels; the centre of sticker (row, column)
            is at (column, row), so the face extends from −0.5 to 2.5.
        voters: (3, 3) how surely a candidate confirms each place: 1 for a separate region, less for
            a part of a larger one, 0 for none.
        around: How many candidates that the picture's border does not cut continue the lattice
            outside the nine places.
        beyond: (4,) the votes of the candidates beyond the left, right, upper and lower side, 0..3
            each; cut ones do not count.
        strays: How many candidates of about the same size are in the face but not on its places.
        bends: (2,) how far the middle candidate is off the line through the outer ones, in steps:
            the mean over the rows, and over the columns. 0 for a plane, from wherever it is seen;
            more for a lattice across an edge of the cube.
        miss: Root mean square distance of the candidates from their places, in steps.
        unlike: Standard deviation of the logarithm of the candidates' sides.
    """

    homography: Array
    voters: Array
    around: int
    beyond: Array
    strays: int
    bends: Array
    miss: float
    unlike: float

    @property
    def corners(self) -> Array:
        """The corners of the face, (4, 2) pixels, clockwise from the top left."""
        return self.to_pixels(_OUTLINE.astype(np.float64))

    def to_pixels(self, points: Array) -> Array:
        """Map (n, 2) lattice coordinates to pixels."""
        return _mapped(self.homography, points)


def vote(candidates: Candidates) -> Iterator[Lattice]:
    """Yield the lattices with the most votes, best first: a few different ones.

    Each is computed on demand: most pictures of a face need only the first.
    """
    voters = _Voters.of(candidates)
    found: list[Lattice] = []
    for mapping in _mappings(voters, candidates.faces):
        lattice = _refined(voters, mapping)
        if lattice is not None and not any(_same(lattice, other) for other in found):
            yield lattice
            found.append(lattice)
            if len(found) == _MOST_LATTICES:
                break


@dataclass(frozen=True, slots=True, eq=False)
class _Voters:
    """The candidates, in increasing order of weight: centres (n, 2), sides (n,), weights (n,).

    The last `whole` of them are separate regions; `cut`, (n,), tells which the picture's border
    cuts.
    """

    centres: Array
    sizes: Array
    weights: Array
    cut: NDArray[np.bool_]
    whole: int

    @classmethod
    def of(cls, candidates: Candidates) -> "_Voters":
        parts = np.flatnonzero(~candidates.whole)[:_MOST_PARTS]
        whole = np.flatnonzero(candidates.whole)
        order = np.concatenate([parts, whole])
        weights = np.where(candidates.whole[order], 1.0, _PART_VOTE)
        return cls(
            candidates.centres[order],
            candidates.sizes[order],
            weights,
            candidates.cut[order],
            len(whole),
        )

    def strays(self, mapping: Array) -> int:
        """Count the whole candidates inside the face that are not on its places."""
        centres, sizes = self.centres[-self.whole :], self.sizes[-self.whole :]
        with np.errstate(divide="ignore", invalid="ignore"):
            place = _mapped(np.asarray(np.linalg.inv(mapping)), centres)
        off = np.abs(place - np.clip(np.rint(place), 0, 2)).max(axis=1)
        alike = (sizes > _STRAY_SIZE * _step(mapping)) & (sizes < 1.12 * _step(mapping))
        return int(np.count_nonzero((np.abs(place - 1.0).max(axis=1) < 1.4) & (off > 0.3) & alike))

    def beyond(self, mapping: Array) -> Array:
        """Return the votes of the candidates beyond each side, (4,); see `Lattice.beyond`."""
        step = _step(mapping)
        low, high = _BEYOND_SIZES
        likely = ~self.cut & (self.sizes > low * step) & (self.sizes < high * step)
        with np.errstate(divide="ignore", invalid="ignore"):
            place = _mapped(np.asarray(np.linalg.inv(mapping)), self.centres[likely])
        near = np.abs(place - _BEYOND[:, :, None]).max(axis=3) < _BEYOND_RADIUS
        votes = np.where(near, self.weights[likely], 0.0).max(axis=2, initial=0.0)
        return np.asarray(votes.sum(axis=1))

    def around(self, mapping: Array) -> int:
        """Count the places around the face with a candidate that the border does not cut."""
        places, chosen = self.near(mapping, reach=1)
        outside = (places.min(axis=1) < 0) | (places.max(axis=1) > 2)
        return int(np.count_nonzero(outside & ~self.cut[chosen]))

    def near(self, mapping: Array, reach: int = 0) -> tuple[Array, NDArray[np.intp]]:
        """Return the nearest candidate of each lattice point: places (k, 2) and indices (k,).

        Args:
            mapping: (3, 3) from lattice coordinates to pixels.
            reach: Number of further places beyond the nine.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            place = _mapped(np.asarray(np.linalg.inv(mapping)), self.centres)
        place = np.where(np.isfinite(place), place, 99.0)
        nearest = np.rint(place)
        error = np.abs(place - nearest).max(axis=1)
        side = _step(mapping)
        ok = np.flatnonzero(
            (error < _FIT_RADIUS)
            & (nearest.min(axis=1) >= -reach)
            & (nearest.max(axis=1) <= 2 + reach)
            & (self.sizes > side / MOST_STEP / 1.1)
            & (self.sizes < side * 1.12)
        )
        ok = ok[np.argsort(-error[ok], kind="stable")]
        span = 3 + 2 * reach
        column, row = (nearest[ok].astype(np.intp) + reach).T
        best = np.full(span * span, -1, dtype=np.intp)
        best[row * span + column] = ok  # the last one counts, which is the nearest
        taken = np.flatnonzero(best >= 0)
        places = np.stack([taken % span - reach, taken // span - reach], axis=1)
        return places.astype(np.float64), best[taken]


def _mappings(voters: _Voters, faces: Array) -> Iterator[Array]:
    """Yield different (3, 3) mappings from lattice coordinates to pixels, most votes first."""
    guesses = propose(voters.centres, voters.sizes, voters.weights)
    mappings = np.tile(np.eye(3), (len(guesses.votes) + len(faces), 1, 1))
    mappings[: len(guesses.votes), :2, :2] = guesses.steps.transpose(0, 2, 1)
    mappings[: len(guesses.votes), :2, 2] = guesses.first
    for number, corners in enumerate(faces, start=len(guesses.votes)):
        mappings[number] = cv2.getPerspectiveTransform(_OUTLINE, _turned(corners))
    votes = np.concatenate([guesses.votes, np.full(len(faces), _FACE_VOTES)])
    centre = mappings.sum(axis=2)  # of the lattice point (1, 1), in homogeneous coordinates
    middles = centre[:, :2] / centre[:, 2:]
    lengths = np.sqrt(np.abs(np.linalg.det(mappings) / centre[:, 2] ** 3))
    left = np.argsort(-votes, kind="stable")
    while len(left):
        best, left = left[0], left[1:]
        apart = np.hypot(*(middles[left] - middles[best]).T)
        ratio = lengths[left] / lengths[best]
        left = left[(apart > 0.3 * lengths[best]) | (ratio < 0.8) | (ratio > 1.25)]
        yield mappings[best]


def _turned(corners: Array) -> NDArray[np.float32]:
    """Order four corners clockwise from the one nearest to the picture's top left."""
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0).astype(np.float32)


def _refined(voters: _Voters, mapping: Array) -> Lattice | None:
    """Fit the lattice to its voters, collect the voters again, and fit again.

    An outline with few voters is not changed; guesses from neighbours have more.
    """
    places, chosen = voters.near(mapping)
    for _ in range(2):
        if len(chosen) < LEAST_VOTES:
            break
        mapping = _fit(places, voters.centres[chosen])
        if not np.isfinite(mapping).all():
            return None
        places, chosen = voters.near(mapping)
    if not _is_plausible(mapping):
        return None
    confirmed = np.zeros((3, 3))
    column, row = places.astype(np.intp).T
    confirmed[row, column] = voters.weights[chosen]
    if len(chosen) == 0:
        return Lattice(mapping, confirmed, 0, np.zeros(4), 0, np.zeros(2), 0.0, 0.0)
    off = _mapped(mapping, places) - voters.centres[chosen]
    return Lattice(
        mapping,
        confirmed,
        strays=voters.strays(mapping),
        around=voters.around(mapping),
        beyond=voters.beyond(mapping),
        bends=_bends(places.astype(np.intp), voters.centres[chosen]) / _step(mapping),
        miss=float(np.sqrt(np.mean(np.sum(off**2, axis=1)))) / _step(mapping),
        unlike=float(np.std(np.log(voters.sizes[chosen]))),
    )


def _fit(places: Array, pixels: Array) -> Array:
    """Fit by least squares: an affine mapping, or a homography if the perspective is visible.

    A homography carries the noise of the centres into the corners of the face, so it is used only
    if the affine mapping is clearly not good enough.
    """
    design = np.column_stack([places, np.ones(len(places))])
    solution, *_ = np.linalg.lstsq(design, pixels, rcond=None)
    mapping = np.eye(3)
    mapping[:2] = solution.T
    miss = np.sqrt(np.mean(np.sum((design @ solution - pixels) ** 2, axis=1)))
    spread = len(set(places[:, 0])) == 3 and len(set(places[:, 1])) == 3
    if len(places) >= 7 and spread and miss > _AFFINE_MISS * _step(mapping):
        found, _ = cv2.findHomography(places, pixels, 0)
        if found is not None:
            return np.asarray(found, dtype=np.float64)
    return mapping


def _bends(places: NDArray[np.intp], pixels: Array) -> Array:
    """Return the bends of the candidates at places (k, 2), in pixels; see `Lattice.bends`."""
    at = np.full((3, 3, 2), np.nan)
    at[places[:, 1], places[:, 0]] = pixels
    bends = np.zeros(2)
    for axis, (first, middle, last) in enumerate((at.swapaxes(0, 1), at)):
        whole, half = last - first, middle - first
        off = np.abs(whole[:, 0] * half[:, 1] - whole[:, 1] * half[:, 0]) / np.hypot(*whole.T)
        if (complete := np.isfinite(off)).any():
            bends[axis] = off[complete].mean()
    return bends


def _is_plausible(mapping: Array) -> bool:
    """Return whether a camera can see a square like this, tilted by less than about 60°."""
    corners = _mapped(mapping, _OUTLINE.astype(np.float64))
    sides = corners[_NEXT] - corners
    length = np.hypot(sides[:, 0], sides[:, 1])
    following = sides[_NEXT]
    cross = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    return bool(
        (length < _MOST_TAPER * length[_OPPOSITE]).all()
        and (length < _MOST_SQUEEZE * length[_NEXT]).all()
        and (length[_NEXT] < _MOST_SQUEEZE * length).all()
        and (cross > _LEAST_SINE * length * length[_NEXT]).all()
    )


def _same(one: Lattice, other: Lattice) -> bool:
    """Return whether two lattices cover the same face."""
    apart = one.to_pixels(np.ones((1, 2))) - other.to_pixels(np.ones((1, 2)))
    step = _step(one.homography)
    return bool(np.hypot(*apart[0]) < 0.15 * step and 0.9 < step / _step(other.homography) < 1.1)


def _mapped(mapping: NDArray[np.floating], points: Array) -> Array:
    """Map (n, 2) points by a (3, 3) homography."""
    scale = points @ mapping[2, :2] + mapping[2, 2]
    return np.asarray((points @ mapping[:2, :2].T + mapping[:2, 2]) / scale[:, None])


def _step(mapping: Array) -> float:
    """Return the mean distance of neighbouring places in the middle of the face, in pixels.

    The determinant of a homography's derivative is that of the homography over the cube of the
    scale.
    """
    scale = mapping[2].sum()
    return float(np.sqrt(abs(np.linalg.det(mapping) / scale**3)))
