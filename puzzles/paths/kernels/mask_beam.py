"""The compiled core of the beam search over masks: the distances after each turn of each state."""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

import numpy as np
from numba import int32, int64, uint8, uint16, uint32, void
from numpy.typing import NDArray

from puzzles.paths.kernels.masks import OCTETS
from puzzles.paths.kernels.stages import add_key
from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import (
    Bytes,
    Ints,
    Longs,
    Words,
    lowest_bit,
    prefetch,
    read,
    record,
    written,
)

REFUSED = 2**31 - 1
PLACES = 24
_ROOM = 3
"""Number of states made for each that continues; many of them are equal."""
_SPREAD = 1 << 16
"""Number of totals, from the least one on, that are told apart."""


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
def entry_of(state: int, orbit: int, maps: BeamMaps) -> int:
    """Return the index of an orbit's mask and parity in the tables of all orbits."""
    low = state & 4095
    rank = int64(maps.low[low]) + int64(maps.high[maps.ones[low], state >> 12 & 4095])
    return maps.offsets[orbit] + (rank << 1 | state >> 24)


@inlined
def cost_in(state: int, orbit: int, maps: BeamMaps) -> int:
    """Return the cost of an orbit's mask and parity."""
    return int64(maps.costs[orbit, maps.distances[entry_of(state, orbit, maps)]])


@inlined
def axis_entry(states: Ints, number: int, maps: BeamMaps) -> int:
    """Return the index of an axis of a set, by its number, in the tables of all sets."""
    at, shift, index = number // 3, number % 3 * 8, 0
    for place in range(maps.sets.shape[1]):
        orbit = maps.sets[at, place]
        if orbit < 0:
            break
        index = index * OCTETS + int64(maps.octets[states[orbit] >> shift & 255])
    return maps.axis_offsets[at] + index


@inlined
def axis_cost(entry: int, number: int, maps: BeamMaps) -> int:
    """Return the cost of an axis of a set, by its number and its index in the tables."""
    return int64(maps.axis_costs[number // 3, maps.axis_distances[entry]])


@inlined
def find_entries(state: Ints, may: int, maps: BeamMaps, there: Ints, entries: Ints) -> None:
    """Write the indices in tables that turns of a state lead to, and fetch their cache lines.

    Args:
        state: The masks, which are also in ``there``.
        may: The turns, a bit each.
        maps: The orbits.
        there: Room for masks, which is as before at the end.
        entries: For each turn, those of the orbits that it changes, then those of the axes.
    """
    orbits, axes = maps.distances.ctypes.data, maps.axis_distances.ctypes.data
    at = 0
    while may:
        turn = lowest_bit(may)
        may &= may - 1
        moved, touched = maps.moved[turn], maps.touched[turn]
        while moved:
            orbit = lowest_bit(moved)
            moved &= moved - 1
            there[orbit] = turned_in(state[orbit], orbit, turn, maps)
            entries[at] = entry_of(there[orbit], orbit, maps)
            prefetch(orbits + entries[at])
            at += 1
        while touched:
            entries[at] = axis_entry(there, lowest_bit(touched), maps)
            touched &= touched - 1
            prefetch(axes + entries[at])
            at += 1
        moved = maps.moved[turn]
        while moved:
            orbit = lowest_bit(moved)
            moved &= moved - 1
            there[orbit] = state[orbit]


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
    there, entries = np.empty(orbits, np.int64), np.empty(turns * (orbits + axes), np.int64)
    for row in range(len(states)):
        whole, at = 0, 0
        for orbit in range(orbits):
            there[orbit] = states[row, orbit]
            costs[orbit] = cost_in(states[row, orbit], orbit, maps)
            whole += costs[orbit]
        for axis in range(axes):
            on_axes[axis] = axis_cost(axis_entry(there, axis, maps), axis, maps)
            whole += on_axes[axis]
        for edge in range(edges):
            split(states[row, orbits + edge], places[edge])
        may = maps.allowed[lasts[row]]
        find_entries(states[row], may, maps, there, entries)
        for turn in range(turns):
            if not may >> turn & 1:
                totals[row, turn] = REFUSED
                continue
            total, moved, touched = whole, maps.moved[turn], maps.touched[turn]
            while moved:
                orbit = lowest_bit(moved)
                moved &= moved - 1
                total += int64(maps.costs[orbit, maps.distances[entries[at]]]) - costs[orbit]
                at += 1
            while touched:
                axis = lowest_bit(touched)
                touched &= touched - 1
                total += axis_cost(entries[at], axis, maps) - on_axes[axis]
                at += 1
            for edge in range(edges):
                number = 0
                for piece in range(pieces):
                    number += maps.steps[turn, piece, places[edge, piece]]
                total += int64(maps.edge_costs[maps.edge_distances[number]])
            totals[row, turn] = total


@inlined
def is_home(states: Ints, row: int, maps: BeamMaps) -> bool:
    """Return whether all masks of a state are home; this costs nothing."""
    total = 0
    for orbit in range(len(maps.offsets)):
        total += cost_in(states[row, orbit], orbit, maps)
    return total == 0


@compiled(void(read(int64, 2), BEAM_MAPS, written(uint8)))
def find_home(states: Ints, maps: BeamMaps, home: Bytes) -> None:
    """Write whether all masks of each state are home."""
    for row in range(len(states)):
        home[row] = is_home(states, row, maps)


@inlined
def turn_state(state: Ints, turn: int, maps: BeamMaps, places: Ints, made: Ints) -> int:
    """Write a state after a turn; return a hash of it."""
    key = 0
    for column in range(len(state)):
        there = state[column]
        if column < len(maps.offsets):
            there = turned_in(there, column, turn, maps)
        else:
            split(there, places)
            there = 0
            for piece in range(len(places)):
                there += maps.steps[turn, piece, places[piece]]
        made[column] = there
        key = (key ^ there) * 0x9E3779B97F4A7C1
        key ^= key >> 29
    return key


@inlined
def sort_totals(totals: NDArray[np.int32], step: int, best: Ints) -> int:
    """Write the numbers of the least totals, the least first; return how many there are.

    It counts how often each total occurs. Equal ones are in the order of a walk with a step.
    """
    least, turns, cells = REFUSED, totals.shape[1], totals.size
    for row in range(len(totals)):
        for turn in range(turns):
            least = min(least, totals[row, turn])
    ends = np.zeros(_SPREAD + 1, np.int64)
    for row in range(len(totals)):
        for turn in range(turns):
            if totals[row, turn] < REFUSED:
                ends[min(totals[row, turn] - least, _SPREAD - 1) + 1] += 1
    last = 0
    while last < _SPREAD and ends[last] < len(best):
        last += 1
        ends[last] += ends[last - 1]
    count, cell = min(ends[last], len(best)), 0
    for _ in range(cells):
        cell = (cell + step) % cells
        total = totals[cell // turns, cell % turns]
        at = min(total - least, _SPREAD - 1)
        if at < last and ends[at] < len(best) and total < REFUSED:
            best[ends[at]] = cell
            ends[at] += 1
    return count


@compiled(
    int64(
        *(read(int64, 2), read(int32, 2), int64, BEAM_MAPS),
        *(written(int64), written(int64, 2), written(int64), written(int64)),
    )
)
def make_turns(
    states: Ints,
    totals: NDArray[np.int32],
    step: int,
    maps: BeamMaps,
    seen: Ints,
    made: Ints,
    rows: Ints,
    turns: Ints,
) -> int:
    """Write the new states with the least totals, and return how many there are.

    States whose masks are home are all new: later phases tell them apart.

    Args:
        states: Masks with parities, then numbers of edges, shape (states, columns).
        totals: The cost of each after each turn, as `try_turns` writes it.
        step: A number without common divisors with that of all totals, to mix equal ones.
        maps: The orbits.
        seen: The hashes of all states so far, a table with a size that is a power of two.
        made: The new states, shape (states to make, columns).
        rows: The number of the state before each.
        turns: The turn between the two.
    """
    best = np.empty(_ROOM * len(made), np.int64)
    places, count = np.empty(maps.steps.shape[1], np.int64), 0
    for number in best[: sort_totals(totals, step, best)]:
        row, turn = number // totals.shape[1], number % totals.shape[1]
        key = turn_state(states[row], turn, maps, places, made[count])
        if is_home(made, count, maps) or add_key(key, seen):
            rows[count], turns[count] = row, turn
            count += 1
            if count == len(made):
                break
    return count
