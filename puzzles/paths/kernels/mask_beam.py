"""The compiled core of the beam search over masks: the distances after each turn of each state."""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

import numpy as np
from numba import int32, int64, uint8, uint16, uint32, void
from numpy.typing import NDArray

from puzzles.paths.kernels.axis_tables import OCTETS
from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, Longs, Words, lowest_bit, read, record, written

REFUSED = 2**31 - 1
PLACES = 24


class BeamMaps(NamedTuple):
    """The masks of several orbits: how turns change them, and their distances.

    Attributes:
        bytes_by: As in `puzzles.paths.kernels.masks.MaskMaps`, shape (orbits, turns, 3, 256).
        odd: Whether a turn changes an orbit's parity, shape (orbits, turns).
        moved: The orbits that a turn changes, one bit each, shape (turns,).
        ones: As there.
        low: As there.
        high: As there.
        distances: The tables of all orbits, one after the other.
        offsets: The first entry of each.
        costs: What each distance of each orbit costs, shape (orbits, 256).
        allowed: The turns allowed after each, a bit each; the last row is for the start.
        sets: Orbits that have a table for each axis together, shape (sets, 4); -1 for none.
        touched: The axes of sets that a turn changes: bit 3 s + a for axis a of set s.
        octets: The number of each octet, shape (256,).
        axis_distances: The tables of all sets, one after the other.
        axis_offsets: The first entry of each.
        axis_costs: What each distance on an axis of each set costs, shape (sets, 256).
        steps: What each piece of an edge, by its place, adds to the edge's number after each turn,
            shape (turns, pieces, 24).
        edge_distances: The distance of each number.
        edge_costs: What each of these costs, shape (256,).
    """

    bytes_by: NDArray[np.uint32]
    odd: NDArray[np.uint8]
    moved: Ints
    ones: Bytes
    low: Longs
    high: NDArray[np.uint32]
    distances: Bytes
    offsets: Ints
    costs: NDArray[np.uint16]
    allowed: Ints
    sets: NDArray[np.int64]
    touched: Ints
    octets: Bytes
    axis_distances: Bytes
    axis_offsets: Ints
    axis_costs: NDArray[np.uint16]
    steps: NDArray[np.int64]
    edge_distances: Bytes
    edge_costs: Words


BEAM_MAPS = record(
    BeamMaps,
    *(read(uint32, 4), read(uint8, 2), read(int64), read(uint8), read(uint32)),
    *(read(uint32, 2), read(uint8), read(int64), read(uint16, 2), read(int64)),
    *(read(int64, 2), read(int64), read(uint8), read(uint8), read(int64), read(uint16, 2)),
    *(read(int64, 3), read(uint8), read(uint16)),
)


@inlined
def turned_in(state: int, orbit: int, turn: int, maps: BeamMaps) -> int:
    """Return an orbit's mask and parity after a turn."""
    made = int64(maps.bytes_by[orbit, turn, 0, state & 255])
    made |= int64(maps.bytes_by[orbit, turn, 1, state >> 8 & 255])
    made |= int64(maps.bytes_by[orbit, turn, 2, state >> 16 & 255])
    return made | (state >> 24 ^ int64(maps.odd[orbit, turn])) << 24


@inlined
def cost_in(state: int, orbit: int, maps: BeamMaps) -> int:
    """Return the cost of an orbit's mask and parity."""
    low = state & 4095
    rank = int64(maps.low[low]) + int64(maps.high[maps.ones[low], state >> 12 & 4095])
    distance = maps.distances[maps.offsets[orbit] + (rank << 1 | state >> 24)]
    return int64(maps.costs[orbit, distance])


@inlined
def axis_cost(states: Ints, number: int, maps: BeamMaps) -> int:
    """Return the cost of an axis of a set, by its number, for the masks of all orbits."""
    at, shift, index = number // 3, number % 3 * 8, 0
    for place in range(maps.sets.shape[1]):
        orbit = maps.sets[at, place]
        if orbit < 0:
            break
        index = index * OCTETS + int64(maps.octets[states[orbit] >> shift & 255])
    return int64(maps.axis_costs[at, maps.axis_distances[maps.axis_offsets[at] + index]])


@inlined
def split(number: int, places: Ints) -> None:
    """Write the place of each piece of an edge."""
    for piece in range(len(places)):
        places[piece] = number % PLACES
        number //= PLACES


@compiled(void(read(int64, 2), read(int64), BEAM_MAPS, written(int32, 2)))
def try_turns(states: Ints, lasts: Ints, maps: BeamMaps, totals: NDArray[np.int32]) -> None:
    """Write the cost of each state after each turn.

    Args:
        states: Masks with parities, then numbers of edges, shape (states, columns).
        lasts: The last turn of each, or the last row of ``allowed``.
        maps: The orbits.
        totals: Sum of the costs of all orbits and edges, shape (states, turns); `REFUSED` where a
            turn may not follow.
    """
    turns, orbits, axes = totals.shape[1], len(maps.offsets), 3 * len(maps.sets)
    edges, pieces = states.shape[1] - orbits, maps.steps.shape[1]
    places = np.empty((edges, pieces), np.int64)
    costs, on_axes = np.empty(orbits, np.int64), np.empty(axes, np.int64)
    there = np.empty(orbits, np.int64)
    for row in range(len(states)):
        whole = 0
        for orbit in range(orbits):
            there[orbit] = states[row, orbit]
            costs[orbit] = cost_in(states[row, orbit], orbit, maps)
            whole += costs[orbit]
        for axis in range(axes):
            on_axes[axis] = axis_cost(there, axis, maps)
            whole += on_axes[axis]
        for edge in range(edges):
            split(states[row, orbits + edge], places[edge])
        may = maps.allowed[lasts[row]]
        for turn in range(turns):
            if not may >> turn & 1:
                totals[row, turn] = REFUSED
                continue
            total, moved, touched = whole, maps.moved[turn], maps.touched[turn]
            while moved:
                orbit = lowest_bit(moved)
                moved &= moved - 1
                there[orbit] = turned_in(states[row, orbit], orbit, turn, maps)
                total += cost_in(there[orbit], orbit, maps) - costs[orbit]
            while touched:
                axis = lowest_bit(touched)
                touched &= touched - 1
                total += axis_cost(there, axis, maps) - on_axes[axis]
            moved = maps.moved[turn]
            while moved:
                orbit = lowest_bit(moved)
                moved &= moved - 1
                there[orbit] = states[row, orbit]
            for edge in range(edges):
                number = 0
                for piece in range(pieces):
                    number += maps.steps[turn, piece, places[edge, piece]]
                total += int64(maps.edge_costs[maps.edge_distances[number]])
            totals[row, turn] = total


@compiled(
    void(read(int64, 2), read(int64), read(int64), BEAM_MAPS, written(int64, 2), written(int64))
)
def make_turns(
    states: Ints, rows: Ints, turns: Ints, maps: BeamMaps, made: Ints, keys: Ints
) -> None:
    """Write states after turns, and a hash of each.

    Args:
        states: Masks with parities, then numbers of edges, shape (states, columns).
        rows: The number of each state to turn.
        turns: Its turn.
        maps: The orbits.
        made: The states after these, shape (rows, columns).
        keys: Their hashes.
    """
    places = np.empty(maps.steps.shape[1], np.int64)
    for at in range(len(rows)):
        key = 0
        for column in range(states.shape[1]):
            there = states[rows[at], column]
            if column < len(maps.offsets):
                there = turned_in(there, column, turns[at], maps)
            else:
                split(there, places)
                there = 0
                for piece in range(len(places)):
                    there += maps.steps[turns[at], piece, places[piece]]
            made[at, column] = there
            key = (key ^ there) * 0x9E3779B97F4A7C1
            key ^= key >> 29
        keys[at] = key
