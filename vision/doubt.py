"""Which stickers of a reading are in doubt, and the fewest faces to show again."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from vision.legal_search import LegalSearch
from vision.piece_costs import piece_facelets, sticker_marginals

Array = NDArray[np.float64]

# A rival cube nearer than this (nats) is a doubt, and so is a sticker whose second colour is.
DOUBT = 8.0


def sticker_gaps(found: LegalSearch, best: Facelets) -> Array:
    """Return how much costlier any legal cube with another colour there is, (54,) nats."""
    marginals = sticker_marginals(found.corner_marginals, found.edge_marginals, best, found.cost)
    labels = [FACES.index(letter) for letter in best.text]
    marginals[np.arange(54), labels] = np.inf
    return np.asarray(np.maximum(marginals.min(axis=1) - found.cost, 0.0))


def faces_to_reread(
    costs: Array,
    found: LegalSearch,
    best: Facelets,
    proposal: Facelets,
    seen: NDArray[np.bool_],
) -> tuple[str, ...]:
    """Name the fewest faces that together show a doubtful sticker of every doubtful piece.

    A place of the cube is in doubt when another piece or orientation there makes a legal cube
    nearly as likely, or when its stickers taken one by one contradict the likeliest cube. Of such a
    place those stickers matter whose own colour is unclear. Among equally few faces those with more
    doubtful stickers win.

    Args:
        costs: (54, 6) cost of each colour on each sticker.
        found: the search around the likeliest cube.
        best: the likeliest cube.
        proposal: the stickers taken one by one.
        seen: (54,) which stickers were seen.

    Returns:
        Face letters in the order URFDLB, at least one.
    """
    labels = np.array([FACES.index(letter) for letter in best.text])
    own = costs[np.arange(54), labels]
    others = costs.copy()
    others[np.arange(54), labels] = np.inf
    unclear = others.min(axis=1) - own
    contradicts = np.array([a != b for a, b in zip(best.text, proposal.text, strict=True)])
    gaps = sticker_gaps(found, best)
    doubtful = contradicts | ~seen | (unclear < DOUBT)
    needed: list[set[int]] = []
    for place in piece_facelets():
        shown = list(place)
        if gaps[shown].min() >= DOUBT and not contradicts[shown].any():
            continue
        suspects = [i for i in shown if doubtful[i]] or shown
        needed.append({i // 9 for i in suspects})
    return _fewest_faces(needed, np.where(doubtful, np.minimum(unclear, DOUBT), DOUBT))


def _fewest_faces(needed: list[set[int]], clearness: Array) -> tuple[str, ...]:
    """Choose the smallest set of faces meeting every set; ties go to the least clear one."""
    weight = clearness.reshape(6, 9).sum(axis=1)
    if not needed:
        return (FACES[int(np.argmin(weight))],)
    for size in range(1, 7):
        fitting = [
            chosen
            for chosen in combinations(range(6), size)
            if all(faces & set(chosen) for faces in needed)
        ]
        if fitting:
            chosen = min(fitting, key=lambda faces: weight[list(faces)].sum())
            return tuple(FACES[face] for face in chosen)
    return tuple(FACES)
