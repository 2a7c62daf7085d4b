"""A state of S3's Φ1 as five numbers, and the effects of its turns and its sixteen symmetries.

The cube is turned about U: here F and B have no quarter turns.

The numbers are the permutation of the corners, their twists about the axis from F to B, and the
ordered places of the edges of each middle layer, those of the layer between F and B first. Edges
are never flipped. The symmetries are those of the cube that preserve the axis from F to B: a state
and its image have the same distance from the solved one.
"""

from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from cube.moves import ALL_MOVES
from cube.state import CubeState
from solver.coordinates import (
    E_EDGES,
    M_EDGES,
    S_EDGES,
    corner_permutation_moves,
    orientation_rows,
    rank_orientations,
    rank_permutations,
)
from solver.cubies import move_cubies, of_state, symmetries

TURNS = tuple(move.index for move in ALL_MOVES if move.turns == 2 or move.face not in "FB")
ORDERS = 24
_LAYER = 4
_FRONT_OR_BACK = np.array([2, 1, 2, 1, 1, 2, 1, 2])
"""The sticker of F or B of each corner, counted clockwise from that of U or D."""

Numbers = NDArray[np.uint16]


@cache
def layers() -> NDArray[np.int64]:
    """Return ordered places of four edges, set by set, shape (11880, 4)."""
    orders = list(permutations(range(_LAYER)))
    sets = combinations(range(12), _LAYER)
    return np.array([[places[i] for i in order] for places in sets for order in orders])


def layer_numbers(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return numbers of ordered places of four edges, shape (n, 4) to (n,)."""
    by_code = np.zeros(12**_LAYER, np.int64)
    powers = 12 ** np.arange(_LAYER)
    by_code[layers() @ powers] = np.arange(len(layers()))
    numbers: NDArray[np.int64] = by_code[places @ powers]
    return numbers


def set_masks() -> NDArray[np.int64]:
    """Return the places of each set of four as bits, shape (495,)."""
    masks: NDArray[np.int64] = (1 << layers()[::ORDERS]).sum(axis=1)
    return masks


def state_numbers(state: CubeState) -> list[int]:
    """Return the five numbers of a state."""
    cubies = of_state(state)
    places = np.argsort(cubies.edges)
    edges = layer_numbers(np.stack([places[list(own)] for own in (S_EDGES, M_EDGES, E_EDGES)]))
    twists = _turned(cubies.corners, cubies.twists)
    permutation = int(rank_permutations(cubies.corners[None])[0])
    return [permutation, int(rank_orientations(twists[None], 3)[0]), *edges.tolist()]


def _turned(corners: NDArray[np.int64], twists: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the twists of the stickers of F and B, from those of U and D."""
    turned: NDArray[np.int64] = (_FRONT_OR_BACK[corners] + twists - _FRONT_OR_BACK) % 3
    return turned


def permutation_moves() -> Numbers:
    """Return the effect of turns on permutations of the corners, shape (40320, 14)."""
    return np.ascontiguousarray(corner_permutation_moves()[:, list(TURNS)], np.uint16)


def twist_moves() -> Numbers:
    """Return the effect of turns on twists about the axis from F to B, shape (2187, 14)."""
    rows, moves = orientation_rows(3, 8), [move_cubies()[turn] for turn in TURNS]
    made = [rows[:, move.corners] + _turned(move.corners, move.twists) for move in moves]
    return np.stack([rank_orientations(row % 3, 3) for row in made], axis=1).astype(np.uint16)


def layer_moves() -> Numbers:
    """Return the effect of turns on ordered places of four edges, shape (11880, 14)."""
    goes = [np.argsort(move_cubies()[turn].edges) for turn in TURNS]
    return np.stack([layer_numbers(to[layers()]) for to in goes], axis=1).astype(np.uint16)


@cache
def turn_images() -> NDArray[np.int64]:
    """Return each turn's image under each symmetry, shape (16, 14); the first is the identity."""
    moves, images = move_cubies(), []
    for symmetry in symmetries():
        back = symmetry.inverse()
        made = [back * moves[turn] * symmetry for turn in TURNS]
        found = [[n for n, t in enumerate(TURNS) if moves[t].same_as(one)] for one in made]
        if all(found):
            images.append([numbers[0] for numbers in found])
    return np.array(sorted(images, key=lambda row: row != list(range(len(TURNS)))))


def images(moves: Numbers, starts: list[tuple[int, int]]) -> Numbers:
    """Return the images of numbers under the symmetries, shape (16, numbers).

    Args:
        moves: The effect of turns on the numbers.
        starts: For each symmetry the number of the solved state, and its image.
    """
    made = np.full((len(starts), len(moves)), -1, np.int64)
    for row, turns, (start, there) in zip(made, turn_images(), starts, strict=True):
        row[start] = there
        edge = np.array([start])
        while len(edge):
            reached = []
            for turn, image in enumerate(turns.tolist()):
                after = moves[edge, turn]
                new = row[after] < 0
                row[after[new]] = moves[row[edge[new]], image]
                reached.append(after[new])
            edge = np.unique(np.concatenate(reached))
    return made.astype(np.uint16)


def swaps() -> NDArray[np.uint8]:
    """Return which symmetries exchange the second and the third layer, shape (16,)."""
    upper = [n for n, turn in enumerate(TURNS) if ALL_MOVES[turn].face in "UD"]
    return (~np.isin(turn_images()[:, upper[0]], upper)).astype(np.uint8)


def layer_images() -> Numbers:
    """Return the images of the edges of each layer under the symmetries, shape (16, 3, 11880)."""
    homes = layer_numbers(np.array([S_EDGES, M_EDGES, E_EDGES])).tolist()
    moves, crossed = layer_moves(), [(0, 2, 1) if swap else (0, 1, 2) for swap in swaps()]
    made = [
        images(moves, [(homes[layer], homes[goes[layer]]) for goes in crossed])
        for layer in range(3)
    ]
    return np.ascontiguousarray(np.stack(made, axis=1))
