"""Which stickers of a reading are in doubt, and the fewest faces to show again."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from vision.colours.labels import labels_of
from vision.decoding.laws.legal_search import LegalSearch
from vision.decoding.laws.piece_costs import piece_facelets, sticker_marginals

Array = NDArray[np.float64]

# A rival cube nearer than this (nats) is a doubt, and so is a sticker whose second colour is.
DOUBTFUL_BELOW = 8.0
# A sticker whose own colour speaks against the likeliest cube by this much (nats) is at fault.
WRONG_BELOW = 2.0
LEAST_SEEN = 3
"""Stickers of a face, its centre aside; one of which fewer were seen has not been shown."""


def sticker_gaps(found: LegalSearch, best: Facelets) -> Array:
    """Return how much costlier any legal cube with another colour there is, (54,) nats."""
    marginals = sticker_marginals(found.corner_marginals, found.edge_marginals, best, found.cost)
    marginals[np.arange(54), labels_of(best)] = np.inf
    return np.asarray(np.maximum(marginals.min(axis=1) - found.cost, 0.0))


def turned_pieces(best: Facelets, proposal: Facelets) -> tuple[tuple[int, ...], ...]:
    """Return places whose stickers, one by one, show the cube's piece flipped or twisted there.

    Two stickers are hardly ever mistaken for each other: the piece is turned, or another one is.
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
    """Name the fewest faces that together show a doubtful sticker of every doubtful piece.

    A place of the cube is in doubt when another piece or orientation there makes a legal cube
    nearly as likely, or when its stickers taken one by one contradict the likeliest cube. Of such a
    place those stickers matter that speak unclearly or for another colour; when the likeliest cube
    has no rival, those only that speak for another colour. A face of which hardly a sticker was
    seen is always named.

    Args:
        costs: (54, 6) cost of each colour on each sticker.
        found: The search around the likeliest cube.
        best: The likeliest cube.
        proposal: The stickers taken one by one.
        seen: (54,) which stickers were seen.

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
    needed += [{face} for face in range(6) if _hardly_seen(seen[9 * face : 9 * face + 9])]
    doubt = np.clip(DOUBTFUL_BELOW - clearness, 0.0, 2.0 * DOUBTFUL_BELOW) * (
        contradicts | (gaps < DOUBTFUL_BELOW)
    )
    return _fewest_faces(needed, doubt.reshape(6, 9).sum(axis=1))


def _hardly_seen(face: NDArray[np.bool_]) -> bool:
    """Whether a face, its centre aside, shows almost none of its stickers."""
    return int(np.delete(face, 4).sum()) < LEAST_SEEN


def _fewest_faces(needed: list[set[int]], doubt: Array) -> tuple[str, ...]:
    """Choose the smallest set of faces meeting every set; ties go to the most doubt."""
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
