"""S3's delta: what half turns keep of the corners beyond signs and the two tetrads.

The four corners of a tetrad fall into two pairs in three ways, one for each axis. Half turns
permute these ways alike in both tetrads, so of the two permutations p and q delta = p o q^-1 stays.
"""

from typing import Any

import numpy as np

from cube.state import SOLVED, CubeState
from puzzles.kinds.cube_pieces import cube_arrangement, cube_state
from puzzles.kinds.pieces import Arrangement, Law

AXES = "URF"
TETRADS = ((0, 2, 5, 7), (1, 3, 4, 6))
"""The corners, by number, that half turns keep among themselves: no two share an edge."""

PAIRS = (
    (((0, 2), (5, 7)), ((0, 7), (2, 5)), ((0, 5), (2, 7))),
    (((1, 3), (4, 6)), ((3, 4), (1, 6)), ((1, 4), (3, 6))),
)
"""For each tetrad the pairs of places that half turns about U, R and F exchange."""


def delta_of(corners: tuple[int, ...]) -> str:
    """The axes that p o q^-1 puts in the places of U, R and F; ``URF`` when it is the identity.

    Where a tetrad holds corners of the other one they are numbered as they come: the value is one
    of six then, too, and half turns keep it, but it is none of S3's.

    Args:
        corners: Which corner is in each of the eight places.
    """
    p, q = (
        _pairs_permuted(corners, tetrad, pairs)
        for tetrad, pairs in zip(TETRADS, PAIRS, strict=True)
    )
    return "".join(AXES[p[q.index(axis)]] for axis in range(3))


def in_own_tetrads(corners: tuple[int, ...]) -> bool:
    """Whether both tetrads hold their own corners."""
    return all({corners[place] for place in tetrad} == set(tetrad) for tetrad in TETRADS)


def _pairs_permuted(
    corners: tuple[int, ...],
    tetrad: tuple[int, ...],
    pairs: tuple[tuple[tuple[int, int], tuple[int, int]], ...],
) -> list[int]:
    """For each axis, whose pairs the corners in its places are at home."""
    inside = sorted(corners[place] for place in tetrad)
    home = dict(zip(inside, tetrad, strict=True))
    homes = [{frozenset(pair) for pair in both} for both in pairs]
    found = [{frozenset(home[corners[i]] for i in pair) for pair in both} for both in pairs]
    return [homes.index(pair) for pair in found]


def delta_law() -> Law:
    """Delta as a law of the cube that makes half turns only.

    Beside it the sums are S3's: a swap in a tetrad together with one in a slice changes delta and
    both signs, but not their product.
    """
    swap = CubeState(
        (2, 1, 0, *range(3, 8)),
        SOLVED.corner_orientation,
        (2, 1, 0, *range(3, 12)),
        SOLVED.edge_orientation,
    )
    return Law(
        "δ",
        "δ = p∘q⁻¹, how the pairs of the tetrad of URF are permuted among the axes, against those "
        "of the other tetrad: where it takes U R F (S3)",
        6,
        _delta,
        _said,
        (cube_arrangement(swap),),
    )


def _delta(arrangement: Arrangement) -> tuple[bool, str]:
    corners = cube_state(np.asarray(arrangement)).corner_permutation
    return in_own_tetrads(corners), delta_of(corners)


def _said(value: Any) -> str:
    own, delta = value
    return " ".join(delta) if own else "none, for a corner is in the other tetrad"
