"""Invariants of the cube with few turns that signs and angles do not express.

S3's delta is what half turns preserve of the corners besides signs and the two tetrads. The four
corners of a tetrad can be divided into two pairs in three ways, one for each axis. Half turns
permute these ways alike in both tetrads, so delta = p o q^-1 of the two permutations p and q is
invariant.

Two adjacent faces permute their six corners as PGL(2, 5). The fifteen pairs of six corners can be
divided into five triples of disjoint pairs in six ways (J. J. Sylvester's totals); the turns
preserve one of them.

Coupled and opposite faces generate small groups: states are compared up to the arrangements of the
corners that turns make, then of the edges that go with them.
"""

from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations

import numpy as np

from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS
from cube.state import SOLVED, CubeState
from puzzles.kinds.orbits import orbit
from puzzles.kinds.pieces import Arrangement, Law, Phrase

CORNER_SLOTS = np.array([slot for slots in CORNER_FACELETS for slot in slots])
EDGE_SLOTS = np.array([slot for slots in EDGE_FACELETS for slot in slots])
AXES = "URF"
TETRADS = ((0, 2, 5, 7), (1, 3, 4, 6))
"""The corners, by number, that half turns never mix: no two share an edge."""

PAIRS = (
    (((0, 2), (5, 7)), ((0, 7), (2, 5)), ((0, 5), (2, 7))),
    (((1, 3), (4, 6)), ((3, 4), (1, 6)), ((1, 4), (3, 6))),
)
"""For each tetrad the pairs of places that half turns about U, R and F exchange."""

Total = frozenset[frozenset[frozenset[int]]]
"""Five triples of disjoint pairs of six things: every pair occurs once."""


def delta_of(corners: tuple[int, ...]) -> str:
    """Return the axes that p o q^-1 maps to U, R and F; ``URF`` for the identity.

    If a tetrad contains corners of the other one, they are numbered in order: the value is then
    also one of six, and half turns preserve it, but it is not one of S3's.

    Args:
        corners: The corner in each of the eight places.
    """
    p, q = (
        _pairs_permuted(corners, tetrad, pairs)
        for tetrad, pairs in zip(TETRADS, PAIRS, strict=True)
    )
    return "".join(AXES[p[q.index(axis)]] for axis in range(3))


def in_own_tetrads(corners: tuple[int, ...]) -> bool:
    """Return whether both tetrads contain their own corners."""
    return all({corners[place] for place in tetrad} == set(tetrad) for tetrad in TETRADS)


def _pairs_permuted(
    corners: tuple[int, ...],
    tetrad: tuple[int, ...],
    pairs: tuple[tuple[tuple[int, int], tuple[int, int]], ...],
) -> list[int]:
    """Return, for each axis, the home axis of the pairs of corners in its places."""
    inside = sorted(corners[place] for place in tetrad)
    home = dict(zip(inside, tetrad, strict=True))
    homes = [{frozenset(pair) for pair in both} for both in pairs]
    found = [{frozenset(home[corners[i]] for i in pair) for pair in both} for both in pairs]
    return [homes.index(pair) for pair in found]


def delta_law() -> Law:
    """Return delta as a law of the cube with half turns only.

    Besides it, the sums are S3's: a swap in a tetrad together with one in a slice changes delta and
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
        Phrase(
            "delta",
            "δ = p∘q⁻¹, how the pairs of the tetrad of URF are permuted among the axes, against "
            "those of the other tetrad: where it takes U R F (S3)",
        ),
        6,
        lambda arrangement: delta_of(_corners(arrangement)),
        lambda value: " ".join(str(value)),
        (np.array(swap.facelet_places()),),
        lambda arrangement: _members(arrangement, TETRADS[0]),
    )


def _corners(arrangement: Arrangement) -> tuple[int, ...]:
    """Return the corner in each place."""
    home = {slot: number for number, slots in enumerate(CORNER_FACELETS) for slot in slots}
    return tuple(home[int(arrangement[slots[0]])] for slots in CORNER_FACELETS)


def _members(arrangement: Arrangement, places: Sequence[int]) -> frozenset[int]:
    """Return which corners are in some places."""
    corners = _corners(arrangement)
    return frozenset(corners[place] for place in places)


@cache
def totals() -> tuple[Total, ...]:
    """Return the six totals of the numbers 0 to 5."""
    pairs = list(map(frozenset, combinations(range(6), 2)))
    triples = [frozenset(t) for t in combinations(pairs, 3) if len(frozenset.union(*t)) == 6]
    return tuple(
        frozenset(total)
        for total in combinations(triples, 5)
        if len(frozenset.union(*total)) == len(pairs)
    )


def total_law(turns: Sequence[Arrangement]) -> Law:
    """Return the law of the six corners on two adjacent faces.

    Args:
        turns: The quarter turns of the two faces.
    """
    moved = [_corners(turn) for turn in turns]
    places = [i for i in range(8) if any(corners[i] != i for corners in moved)]

    def shown(arrangement: Arrangement, total: Total) -> Total:
        """Return the corners in the places of a total, numbered in order from 0."""
        corners = [_corners(arrangement)[place] for place in places]
        ranks = [sorted(corners).index(corner) for corner in corners]
        return frozenset(
            frozenset(frozenset(ranks[i] for i in pair) for pair in triple) for triple in total
        )

    kept = next(t for t in totals() if all(shown(turn, t) == t for turn in turns))
    names = " ".join(CORNERS[place] for place in places)
    return Law(
        Phrase("total_name", "total of the six corners"),
        Phrase(
            "total",
            "which of the six totals (five triples of pairs that together are all fifteen pairs) "
            "the corners in {places} form, where the turns preserve one: they permute these places "
            "in 120 of 720 ways, as PGL(2, 5)",
            places=names,
        ),
        6,
        lambda arrangement: totals().index(shown(arrangement, kept)) + 1,
        str,
        (),
        lambda arrangement: _members(arrangement, places),
    )


def coset_laws(
    turns: Sequence[Arrangement], values: tuple[int, int], texts: tuple[str, str]
) -> tuple[Law, Law]:
    """Return the laws of a small group: corners up to its turns, then edges seen from the corners.

    Args:
        turns: The turns.
        values: The number of values of each.
        texts: One sentence for each.
    """
    frees = tuple(np.array(state.facelet_places()) for state in _changed())

    @cache
    def elements() -> Arrangement:
        steps = [partial(np.take, indices=turn) for turn in turns]
        return np.array(orbit(np.arange(len(turns[0])), steps, np.ndarray.tobytes))

    def least(arrangement: Arrangement) -> Arrangement:
        """Return the first of the connected states, by the corners, then by the edges."""
        reached = arrangement[elements()]
        order = np.concatenate([CORNER_SLOTS, EDGE_SLOTS])
        first: Arrangement = reached[np.lexsort(reached[:, order[::-1]].T)[0]]
        return first

    return (
        Law(
            Phrase("corners_name", "corners up to turns"),
            texts[0],
            values[0],
            lambda arrangement: tuple(least(arrangement)[CORNER_SLOTS].tolist()),
            lambda value: _said(value, 3),
            frees,
        ),
        Law(
            Phrase("edges_name", "edges up to turns"),
            texts[1],
            values[1],
            lambda arrangement: tuple(least(arrangement)[EDGE_SLOTS].tolist()),
            lambda value: _said(value, 2),
            (),
            lambda arrangement: tuple(least(arrangement)[CORNER_SLOTS].tolist()),
        ),
    )


def _changed() -> list[CubeState]:
    """Return one re-assembly for each swap of two pieces, and for a twist and a flip."""
    corners, edges = SOLVED.corner_permutation, SOLVED.edge_permutation
    found = []
    for i, j in combinations(range(12), 2):
        swapped = list(edges)
        swapped[i], swapped[j] = j, i
        found.append(CubeState(corners, (0,) * 8, tuple(swapped), (0,) * 12))
        if j < 8:
            swapped = list(corners)
            swapped[i], swapped[j] = j, i
            found.append(CubeState(tuple(swapped), (0,) * 8, edges, (0,) * 12))
    found.append(CubeState(corners, (1, *(0,) * 7), edges, (0,) * 12))
    return [*found, CubeState(corners, (0,) * 8, edges, (1, *(0,) * 11))]


def _said(slots: object, size: int) -> str:
    """Return the pieces in their places, as the stickers that each shows."""
    assert isinstance(slots, tuple)
    faces = "URFDLB"
    shown = [faces[slot // 9] for slot in slots]
    return " ".join("".join(shown[i : i + size]) for i in range(0, len(shown), size))
