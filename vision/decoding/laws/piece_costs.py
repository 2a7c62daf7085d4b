"""From the cost of each colour on each sticker to the cost of each piece in each place.

A sticker alone has six possible colours; a corner or edge place has only 24 possible
piece-and-orientation pairs. Deciding about pieces uses that most colour combinations exist on no
cube.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES


@lru_cache(maxsize=2)
def _tables(kind: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Facelets (places, m) and colours (pieces, orientations, m) of one kind of piece.

    `colours[piece, orientation, k]` is the colour (index in URFDLB) that the k-th facelet of
    whatever place the piece is in shows (Kociemba's convention: colour n of the piece is on facelet
    (n + orientation) mod m).
    """
    names, facelets = (CORNERS, CORNER_FACELETS) if kind == "corner" else (EDGES, EDGE_FACELETS)
    letters = np.array([[FACES.index(letter) for letter in name] for name in names])
    size = letters.shape[1]
    colours = np.stack([np.roll(letters, turn, axis=1) for turn in range(size)], axis=1)
    return np.array(facelets, dtype=np.intp), colours.astype(np.intp)


def piece_colours(kind: str) -> NDArray[np.intp]:
    """(pieces, orientations, m) colours that a piece shows; kind is ``corner`` or ``edge``."""
    return _tables(kind)[1]


def piece_facelets() -> tuple[tuple[int, ...], ...]:
    """Return the facelets of all 20 places, corners first."""
    return (*CORNER_FACELETS, *EDGE_FACELETS)


def piece_costs(
    sticker_costs: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Add up sticker costs for every piece, place and orientation.

    Args:
        sticker_costs: (54, 6) negative log likelihood of each colour (index in URFDLB) on each
            facelet.

    Returns:
        Corners (8 places, 8 pieces, 3 twists) and edges (12 places, 12 pieces, 2 flips).
    """
    corner_facelets, corner_colours = _tables("corner")
    edge_facelets, edge_colours = _tables("edge")
    corners = sticker_costs[corner_facelets[:, None, None, :], corner_colours]
    edges = sticker_costs[edge_facelets[:, None, None, :], edge_colours]
    return (corners[..., 0] + corners[..., 1] + corners[..., 2], edges[..., 0] + edges[..., 1])


def piece_labels(
    corners: tuple[NDArray[np.intp], NDArray[np.intp]],
    edges: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> NDArray[np.intp]:
    """Return the colour, index in URFDLB, of all 54 stickers of pieces in their places."""
    labels = np.repeat(np.arange(6), 9)  # the centres keep theirs
    for kind, (pieces, turns) in (("corner", corners), ("edge", edges)):
        facelets, colours = _tables(kind)
        labels[facelets] = colours[pieces, turns]
    return labels


def sticker_marginals(
    corner_marginals: NDArray[np.float64],
    edge_marginals: NDArray[np.float64],
    best: Facelets,
    best_cost: float,
) -> NDArray[np.float64]:
    """Return the cost of the likeliest legal cube that shows each colour on each facelet.

    Args:
        corner_marginals: (8, 8, 3) cost of the likeliest legal cube with that piece there.
        edge_marginals: (12, 12, 2) the same for edges.
        best: The likeliest legal cube, for the centres, which have no alternative.
        best_cost: Its cost.

    Returns:
        (54, 6); infinite where no cube has that colour.
    """
    marginals = np.full((54, 6), np.inf)
    for centre in range(4, 54, 9):
        marginals[centre, FACES.index(best.text[centre])] = best_cost
    for kind, costs in (("corner", corner_marginals), ("edge", edge_marginals)):
        facelets, colours = _tables(kind)
        places, pieces, turns = costs.shape
        where = np.broadcast_to(facelets[:, None, None, :], (places, pieces, turns, turns))
        which = np.broadcast_to(colours[None], where.shape)
        np.minimum.at(marginals, (where, which), np.broadcast_to(costs[..., None], where.shape))
    return marginals
