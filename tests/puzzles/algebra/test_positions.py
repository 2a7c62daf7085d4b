"""Positions as S1 and S3 write them, read off the painted cube a second time."""

import numpy as np
import pytest
from cubes import sequences
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cube.laws import ORBITS
from cube.moves import FACES, Move, MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.random_states import random_state
from cube.state import SOLVED, CubeState, move_state
from puzzles.algebra.positions import S1Position, S3Position

STATES = st.builds(
    lambda seed, orbit: random_state(np.random.default_rng(seed), orbit),
    st.integers(0, 2**32),
    st.sampled_from(ORBITS),
)


@settings(max_examples=20)
@given(STATES, STATES)
def test_positions_compose_by_the_law_that_s1_means(one: CubeState, other: CubeState) -> None:
    assert S1Position.of(one) * S1Position.of(other) == S1Position.of(one * other)


def test_figure_2_of_s3() -> None:
    """Pieces 1 to 4 of R in the order of the turn: 1 goes to 2, 2 to 3, 4 to 1."""
    position = S3Position.of(move_state(Move("R", 1)))
    corners = [CORNERS.index(name) for name in ("URF", "UBR", "DRB", "DFR")]
    edges = [EDGES.index(name) for name in ("UR", "BR", "DR", "FR")]
    assert [position.corner_angles[piece] for piece in corners] == [120, 240, 120, 240]
    assert [position.edge_angles[piece] for piece in edges] == [180] * 4
    for places, numbered in ((position.corner_places, corners), (position.edge_places, edges)):
        assert [numbered.index(places[piece]) for piece in numbered] == [1, 2, 3, 0]


@pytest.mark.parametrize("face", FACES)
def test_what_turns_do_to_s3s_angles(face: str) -> None:
    quarter, half = (S3Position.of(move_state(Move(face, turns))) for turns in (1, 2))
    twisted = [angle for angle in quarter.corner_angles if angle]
    assert sorted(twisted) == ([] if face in "UD" else [120, 120, 240, 240])
    assert quarter.edge_angles.count(180) == (4 if face in "RL" else 0)
    assert not any((*half.corner_angles, *half.edge_angles))


Vector = NDArray[np.int64]
Arrow = tuple[Vector, Vector]
"""A position and a direction."""
AXES = dict(zip("RUFLDB", [*np.eye(3, dtype=int), *-np.eye(3, dtype=int)], strict=True))


def place(name: str) -> Vector:
    return sum((AXES[face] for face in name), np.zeros(3, int))


def turned(arrow: Arrow, face: str, quarters: int) -> Arrow:
    """Turn a piece with its arrow if it lies on the face: clockwise, seen from outside."""
    if arrow[0] @ AXES[face] != 1:
        return arrow
    for _ in range(quarters):
        arrow = tuple(AXES[face] * (AXES[face] @ v) - np.cross(AXES[face], v) for v in arrow)
    return arrow


def directions() -> dict[str, Vector]:
    """The directions of the places by S3's property Б: turns of F, B, U and D carry them along."""
    names = {tuple(place(name)): name for name in EDGES}
    found = {"UR": AXES["F"]}
    for name in (queue := ["UR"]):
        for face in "FBUD":
            there, way = turned((place(name), found[name]), face, 1)
            if names[tuple(there)] not in found:
                found[names[tuple(there)]] = way
                queue.append(names[tuple(there)])
    return found


DIRECTIONS = directions()


def test_only_turns_of_r_and_l_change_the_direction_of_an_edge() -> None:
    by_place = {tuple(place(name)): way for name, way in DIRECTIONS.items()}
    for name, way in DIRECTIONS.items():
        assert (by_place[tuple(-place(name))] == way).all()  # hidden edges, by the opposite one
        for face in name:
            there, moved = turned((place(name), way), face, 1)
            expected = -moved if face in "RL" else moved
            assert (by_place[tuple(there)] == expected).all()


@settings(max_examples=30, deadline=None)
@given(sequences(12))
def test_angles_are_those_of_arrows_and_stickers_in_space(moves: MoveSequence) -> None:
    position = S3Position.of(SOLVED.apply(moves))
    by_place = {tuple(place(name)): (name, way) for name, way in DIRECTIONS.items()}
    flipped = total = 0
    for number, name in enumerate(EDGES):
        arrow = place(name), DIRECTIONS[name]
        for move in moves:
            arrow = turned(arrow, move.face, move.turns)
        there, way = by_place[tuple(arrow[0])]
        assert EDGES[position.edge_places[number]] == there
        assert position.edge_angles[number] == (0 if (arrow[1] == way).all() else 180)
        flipped += (arrow[1] != way).any()
    assert flipped % 2 == 0
    for number, name in enumerate(CORNERS):
        sticker = place(name), AXES[name[0]]
        for move in moves:
            sticker = turned(sticker, move.face, move.turns)
        there = CORNERS[position.corner_places[number]]
        assert (sticker[0] == place(there)).all()
        turns, way = 0, sticker[1]
        while not way[1]:  # until the sticker lies horizontally
            turns, way = turns + 1, anticlockwise(way, sticker[0])
        assert position.corner_angles[number] == 120 * turns
        total += turns
    assert total % 3 == 0


def anticlockwise(way: Vector, corner: Vector) -> Vector:
    """A third of a turn about the diagonal of a corner, seen from outside."""
    axis = corner / np.sqrt(3)
    made = -way / 2 + np.sqrt(3) / 2 * np.cross(axis, way) + 1.5 * axis * (axis @ way)
    found: Vector = np.rint(made).astype(int)
    return found
