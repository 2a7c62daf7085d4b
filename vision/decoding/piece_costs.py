"""From the cost of each colour on each sticker to the cost of each piece in each place.

A sticker alone has six possible colours; a corner or edge place has only 24 possible pairs of piece
and orientation. Deciding on pieces uses the fact that most colour combinations do not exist on a
cube.

The cheapest arrangements of one kind of piece, by dynamic programming over sets of pieces.

Places are filled one after another; the state is the set of pieces used (Held and Karp 1962), the
parity of the permutation and the sum of the turns. The last two form a class, numbered parity ·
turns + sum: 2^12 · 4 values for the edges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES

Costs = NDArray[np.float64]
Indices = NDArray[np.intp]
Arrangement = tuple[Indices, Indices]
"""Piece and orientation in each place."""


@lru_cache(maxsize=2)
def _tables(kind: str) -> tuple[Indices, Indices]:
    """Return facelets (places, m) and colours (pieces, orientations, m) of one kind of piece.

    `colours[piece, orientation, k]` is the colour (index in URFDLB) of the k-th facelet of the
    piece's place (Kociemba's convention: colour n of the piece is on facelet (n + orientation) mod
    m).
    """
    names, facelets = (CORNERS, CORNER_FACELETS) if kind == "corner" else (EDGES, EDGE_FACELETS)
    letters = np.array([[FACES.index(letter) for letter in name] for name in names])
    size = letters.shape[1]
    colours = np.stack([np.roll(letters, turn, axis=1) for turn in range(size)], axis=1)
    return np.array(facelets, dtype=np.intp), colours.astype(np.intp)


def piece_colours(kind: str) -> Indices:
    """Return (pieces, orientations, m) colours of a piece; kind is ``corner`` or ``edge``."""
    return _tables(kind)[1]


def piece_facelets() -> tuple[tuple[int, ...], ...]:
    """Return the facelets of all 20 places, corners first."""
    return (*CORNER_FACELETS, *EDGE_FACELETS)


def piece_costs(sticker_costs: Costs) -> tuple[Costs, Costs]:
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


def piece_labels(corners: Arrangement, edges: Arrangement) -> Indices:
    """Return the colour, index in URFDLB, of all 54 stickers for pieces in their places."""
    labels = np.repeat(np.arange(6), 9)  # the centres keep their colours
    for kind, (pieces, turns) in (("corner", corners), ("edge", edges)):
        facelets, colours = _tables(kind)
        labels[facelets] = colours[pieces, turns]
    return labels


def sticker_marginals(
    corner_marginals: Costs, edge_marginals: Costs, best: Facelets, best_cost: float
) -> Costs:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """The transitions that fill one place, for all sets of pieces at once.

    Sets of one size are numbered in increasing order of their bit masks. A transition is odd if its
    piece jumps over an odd number of larger pieces already placed. `*_set` numbers the set at the
    other end, plus the number of sets of that size if the transition is odd.

    Attributes:
        into_set: (place + 1, sets after): the transitions into each set; `into_piece` alike.
        out_set: (count - place, sets before): the transitions out of each set; `out_piece` alike.
        by_piece: (pieces, transitions): the flat indices of `out_*` that add each piece.
    """

    into_set: Indices
    into_piece: Indices
    out_set: Indices
    out_piece: Indices
    by_piece: Indices


@lru_cache(maxsize=2)
def _layers(count: int) -> tuple[_Layer, ...]:
    masks = np.arange(1 << count)
    sizes = np.array([int(m).bit_count() for m in masks])
    number = np.zeros(1 << count, dtype=np.intp)
    for size in range(count + 1):
        of_size = masks[sizes == size]
        number[of_size] = np.arange(len(of_size))
    bits = (masks[:, None] >> np.arange(count)) & 1
    layers = []
    for place in range(count):
        before, after = masks[sizes == place], masks[sizes == place + 1]
        into_piece = np.nonzero(bits[after])[1].reshape(len(after), -1).T
        came_from = after ^ (1 << into_piece)
        into_odd = sizes[came_from >> into_piece] & 1
        out_piece = np.nonzero(1 - bits[before])[1].reshape(len(before), -1).T
        leads_to = before | (1 << out_piece)
        out_odd = sizes[before >> out_piece] & 1
        layers.append(
            _Layer(
                number[came_from] + into_odd * len(before),
                into_piece,
                number[leads_to] + out_odd * len(after),
                out_piece,
                np.argsort(out_piece, axis=None, kind="stable").reshape(count, -1),
            )
        )
    return tuple(layers)


@lru_cache(maxsize=2)
def _class_steps(turns: int) -> tuple[Indices, Indices]:
    """Return the classes, numbered parity · turns + sum, that a piece connects.

    Returns:
        Two of (turns, 2 · turns, 2): `[turn, class, odd]` is the class before, and the class after,
        a piece that is odd or not and turned by `turn`.
    """
    turn, parity, total, odd = np.ogrid[:turns, :2, :turns, :2]
    before, after = (
        ((parity ^ odd) * turns + (total + sign * turn) % turns).reshape(turns, 2 * turns, 2)
        for sign in (-1, 1)
    )
    return before, after


def sweep(costs: Costs) -> list[Costs]:
    """Find the cheapest arrangement of every class, for every set of pieces placed so far.

    Args:
        costs: (places, pieces, turns), finite.

    Returns:
        For each number of filled places (classes, sets): cost of exactly those pieces in them.
    """
    count, _, turns = costs.shape
    back, _ = _class_steps(turns)
    start = np.full((2 * turns, 1), np.inf)
    start[0] = 0.0
    values = [start]
    for place, layer in enumerate(_layers(count)):
        moved = values[-1][back].reshape(turns, 2 * turns, -1)
        options = moved.take(layer.into_set, axis=2)
        options += costs[place].T.take(layer.into_piece, axis=1)[:, None]
        values.append(options.min(axis=2).min(axis=0))
    return values


def marginals_of(costs: Costs, forward: Sequence[Costs], finish: ArrayLike) -> Costs:
    """Find, for each piece in each place, the cheapest arrangement of sum 0 with it there.

    Args:
        costs: (places, pieces, turns).
        forward: The result of `sweep`.
        finish: (2,) additional cost for each parity of the arrangement.

    Returns:
        (places, pieces, turns).
    """
    count, _, turns = costs.shape
    _, after = _class_steps(turns)
    result = np.empty((count, count, turns))
    to_go = np.full((2 * turns, 1), np.inf)
    to_go[[0, turns], 0] = finish
    for place, layer in reversed(list(enumerate(_layers(count)))):
        behind = to_go[after].reshape(turns, 2 * turns, -1).take(layer.out_set, axis=2)
        own = costs[place].T.take(layer.out_piece, axis=1)
        through = (behind + forward[place][:, None]).min(axis=1).reshape(turns, -1)
        ways = through.take(layer.by_piece, axis=1).min(axis=2)
        result[place] = ways.T + costs[place]
        behind += own[:, None]
        to_go = behind.min(axis=2).min(axis=0)
    return result


def trace(costs: Costs, forward: Sequence[Costs], parity: int, total: int) -> Arrangement:
    """Trace the values of `sweep` back to the cheapest arrangement of that parity and sum."""
    count, _, turns = costs.shape
    pieces = np.zeros(count, dtype=np.intp)
    orientations = np.zeros(count, dtype=np.intp)
    back, _ = _class_steps(turns)
    here, state = 0, parity * turns + total
    for place in reversed(range(count)):
        layer, before = _layers(count)[place], forward[place]
        odd, sets = np.divmod(layer.into_set[:, here], before.shape[1])
        classes = back[:, state, odd]
        piece = layer.into_piece[:, here]
        options = before[classes, sets] + costs[place][piece].T
        turn, way = np.unravel_index(int(options.argmin()), options.shape)
        pieces[place], orientations[place] = piece[way], turn
        here, state = int(sets[way]), int(classes[turn, way])
    return pieces, orientations
