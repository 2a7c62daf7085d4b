"""Whether a lattice of nine places looks like a face of a cube.

Voting alone finds faces in tiled floors, keyboards and wood grain. A face of a cube is even inside
its nine stickers, has a change of colour or a groove along their 24 sides, and the pattern ends
there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.continuation import continues_beyond, straighten, two_coloured
from vision.faces.lattice import Lattice
from vision.faces.straightened import brightness, clearness, evenness, side_edges, side_visibility

Array = NDArray[np.float64]

# Two stickers have the same colour below this ΔE, with this weight for lightness.
_ALIKE, _SHADING = 16.0, 0.5
# Maximum number of colours of a face: the six, and that of a finger.
_MOST_HUES = 7
# Points beyond the sides of the outline, in lattice coordinates, in the order of their evidence.
_BEYOND = np.array(
    [(x, row) for x in (-0.85, 2.85) for row in range(3)]
    + [(column, y) for y in (-0.85, 2.85) for column in range(3)]
)
# Of the three points beyond a side, this number must be in the picture for the side to count as
# visible.
_LEAST_OF_SIDE = 2
# Minimum share of a face that is in the picture, unless it fills it and nothing beyond its sides is
# visible: that of a tilted face whose outer stickers are cut by a third.
_LEAST_INSIDE = 0.87
# A face fills the picture if each of its sides is at most this far inside the picture's border, and
# at most this far beyond it, as shares of the face's width or height.
_FILLS_WITHIN, _FILLS_BEYOND = 0.14, 0.13
# The places around a face, in lattice coordinates; the part of each that must be in the picture;
# and the number of them for a reliable share of candidates.
_RING = np.array(
    [(x, y) for y in range(-1, 4) for x in range(-1, 4) if {x, y} & {-1, 3}], dtype=np.float64
)
_LEAST_ROOM = 4
_ROOMY = 0.8 * np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True, eq=False)
class FaceEvidence:
    """The picture's evidence about k lattices; every share is in 0..1 and is large for a face.

    Attributes:
        even: (k, 9) how even the inner part of each sticker is.
        clear: (k, 9) share of each sticker's inner part without edges.
        lit: (k, 9) how far each sticker is from black, relative to the brightest one.
        outer: (k, 12) how visible each side of the outline of the face is.
        edged: (k, 24) share of each side that is on an edge, inner sides first.
        inside: (k,) share of the face that is in the picture.
        seen: (k, 12) bool, which sides of the outline are in the picture together with their
            surroundings.
        hues: (k,) how many different colours the nine stickers have, 1..9.
        room: (k,) number of the 16 places around the face that are in the picture, 0..16.
        sides: (k,) number of sides of the face beyond which the picture shows something, 0..4.
        fills: (k,) bool, whether the outline of the face is nearly the border of the picture.
        continues_beyond: (k,) bool, whether the pattern continues beyond the outline.
    """

    even: Array
    clear: Array
    lit: Array
    outer: Array
    edged: Array
    inside: Array
    seen: NDArray[np.bool_]
    hues: Array
    room: Array
    sides: Array
    fills: NDArray[np.bool_]
    continues_beyond: NDArray[np.bool_]


def gather_evidence(
    lab: NDArray[np.uint8],
    edges: NDArray[np.uint8],
    lattices: Sequence[Lattice],
    margin_px: int = 0,
) -> FaceEvidence:
    """Straighten a picture along each lattice and measure it there.

    Args:
        lab: (h, w, 3) OpenCV's 8-bit CIELAB.
        edges: (h, w), non-zero on edges.
        lattices: One or more.
        margin_px: Width of an empty margin around the picture, which may contain a part of a face
            that is cut.
    """
    height, width = edges.shape
    seen = np.array([_seen_sides(one, width, height, margin_px) for one in lattices])
    sides = seen.reshape(-1, 4, 3).sum(axis=2) >= _LEAST_OF_SIDE
    straight = np.stack([straighten(lab, lattice.homography) for lattice in lattices]).astype(
        np.float32
    )
    straight *= np.array([100 / 255, 1.0, 1.0], dtype=np.float32)
    thick = np.asarray(cv2.dilate(edges, np.ones((2, 2), np.uint8)), dtype=np.uint8)
    lined = np.stack([straighten(thick, lattice.homography) for lattice in lattices]) > 100
    even, colours = evenness(straight, 3)
    grid = colours.reshape(-1, 3, 3, 3)
    down = side_visibility(straight, grid)
    across = side_visibility(straight.swapaxes(1, 2), grid.swapaxes(1, 2))
    edged = np.stack([side_edges(lined, 3), side_edges(lined.swapaxes(1, 2), 3)], axis=1)
    return FaceEvidence(
        even=even,
        clear=clearness(lined, 3),
        lit=brightness(colours),
        outer=np.concatenate([each[:, ::3].reshape(-1, 6) for each in (down, across)], axis=1),
        edged=np.concatenate(
            [edged[:, :, 1:3].reshape(-1, 12), edged[:, :, ::3].reshape(-1, 12)], axis=1
        ),
        inside=np.array([_share_inside(one, width, height) for one in lattices]),
        seen=seen,
        hues=_hues(colours),
        room=np.array([_room(one, width, height, margin_px) for one in lattices]),
        sides=sides.sum(axis=1),
        fills=np.array([_fills(one, width, height, margin_px) for one in lattices]),
        continues_beyond=continues_beyond(straight, sides) | two_coloured(straight, colours),
    )


def _hues(colours: NDArray[np.floating]) -> Array:
    """Count the different colours of the stickers (k, 9, 3), ignoring shading: (k,)."""
    offset = (colours[:, :, None] - colours[:, None]) * np.array([_SHADING, 1.0, 1.0])
    alike = np.linalg.norm(offset, axis=3) < _ALIKE
    first = np.ones(alike.shape[:2], dtype=bool)
    for sticker in range(1, 9):
        first[:, sticker] = ~(alike[:, sticker, :sticker] & first[:, :sticker]).any(axis=1)
    return np.asarray(first.sum(axis=1), dtype=np.float64)


def _share_inside(lattice: Lattice, width: int, height: int) -> float:
    corners = lattice.corners
    whole = abs(cv2.contourArea(corners.astype(np.float32)))
    clipped = np.clip(corners, 0, (width - 1, height - 1)).astype(np.float32)
    return float(abs(cv2.contourArea(clipped)) / max(1.0, whole))


def _fills(lattice: Lattice, width: int, height: int, margin: int) -> bool:
    corners = lattice.corners - margin
    low, high = corners.min(axis=0), corners.max(axis=0)
    border = np.array([low, (width - 1 - 2 * margin, height - 1 - 2 * margin) - high])
    within = border / (high - low)
    return bool((within <= _FILLS_WITHIN).all() and (within >= -_FILLS_BEYOND).all())


def _seen_sides(lattice: Lattice, width: int, height: int, margin: int) -> NDArray[np.bool_]:
    x, y = lattice.to_pixels(_BEYOND).T
    left_right = (x > margin) & (x < width - 1 - margin)
    return np.asarray(left_right & (y > margin) & (y < height - 1 - margin))


def _room(lattice: Lattice, width: int, height: int, margin: int) -> int:
    corners = lattice.to_pixels((_RING[:, None] + _ROOMY).reshape(-1, 2)).reshape(-1, 4, 2)
    low, high = (margin, margin), (width - margin, height - margin)
    return int(np.count_nonzero(((corners > low) & (corners < high)).all(axis=(1, 2))))


# A logistic regression on `features`, fitted by benchmarks/vision/face_finding.py on labelled
# photos of faces (framed, rolled, tilted, blurred, dimmed, partly covered) and rendered ones,
# against their wrong lattices and pictures of everything else. The threshold is stricter than
# fitted: a false face is worse than one found a frame later.
_WEIGHTS = np.array([7.5, -16.3, 4.3, 5.2, 5.3, 3.6, 8.2, 4.8, -0.5, -3.6, 2.7, 5.5, -5.4, -4.6])
_BIAS = -37.8 - 0.6
# Subtracted from the score of a face whose surroundings are outside the picture: nine tiles of a
# floor that fill the picture look like that. Fitted by hand on drawn patterns; none of the photos
# is lost, with 2 the first.
_CROWDED = 1.5
# What a face that fills the picture has instead of the three features of its outline, if nothing
# beyond it is visible: the median of faces with more room.
_USUAL_OUTLINE = (0.9, 0.9, 0.8)
# Added to the score of a face that fills the picture, because a part of a floor rarely ends where
# the picture ends; and what it loses if it has at most two colours, as floors have. If the border
# cuts it, too, it may be any part of a floor and gains nothing: otherwise four of 10000 pictures
# without a cube more would show a face. None of 4956 stressed faces is lost by it.
_FILLED, _PLAIN_HUES, _PLAIN = 1.0, 2, 2.0

# A lattice may lie across an edge of a cube that is seen edge-on. Then it has neighbours, and its
# places do not fit a plane. It is rejected with this number of votes beyond two opposite sides,
# which no face has both in view, and this `miss`.
_ACROSS, _ACROSS_MISS = 1.5, 0.028
# With this number of votes beyond a side, the score is reduced by this much for each step of bend
# above a limit, which is lower if there is a vote beyond the opposite side, too.
_BESIDE, _BENT_LOSS = 1.5, 40.0
_PLANE, _PLANE_ACROSS = 0.05, 0.02
# A row without votes is not one of the face if its own side is less visible than this on average,
# or if the picture ends at the opposite side: the face is a row further, where the border cuts it.
_BLANK = 0.6

SURE_SCORE = 3.0
"""Log odds of a face above which nothing is subtracted, and no other place is searched."""


def features(lattices: Sequence[Lattice], evidence: FaceEvidence) -> Array:
    """Return the features that decide, (k, 14), each in 0..1.

    Stickers and sides are sorted, and the fourth or fifth worst one is used besides the mean, so
    that fingers over three stickers, or a logo, do not count much. (The weights were fitted to the
    third and fourth; with them 10 of 19 faces under three fingers are found, with these 18, and the
    highest scores of 189 pictures without a cube are the same within 0.3.)
    """
    votes = np.array([lattice.voters for lattice in lattices]).reshape(-1, 9)
    around = np.array([lattice.around for lattice in lattices])
    outer = _as_seen(evidence.outer, evidence.seen)
    outline = np.column_stack(
        [
            outer.mean(axis=1),
            np.sort(outer, axis=1)[:, 4],
            _as_seen(evidence.edged[:, 12:], evidence.seen).mean(axis=1),
        ]
    )
    outline[evidence.fills & ~evidence.seen.any(axis=1)] = _USUAL_OUTLINE
    return np.column_stack(
        [
            votes.sum(axis=1) / 9.0,
            np.minimum(1.0, 1.5 * around / np.maximum(evidence.room, _LEAST_ROOM)),
            np.sort(evidence.even, axis=1)[:, 3],
            np.sort(evidence.clear, axis=1)[:, 3],
            *outline.T,
            evidence.inside,
            [min(lattice.miss, 0.2) / 0.2 for lattice in lattices],
            [min(lattice.unlike, 0.3) / 0.3 for lattice in lattices],
            np.sort(evidence.lit, axis=1)[:, 3],
            evidence.edged[:, :12].mean(axis=1),
            [min(lattice.strays, 4) / 4.0 for lattice in lattices],
            np.clip((evidence.hues - 5.0) / 4.0, 0.0, 1.0),
        ]
    )


def _as_seen(sides: Array, seen: NDArray[np.bool_]) -> Array:
    """Replace sides (k, 12) that the picture does not show by the mean of the visible ones."""
    many = np.maximum(1, seen.sum(axis=1))
    mean = np.where(seen, sides, 0.0).sum(axis=1) / many
    return np.where(seen, sides, mean[:, None])


def crowding(evidence: FaceEvidence) -> Array:
    """Return the deduction from unsure scores, (k,): larger if less is visible around a face.

    For a face that fills the picture it depends on the colours, and is negative for most.
    """
    crowded = _CROWDED * np.clip(1.0 - evidence.room / _LEAST_ROOM, 0.0, 1.0)
    plain = evidence.hues <= _PLAIN_HUES
    gained = np.where(plain & (evidence.inside < 1.0), 0.0, _FILLED)
    filled = np.where(plain, _PLAIN, 0.0) - gained
    return np.asarray(np.where(evidence.fills, filled, crowded))


def _across_edge(lattices: Sequence[Lattice]) -> tuple[Array, NDArray[np.bool_]]:
    """Return the deduction for lattices that may lie across an edge, and which surely do: (k,)."""
    beyond = np.array([lattice.beyond for lattice in lattices]).reshape(-1, 2, 2)
    bends = np.array([lattice.bends for lattice in lattices])
    misses = np.array([lattice.miss for lattice in lattices])
    opposite = beyond.min(axis=2).max(axis=1)
    bent = np.where(beyond.max(axis=2) >= _BESIDE, bends, 0.0).max(axis=1)
    plane = np.where(opposite < 1.0, _PLANE, _PLANE_ACROSS)
    surely = (opposite >= _ACROSS) & (misses > _ACROSS_MISS)
    return _BENT_LOSS * np.maximum(0.0, bent - plane), surely


def _blank_rows(lattices: Sequence[Lattice], evidence: FaceEvidence) -> NDArray[np.bool_]:
    """Return whether a row of each lattice has no votes and is probably background."""
    voters = np.array([lattice.voters for lattice in lattices])
    rows = np.stack([voters[:, :, 0], voters[:, :, 2], voters[:, 0], voters[:, 2]], axis=1)
    visible = evidence.outer.reshape(-1, 4, 3).mean(axis=2)
    ends = evidence.seen.reshape(-1, 4, 3).sum(axis=2) >= _LEAST_OF_SIDE
    opposite = ends[:, [1, 0, 3, 2]]
    blank = (rows.sum(axis=2) == 0.0) & ((visible < _BLANK) | ~opposite)
    return np.asarray(blank.any(axis=1))


def face_scores(lattices: Sequence[Lattice], evidence: FaceEvidence) -> Array:
    """Score how much each lattice looks like a face of a cube: (k,) log odds, a face above 0."""
    bent, across = _across_edge(lattices)
    scores = features(lattices, evidence) @ _WEIGHTS + _BIAS - bent
    scores = np.where(scores < SURE_SCORE, scores - crowding(evidence), scores)
    outside = (evidence.inside < _LEAST_INSIDE) & ~(evidence.fills & (evidence.sides == 0))
    hues = np.where(evidence.fills, _MOST_HUES - 1, _MOST_HUES)  # nothing else is in view
    impossible = outside | (evidence.hues > hues) | across
    impossible |= _blank_rows(lattices, evidence)
    return np.where(impossible | evidence.continues_beyond, -np.inf, scores)
