"""Coordinates: numbers for the cosets of the cube's pieces, and the effect of turns on them.

Every function works on whole arrays of arrangements, so a move table is built by applying every
move to every arrangement. Move tables have shape (number of values, 18), dtype int16 or uint16, and
are indexed by ``Move.index``.

The first answer has to wait for these tables, and loading a compiler would take longer than
computing them in numpy.
"""

from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cubies import MOVES, move_cubies

Table = NDArray[Any]
Bytes = NDArray[np.uint8]


FLIPS, TWISTS, SLICES, CORNER_PERMUTATIONS = 2048, 2187, 495, 40320
M_EDGES, S_EDGES, E_EDGES = (1, 3, 5, 7), (0, 2, 4, 6), (8, 9, 10, 11)
HALF_TURNS = (1, 4, 7, 10, 13, 16)

Rows = NDArray[np.int64]


def rank_permutations(rows: Rows) -> NDArray[np.int64]:
    """Return lexicographic ranks of permutations given as rows, shape (n, k) to (n,)."""
    size = rows.shape[1]
    rank = np.zeros(len(rows), dtype=np.int64)
    for place in range(size):
        smaller = (rows[:, place + 1 :] < rows[:, place : place + 1]).sum(axis=1)
        rank = rank * (size - place) + smaller
    return rank


@cache
def all_permutations(size: int) -> Rows:
    """Return all permutations of ``range(size)``, read-only: (size!, size), lexicographic."""
    rows = np.array(list(permutations(range(size))), dtype=np.int64)
    rows.flags.writeable = False
    return rows


def orientation_rows(base: int, pieces: int) -> Rows:
    """Return every orientation of the pieces; the last piece follows from the others."""
    numbers = np.arange(base ** (pieces - 1))
    digits = [numbers // base**power % base for power in range(pieces - 2, -1, -1)]
    rows = np.stack(digits, axis=1)
    return np.hstack([rows, -rows.sum(axis=1, keepdims=True) % base])


def rank_orientations(rows: Rows, base: int) -> NDArray[np.int64]:
    """Return orientations as numbers in the base, first piece highest, without the last."""
    powers = base ** np.arange(rows.shape[1] - 2, -1, -1)
    return np.asarray(rows[:, :-1] @ powers)


@cache
def flip_moves() -> NDArray[np.int16]:
    """Return the effect of turns on the edges' flips, shape (2048, 18)."""
    rows = orientation_rows(2, 12)
    return _table([rank_orientations((rows[:, m.edges] + m.flips) % 2, 2) for m in move_cubies()])


@cache
def twist_moves() -> NDArray[np.int16]:
    """Return the effect of turns on the corners' twists, shape (2187, 18)."""
    rows = orientation_rows(3, 8)
    return _table(
        [rank_orientations((rows[:, m.corners] + m.twists) % 3, 3) for m in move_cubies()]
    )


@cache
def subset_numbers(places: int, chosen: tuple[int, ...]) -> NDArray[np.int16]:
    """Return the number of every set of places by its mask; the chosen set is number 0.

    Sets of another size get -1. Shape (2 ** places,).
    """
    masks = [sum(1 << place for place in s) for s in combinations(range(places), len(chosen))]
    goal = sum(1 << place for place in chosen)
    masks.sort(key=lambda mask: (mask != goal, mask))
    numbers = np.full(1 << places, -1, dtype=np.int16)
    numbers[masks] = np.arange(len(masks))
    return numbers


def subset_masks(places: int, chosen: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the masks of the sets of places in the order of their numbers."""
    numbers = subset_numbers(places, chosen)
    masks = np.flatnonzero(numbers >= 0)
    return masks[np.argsort(numbers[masks])]


def _subset_moves(
    places: int, chosen: tuple[int, ...], edges: list[NDArray[np.int64]]
) -> NDArray[np.int16]:
    numbers, bits = np.arange(places), subset_masks(places, chosen)[:, None]
    bits = bits >> numbers & 1
    after = [(bits[:, turn] << numbers).sum(axis=1) for turn in edges]
    return _table([subset_numbers(places, chosen)[masks] for masks in after])


@cache
def slice_moves() -> NDArray[np.int16]:
    """Return the effect of turns on the places of the E slice's edges, shape (495, 18)."""
    return _subset_moves(12, E_EDGES, [m.edges for m in move_cubies()])


@cache
def middle_moves() -> NDArray[np.int16]:
    """Return the effect of turns of G2 on the places of the M slice's edges, shape (70, 18).

    Columns of turns outside G2 contain -1.
    """
    edges = [m.edges for m in move_cubies()]
    keeps = [bool((e[:8] < 8).all()) for e in edges]
    identity = np.arange(8)
    table = _subset_moves(
        8,
        M_EDGES,
        [e[:8] if keep else identity for e, keep in zip(edges, keeps, strict=True)],
    )
    table[:, ~np.array(keeps)] = -1
    return table


@cache
def corner_permutation_moves() -> NDArray[np.uint16]:
    """Return the effect of turns on the corners' permutation, shape (40320, 18)."""
    rows = all_permutations(8)
    columns = [rank_permutations(rows[:, m.corners]) for m in move_cubies()]
    return np.stack(columns, axis=1).astype(np.uint16)


@cache
def square_corners() -> NDArray[np.int16]:
    """Return the number, 0 to 95, of each corner permutation that half turns reach; else -1."""
    turns = np.stack([move_cubies()[turn].corners for turn in HALF_TURNS])
    found, before = np.arange(8)[None], 0
    while len(found) > before:
        before = len(found)
        found = np.unique(np.concatenate([found, found[:, turns].reshape(-1, 8)]), axis=0)
    numbers = np.full(CORNER_PERMUTATIONS, -1, dtype=np.int16)
    numbers[rank_permutations(found)] = np.arange(len(found))
    return numbers


@cache
def corner_cosets() -> NDArray[np.int16]:
    """Return the coset, 0 to 419, of each corner permutation modulo those that half turns reach.

    Two permutations are in the same coset if renaming the corners by half turns makes them equal,
    so the coset after a turn depends only on the coset before it. The solved coset is number 0.
    """
    rows = all_permutations(8)
    group = rows[np.flatnonzero(square_corners() >= 0)]
    cosets = np.full(CORNER_PERMUTATIONS, -1, dtype=np.int16)
    number = 0
    for rank in range(CORNER_PERMUTATIONS):
        if cosets[rank] < 0:
            cosets[rank_permutations(group[:, rows[rank]])] = number
            number += 1
    return cosets


@cache
def corner_coset_moves() -> NDArray[np.int16]:
    """Return the effect of turns on the corners' coset, shape (420, 18)."""
    cosets = corner_cosets()
    _, first = np.unique(cosets, return_index=True)
    return cosets[corner_permutation_moves()[first]]


@cache
def square_corner_moves() -> NDArray[np.int16]:
    """Return the effect of half turns on their 96 corner permutations, shape (96, 18), else -1."""
    numbers = square_corners()
    ranks = np.flatnonzero(numbers >= 0)
    ranks = ranks[np.argsort(numbers[ranks])]
    return numbers[corner_permutation_moves()[ranks]]


@cache
def slice_permutation_moves(places: tuple[int, ...]) -> NDArray[np.int16]:
    """Return the effect of half turns on the edges of one slice, shape (24, 18), else -1."""
    rows = all_permutations(4)
    table = np.full((24, MOVES), -1, dtype=np.int16)
    for turn in HALF_TURNS:
        local = np.searchsorted(places, move_cubies()[turn].edges[list(places)])
        table[:, turn] = rank_permutations(rows[:, local])
    return table


def _table(columns: list[NDArray[np.int64]] | list[NDArray[np.int16]]) -> NDArray[np.int16]:
    return np.stack(columns, axis=1).astype(np.int16)
