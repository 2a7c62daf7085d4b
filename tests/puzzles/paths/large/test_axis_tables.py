"""Tables for the centres on one axis: turns change their distances by one at most."""

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.box import Box
from puzzles.paths.large.axis_tables import (
    AXES,
    OCTET,
    AxisTable,
    by_axes,
    diagonal_rotation,
    octet_numbers,
    sets_of,
)
from puzzles.paths.large.centres import CentrePhase
from puzzles.paths.large.cube_turns import CubeTurns
from solver.tables import TableStore

TURNS = CubeTurns(Box(5, 5, 5))
PHASE = CentrePhase(TURNS, TableStore(), 2)


def distances_of(table: NDArray[np.uint8], slots: list[NDArray[np.int64]]) -> list[list[int]]:
    """Return the distances on each axis along random turns from the solved cube."""
    rng, state = np.random.default_rng(4), TURNS.puzzle.pieces.solved
    usable, numbers, found = np.flatnonzero(PHASE.usable), octet_numbers(), []
    for _ in range(60):
        shown = [np.isin(TURNS.faces[state[row]], (0, 1, 2)).reshape(AXES, OCTET) for row in slots]
        octets = [(each << np.arange(OCTET)).sum(axis=1) for each in shown]
        first, second = (numbers[row].astype(np.int64) for row in octets)
        found.append(table[first * 70 + second].tolist())
        state = state[TURNS.turns[int(rng.choice(usable))].effect]
    return found


def test_a_turn_changes_each_distance_by_one_at_most() -> None:
    """One table holds for all axes, and has distance 0 for solved centres alone."""
    slots = [
        by_axes(TURNS, orbit.slots[:, 0]) for orbit in TURNS.orbits if orbit.slots.shape == (24, 1)
    ]
    turns = [turn for turn, flag in zip(TURNS.turns, PHASE.usable, strict=True) if flag]
    table = AxisTable(slots, turns).build([0b00001111, 0b00001111])
    assert table.max() < 12
    assert (table == 0).sum() == 1
    rows = np.array(distances_of(table, slots))
    assert (rows[0] == 0).all()
    assert rows.max() > 3
    assert abs(np.diff(rows, axis=0)).max() == 1


def test_a_rotation_about_the_diagonal_permutes_the_axes() -> None:
    rotation = diagonal_rotation(TURNS)
    assert (rotation[rotation[rotation]] == np.arange(len(rotation))).all()
    solved = TURNS.faces[rotation]
    for face in range(6):
        shown = set(solved[TURNS.faces == face].tolist())
        assert len(shown) == 1
        assert (min(shown) - face) % AXES


def test_each_pair_of_six_orbits_has_a_common_table() -> None:
    pairs = {(a, b) for orbits in sets_of(range(6)) for a in orbits for b in orbits}
    assert len(pairs) == 36
    assert sets_of(range(4)) == [(0, 1, 2, 3)]
    assert {orbit for orbits in sets_of(range(9)) for orbit in orbits} == set(range(9))
