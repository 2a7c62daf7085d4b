"""The compiled core of the search that splits a hypercube into layers.

A state has a few codes of one byte: the places of the twelve outer faces, and parts of masks. Each
turn has a contribution for each code, and the sums of these are numbers of tables: of the places of
six faces, or masks.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

import numpy as np
from numba import boolean, int16, int32, int64, uint8, uint16, void
from numpy.typing import NDArray

from puzzles.paths.kernels.stages import BARRED, UNKNOWN, add_key
from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, Words, read, record, written

SIX = 6
EDGES_AT, CORNERS_AT, CODES = 12, 15, 18
"""The first codes of both masks, and the number of codes."""
PLACES = 12
ARRANGED = 30
"""Arrangements of six faces in the same places, but for rotations of a cell: 6! / 24."""


class LayerMaps(NamedTuple):
    """What turns do to states, and how far parts of these are from the goal.

    Attributes:
        moves: What a code contributes after a turn to the number of its six faces or its mask,
            shape (codes, 256, turns).
        places: The new place of a face, shape (turns, places).
        alike: For the places of six faces the number of their places and arrangement, but for
            rotations of the cell, shape (cells, 12^6).
        faces: Distances of the twelve faces.
        edges: Distances by the mask of edges.
        corners: Distances by the mask of corners and of mirrored middle edges.
        allowed: The turns that are useful after each, shape (turns + 1, turns).
        salts: Random numbers for hashes, shape (codes, 256).
    """

    moves: NDArray[np.int32]
    places: Bytes
    alike: NDArray[np.int16]
    faces: Bytes
    edges: Bytes
    corners: Bytes
    allowed: NDArray[np.bool_]
    salts: Ints


LAYER_MAPS = record(
    LayerMaps,
    *(read(int32, 3), read(uint8, 2), read(int16, 2), read(uint8), read(uint8), read(uint8)),
    *(read(boolean, 2), read(int64, 2)),
)


@compiled(void(read(int32, 3), written(uint8), written(int32)))
def spread_masks(moves: NDArray[np.int32], distances: Bytes, queue: NDArray[np.int32]) -> None:
    """Complete the distances of masks, in which only the goal's is not `UNKNOWN`.

    Args:
        moves: What a byte of a mask contributes after a turn, shape (bytes, 256, turns).
        distances: The table.
        queue: Room for as many numbers.
    """
    end, at = 0, 0
    for mask in range(len(distances)):
        if distances[mask] == 0:
            queue[end] = mask
            end += 1
    while at < end:
        mask = int64(queue[at])
        at += 1
        for turn in range(moves.shape[2]):
            there = 0
            for part in range(len(moves)):
                there += int64(moves[part, mask >> 8 * part & 255, turn])
            if distances[there] == UNKNOWN:
                distances[there] = distances[mask] + 1
                queue[end] = there
                end += 1


@inlined
def number_six(state: Bytes, first: int) -> int:
    """Return the number of the places of six faces."""
    number = 0
    for part in range(first, first + SIX):
        number = number * PLACES + int64(state[part])
    return number


@inlined
def number_faces(state: Bytes, alike: NDArray[np.int16]) -> int:
    """Return the number of the arrangement of all twelve faces, but for rotations of the cells."""
    one, two = alike[0, number_six(state, 0)], alike[1, number_six(state, SIX)]
    return int64(one) * ARRANGED + two % ARRANGED


@compiled(void(read(uint8, 2), read(int16, 2), written(uint8), written(uint8, 2)))
def spread_faces(places: Bytes, alike: NDArray[np.int16], distances: Bytes, queue: Bytes) -> None:
    """Complete the distances of the twelve faces, all of them `UNKNOWN` before.

    Args:
        places: The new place of a face, shape (turns, places).
        alike: As in `LayerMaps`.
        distances: The table.
        queue: The places of the faces at the goal, and room for one state of each number.
    """
    end, at, made = 1, 0, np.empty(EDGES_AT, np.uint8)
    distances[number_faces(queue[0], alike)] = 0
    while at < end:
        far = distances[number_faces(queue[at], alike)] + 1
        for turn in range(len(places)):
            for part in range(EDGES_AT):
                made[part] = places[turn, queue[at, part]]
            there = number_faces(made, alike)
            if distances[there] == UNKNOWN:
                distances[there] = far
                for part in range(EDGES_AT):
                    queue[end, part] = made[part]
                end += 1
        at += 1


@inlined
def add_moves(state: Bytes, first: int, end: int, maps: LayerMaps, sums: NDArray[np.int32]) -> None:
    """Write the sums of the contributions of some codes after each turn."""
    sums[:] = 0
    for part in range(first, end):
        row = maps.moves[part, state[part]]
        for turn in range(len(sums)):
            sums[turn] += row[turn]


@compiled(void(read(uint8, 2), read(int64), int64, int64, int64, LAYER_MAPS, written(uint16, 2)))
def rate_layers(
    states: Bytes, lasts: Ints, first: int, end: int, near: int, maps: LayerMaps, totals: Words
) -> None:
    """Write twice the sum of the three distances after each turn of some states.

    Each is one more if one of the three is larger than `near`: such a state is farther away.

    Args:
        states: The codes, shape (states, codes).
        lasts: The last turn of each, or the number of turns for none.
        first: The first of these states.
        end: The one after the last of them.
        near: A distance.
        maps: The stage.
        totals: The sums, shape (states, turns); `BARRED` where a turn may not follow.
    """
    turns = totals.shape[1]
    one, two = np.empty(turns, np.int32), np.empty(turns, np.int32)
    edges, corners = np.empty(turns, np.int32), np.empty(turns, np.int32)
    for row in range(first, end):
        state, may = states[row], maps.allowed[lasts[row]]
        add_moves(state, 0, SIX, maps, one)
        add_moves(state, SIX, EDGES_AT, maps, two)
        add_moves(state, EDGES_AT, CORNERS_AT, maps, edges)
        add_moves(state, CORNERS_AT, CODES, maps, corners)
        for turn in range(turns):
            both = int64(maps.alike[0, one[turn]]) * ARRANGED + maps.alike[1, two[turn]] % ARRANGED
            a, b = int64(maps.faces[both]), int64(maps.edges[edges[turn]])
            c = int64(maps.corners[corners[turn]])
            far = 1 if max(a, b, c) > near else 0
            totals[row, turn] = 2 * (a + b + c) + far if may[turn] else BARRED


@inlined
def turn_codes(state: Bytes, turn: int, maps: LayerMaps, made: Bytes) -> None:
    """Write the codes after a turn; the number of turns stands for none."""
    if turn == maps.moves.shape[2]:
        for part in range(CODES):  # numba takes 2 s to compile `made[:] = state`
            made[part] = state[part]
        return
    for part in range(EDGES_AT):
        made[part] = maps.places[turn, state[part]]
    edges = corners = 0
    for part in range(EDGES_AT, CORNERS_AT):
        edges += maps.moves[part, state[part], turn]
    for part in range(CORNERS_AT, CODES):
        corners += maps.moves[part, state[part], turn]
    for byte in range(CORNERS_AT - EDGES_AT):
        made[EDGES_AT + byte] = edges >> 8 * byte & 255
        made[CORNERS_AT + byte] = corners >> 8 * byte & 255


@compiled(
    void(read(uint8, 2), read(int64), read(int64), LAYER_MAPS, written(uint8, 2), written(int64))
)
def turn_layers(
    states: Bytes, rows: Ints, turns: Ints, maps: LayerMaps, made: Bytes, keys: Ints
) -> None:
    """Write the codes after turns of some states, and hashes of what the stage considers of them.

    Args:
        states: The codes before, shape (states, codes).
        rows: For each turn the number of its state.
        turns: The turns.
        maps: The stage.
        made: The codes after them, shape (turns, codes).
        keys: A hash of each; equal for states whose cells differ by rotations only.
    """
    for at in range(len(rows)):
        turn_codes(states[rows[at]], turns[at], maps, made[at])
        key = int64(maps.alike[0, number_six(made[at], 0)]) << 15
        key += maps.alike[1, number_six(made[at], SIX)]
        key *= -7046029254386353131
        for part in range(EDGES_AT, CODES):
            key ^= maps.salts[part, made[at, part]]
        keys[at] = key


@compiled(
    int64(
        *(read(uint8, 2), read(int64), LAYER_MAPS, written(int64)),
        *(written(uint8, 2), written(int64)),
    )
)
def make_layers(
    states: Bytes, chosen: Ints, maps: LayerMaps, seen: Ints, made: Bytes, kept: Ints
) -> int:
    """Write the states after turns if they are new; return how many there are.

    Args:
        states: The codes before, shape (states, codes).
        chosen: The turns: the number of the state, times the turns, plus the turn.
        maps: The stage.
        seen: A hash table of all states so far; its length is a power of two.
        made: The codes after turns; its length is the number of states wanted.
        kept: The turn that made each.
    """
    count, turns = 0, maps.moves.shape[2]
    for number in chosen:
        if count == len(made):
            break
        turn_codes(states[number // turns], number % turns, maps, made[count])
        key = 0
        for part in range(CODES):
            key ^= maps.salts[part, made[count, part]]
        if add_key(key, seen):
            kept[count] = number
            count += 1
    return count
