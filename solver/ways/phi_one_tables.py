"""Distance tables of S3's Φ1: of the corners alone, and of the edges alone, four bits an entry."""

from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import ALL_MOVES
from solver import coordinates
from solver.cubies import move_cubies
from solver.tables import Arrays, Progress, TableSet

TURNS = tuple(move.index for move in ALL_MOVES if move.turns == 2 or move.face not in "FB")
_GROUP, _ORDERS, _PAIRS = 4, 24, 1680
_DEEPEST = 14
"""No entry is further; told for the progress alone."""


@cache
def groups() -> NDArray[np.int64]:
    """Ordered places of four edges, set by set, shape (11880, 4)."""
    orders = list(permutations(range(_GROUP)))
    sets = combinations(range(12), _GROUP)
    return np.array([[places[i] for i in order] for places in sets for order in orders])


def group_numbers(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers of ordered places of four edges, shape (n, 4) to (n,)."""
    by_code = np.zeros(12**_GROUP, np.int64)
    powers = 12 ** np.arange(_GROUP)
    by_code[groups() @ powers] = np.arange(len(groups()))
    numbers: NDArray[np.int64] = by_code[places @ powers]
    return numbers


def group_moves() -> NDArray[np.uint16]:
    """How the turns move four edges, shape (11880, 14)."""
    goes = [np.argsort(move_cubies()[turn].edges) for turn in TURNS]
    return np.stack([group_numbers(to[groups()]) for to in goes], axis=1).astype(np.uint16)


@cache
def ranked_pairs() -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16]]:
    """For each set of four places: ranks of second groups, these by rank, the third set."""
    sets = groups()[::_ORDERS]
    members = np.zeros((len(sets), 12), bool)
    np.put_along_axis(members, sets, values=True, axis=1)
    ranks = np.zeros((len(sets), len(groups())), np.uint16)
    seconds = np.zeros((len(sets), _PAIRS), np.uint16)
    thirds = np.zeros((len(sets), _PAIRS), np.uint16)
    set_of = {member.tobytes(): number for number, member in enumerate(members)}
    for number, member in enumerate(members):
        free = np.flatnonzero(~member[groups()].any(axis=1))
        ranks[number, free] = np.arange(_PAIRS)
        seconds[number] = free
        both = member | members[free // _ORDERS]
        left = [set_of[row.tobytes()] for row in ~both]
        thirds[number] = left
    return ranks, seconds, thirds


def _build(progress: Progress) -> Arrays:
    from solver.kernels.ways.phi_one import UNREACHED, spread_corners, spread_edges

    progress(0.0)
    turns = list(TURNS)
    permutations_by = np.ascontiguousarray(coordinates.corner_permutation_moves()[:, turns])
    twists_by = np.ascontiguousarray(coordinates.twist_moves()[:, turns], np.uint16)
    made: dict[str, NDArray[Any]] = {"permutation_moves": permutations_by, "twist_moves": twists_by}
    distances = np.full(len(permutations_by) * len(twists_by), UNREACHED, np.uint8)
    distances[0], depth = 0, 0
    while spread_corners(distances, depth, permutations_by, twists_by):
        depth += 1
        progress(min(1.0, depth / _DEEPEST) / 4)
    made["corners"] = _packed(distances)
    groups_by, (ranks, seconds, thirds) = group_moves(), ranked_pairs()
    made |= {"group_moves": groups_by, "ranks": ranks}
    distances = np.full(len(groups_by) * _PAIRS * _ORDERS, UNREACHED, np.uint8)
    start = group_numbers(np.arange(12).reshape(3, _GROUP))
    at = (start[0] * _PAIRS + int(ranks[start[0] // _ORDERS, start[1]])) * _ORDERS
    distances[at + start[2] % _ORDERS], depth = 0, 0
    while spread_edges(distances, depth, groups_by, ranks, seconds, thirds):
        depth += 1
        progress(1 / 4 + min(1.0, depth / _DEEPEST) * 3 / 4)
    made["edges"] = _packed(distances)
    progress(1.0)
    return made


def _packed(distances: NDArray[np.uint8]) -> NDArray[np.uint8]:
    from solver.kernels.ways.phi_one import pack_pairs

    packed = np.empty(len(distances) // 2, np.uint8)
    pack_pairs(distances, packed)
    return packed


PHI_ONE_TABLE_SET = TableSet("phi1", 1, _build)
