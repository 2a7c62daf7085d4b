"""Does a lattice of nine places look like a face of a cube?

Voting alone finds faces in tiled floors, keyboards and wood grain. A face of a cube is even inside
its nine stickers, changes colour or has a groove along the 24 sides of them, and the pattern ends
there.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face_lattice import Lattice

Array = NDArray[np.float64]

# Pixels per sticker of the straightened picture, and how far beyond the face it reaches, in
# stickers.
_CELL = 16
_BORDER = 0.5
_START = int(_BORDER * _CELL)
_SIDE = 3 * _CELL + 2 * _START
# Margin around the part of a sticker, or of a side, that is looked at: 0.22 of its length.
_RIM = 4
# A groove belongs to a side of a sticker when it is this near, in pixels of the straightened
# picture.
_REACH = 4
# ΔE at which a side is half visible, and at which a sticker is half uneven.
_VISIBLE, _UNEVEN = 6.0, 8.0


@dataclass(frozen=True, slots=True, eq=False)
class FaceEvidence:
    """What the picture says about one lattice; every number lies in 0..1 and is large for a face.

    Attributes:
        even: (9,) how even the inner part of each sticker is.
        clear: (9,) share of each sticker's inner part without edges.
        inner: (12,) how visible each side between two stickers is.
        outer: (12,) the same for the outline of the face.
        edged: (24,) share of each side that lies on an edge, inner sides first.
        inside: share of the face that lies in the picture.
    """

    even: Array
    clear: Array
    inner: Array
    outer: Array
    edged: Array
    inside: float


def gather_evidence(
    lab: NDArray[np.uint8], edges: NDArray[np.uint8], lattice: Lattice
) -> FaceEvidence:
    """Straighten a picture along a lattice and measure it there.

    Args:
        lab: (h, w, 3) OpenCV's 8-bit CIELAB.
        edges: (h, w), non-zero on edges.
        lattice: the nine places.
    """
    straight = _straighten(lab, lattice) * np.array([100 / 255, 1.0, 1.0])
    thick = np.asarray(cv2.dilate(edges, np.ones((2, 2), np.uint8)), dtype=np.uint8)
    lit = _straighten(thick, lattice) > 100.0
    cells = _cells(straight)
    inner = cells[:, :, _RIM:-_RIM, _RIM:-_RIM]
    # Blocks of 2×2 average the noise of the sensor away, not the grain of wood.
    blocks = inner.reshape(3, 3, 4, 2, 4, 2, 3).mean(axis=(3, 5)).reshape(9, 16, 3)
    colours = np.median(blocks, axis=1)
    rough = np.median(np.linalg.norm(blocks - colours[:, None], axis=2), axis=1)
    clear = 1.0 - _cells(lit[..., None])[:, :, _RIM:-_RIM, _RIM:-_RIM].mean(axis=(2, 3, 4))
    grid = colours.reshape(3, 3, 3)
    down_in, down_out = _visible_sides(straight, grid)
    across_in, across_out = _visible_sides(straight.transpose(1, 0, 2), grid.transpose(1, 0, 2))
    edged_down, edged_across = _edged_sides(lit), _edged_sides(lit.T)
    return FaceEvidence(
        even=_UNEVEN / (_UNEVEN + rough),
        clear=clear.ravel(),
        inner=np.concatenate([down_in, across_in]),
        outer=np.concatenate([down_out, across_out]),
        edged=np.concatenate(
            [
                edged_down[1:3].ravel(),
                edged_across[1:3].ravel(),
                edged_down[::3].ravel(),
                edged_across[::3].ravel(),
            ]
        ),
        inside=_share_inside(lattice, edges.shape[1], edges.shape[0]),
    )


def _straighten(image: NDArray[np.uint8], lattice: Lattice) -> Array:
    to_lattice = np.array(
        [[1 / _CELL, 0, -0.5 - _BORDER], [0, 1 / _CELL, -0.5 - _BORDER], [0, 0, 1]]
    )
    straight = cv2.warpPerspective(
        image,
        lattice.homography @ to_lattice,
        (_SIDE, _SIDE),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(straight, dtype=np.float64)


def _cells(straight: Array | NDArray[np.bool_]) -> Array:
    """(3 rows, 3 columns, _CELL, _CELL, channels)."""
    face = straight[_START : _START + 3 * _CELL, _START : _START + 3 * _CELL]
    cells = face.reshape(3, _CELL, 3, _CELL, -1).transpose(0, 2, 1, 3, 4)
    return np.asarray(cells, dtype=np.float64)


def _visible_sides(straight: Array, colours: Array) -> tuple[Array, Array]:
    """How visible the vertical sides are: (6,) between stickers and (6,) at the outline.

    A side is visible when the colours on both sides of it differ, or when a line between them
    differs from both.
    """
    rows = straight[_START : _START + 3 * _CELL].reshape(3, _CELL, _SIDE, 3)
    profile = rows[:, _RIM:-_RIM].mean(axis=1)
    inner: list[Array] = []
    outer: list[Array] = []
    for line in range(4):
        x = _START + line * _CELL
        band = profile[:, x - _REACH : x + _REACH]
        left = colours[:, line - 1] if line > 0 else profile[:, : _START - _REACH].mean(axis=1)
        right = colours[:, line] if line < 3 else profile[:, x + _REACH :].mean(axis=1)
        step = np.linalg.norm(left - right, axis=1)
        groove = np.minimum(
            np.linalg.norm(band - left[:, None], axis=2),
            np.linalg.norm(band - right[:, None], axis=2),
        ).max(axis=1)
        strength = np.maximum(step, groove)
        (outer if line in (0, 3) else inner).append(strength / (strength + _VISIBLE))
    return np.concatenate(inner), np.concatenate(outer)


def _edged_sides(lit: NDArray[np.bool_]) -> Array:
    """(4 lines, 3 stickers): share of each vertical side with an edge within reach."""
    rows = lit[_START : _START + 3 * _CELL].reshape(3, _CELL, _SIDE)[:, _RIM:-_RIM]
    lines = [_START + line * _CELL for line in range(4)]
    return np.array([rows[:, :, x - _REACH : x + _REACH].any(axis=2).mean(axis=1) for x in lines])


def _share_inside(lattice: Lattice, width: int, height: int) -> float:
    corners = lattice.to_pixels(np.array([(-0.5, -0.5), (2.5, -0.5), (2.5, 2.5), (-0.5, 2.5)]))
    whole = abs(cv2.contourArea(corners.astype(np.float32)))
    clipped = np.clip(corners, 0, (width - 1, height - 1)).astype(np.float32)
    return float(abs(cv2.contourArea(clipped)) / max(1.0, whole))


# A logistic regression on `features`, fitted by benchmarks/face_finding.py on labelled photos of
# faces (framed, rolled, tilted, blurred, dimmed, partly covered) against their wrong lattices and
# pictures of everything else. Every feature but `around`, `miss` and
# `unlike` can only speak for a face.
_WEIGHTS = np.array([10.7, -15.9, 3.6, 6.7, 3.1, 3.8, 7.8, 5.2, -3.4, -3.0])
_BIAS = -30.8


def features(lattice: Lattice, evidence: FaceEvidence) -> Array:
    """Return the numbers that decide, (10,), each in 0..1.

    Stickers and sides are sorted, and the third or fourth worst one is taken beside the mean, so
    that a finger over two stickers, or a logo, does not count much.
    """
    return np.array(
        [
            lattice.voters.sum() / 9.0,
            min(lattice.around, 8) / 8.0,
            np.sort(evidence.even)[2],
            np.sort(evidence.clear)[2],
            evidence.outer.mean(),
            np.sort(evidence.outer)[3],
            evidence.edged[12:].mean(),
            evidence.inside,
            min(lattice.miss, 0.2) / 0.2,
            min(lattice.unlike, 0.3) / 0.3,
        ]
    )


def face_score(lattice: Lattice, evidence: FaceEvidence) -> float:
    """Say how much a lattice looks like a face of a cube: log odds, a face above 0."""
    return float(features(lattice, evidence) @ _WEIGHTS + _BIAS)
