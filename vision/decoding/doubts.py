"""The doubtful stickers of a reading, and the fewest faces to show again."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from vision.colours.assignment import CENTRES
from vision.colours.scheme import labels_of
from vision.decoding.legal_search import LegalSearch
from vision.decoding.piece_costs import piece_facelets, sticker_marginals

Array = NDArray[np.float64]

# A rival cube nearer than this (nats) makes a cube doubtful; the same holds for a sticker's second
# colour.
DOUBTFUL_BELOW = 8.0
# A sticker whose own colour contradicts the likeliest cube by this much (nats) is wrong.
WRONG_BELOW = 2.0
LEAST_SEEN = 3
"""Stickers of a face besides its centre; a face with fewer visible stickers counts as not shown."""


def sticker_gaps(found: LegalSearch, best: Facelets) -> Array:
    """Return how much more the cheapest legal cube with another colour there costs, (54,) nats."""
    marginals = sticker_marginals(found.corner_marginals, found.edge_marginals, best, found.cost)
    marginals[np.arange(54), labels_of(best)] = np.inf
    return np.asarray(np.maximum(marginals.min(axis=1) - found.cost, 0.0))


def turned_pieces(best: Facelets, proposal: Facelets) -> tuple[tuple[int, ...], ...]:
    """Return places whose stickers, taken one by one, show the cube's piece flipped or twisted.

    Two stickers of a piece are hardly ever read as each other by mistake, so the piece is turned,
    or it is another piece.
    """
    found = []
    for place in piece_facelets():
        decided = [best.text[i] for i in place]
        looked = [proposal.text[i] for i in place]
        turns = [decided[turn:] + decided[:turn] for turn in range(1, len(place))]
        if looked in turns:
            found.append(place)
    return tuple(found)


def faces_to_reread(
    costs: Array, found: LegalSearch, best: Facelets, proposal: Facelets, seen: NDArray[np.bool_]
) -> tuple[str, ...]:
    """Return the fewest faces that together show a doubtful sticker of every doubtful piece.

    A place of the cube is doubtful if another piece or orientation there gives a legal cube that is
    nearly as likely, or if its stickers, taken one by one, contradict the likeliest cube. At such a
    place, the stickers count that are unclear or indicate another colour; if the likeliest cube has
    no rival, only those that indicate another colour count. A face with hardly any visible sticker
    is always named.

    Args:
        costs: (54, 6) cost of each colour on each sticker.
        found: The result of the search around the likeliest cube.
        best: The likeliest cube.
        proposal: The stickers taken one by one.
        seen: (54,) whether each sticker was seen.

    Returns:
        Face letters, at least one, the most doubtful first.
    """
    labels = labels_of(best)
    others = costs.copy()
    others[np.arange(54), labels] = np.inf
    clearness = np.where(seen, others.min(axis=1) - costs[np.arange(54), labels], -DOUBTFUL_BELOW)
    contradicts = np.array([a != b for a, b in zip(best.text, proposal.text, strict=True)])
    gaps = sticker_gaps(found, best)
    at_fault = ~seen | (clearness < -WRONG_BELOW)
    unique = found.margin >= DOUBTFUL_BELOW and at_fault.any()
    doubtful = at_fault if unique else contradicts | (clearness < DOUBTFUL_BELOW)
    needed: list[set[int]] = []
    for place in piece_facelets():
        shown = list(place)
        if gaps[shown].min() < DOUBTFUL_BELOW or contradicts[shown].any():
            suspects = [i for i in shown if doubtful[i]]
            if suspects:
                needed.append({i // 9 for i in suspects})
    around = np.delete(seen, CENTRES).reshape(6, 8).sum(axis=1)
    needed += [{int(face)} for face in np.flatnonzero(around < LEAST_SEEN)]
    doubt = np.clip(DOUBTFUL_BELOW - clearness, 0.0, 2.0 * DOUBTFUL_BELOW) * (
        contradicts | (gaps < DOUBTFUL_BELOW)
    )
    return _fewest_faces(needed, doubt.reshape(6, 9).sum(axis=1))


def _fewest_faces(needed: list[set[int]], doubt: Array) -> tuple[str, ...]:
    """Choose the fewest faces that include one of every set; ties go to the largest doubt."""
    for size in range(1, 7):
        fitting = [
            chosen
            for chosen in combinations(range(6), size)
            if all(faces & set(chosen) for faces in needed)
        ]
        if fitting:
            chosen = max(fitting, key=lambda faces: doubt[list(faces)].sum())
            return tuple(FACES[face] for face in sorted(chosen, key=lambda face: -doubt[face]))
    raise AssertionError("all six faces meet every set")
