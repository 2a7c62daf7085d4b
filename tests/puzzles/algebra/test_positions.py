"""Positions as S1 and S3 write them, read off the painted cube a second time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import FACES, Move
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.random_states import random_reassembly
from cube.state import CubeState, move_state
from puzzles.algebra.positions import S1Position, S3Position, s1_mark

STATES = st.integers(0, 2**32).map(lambda s: random_reassembly(np.random.default_rng(s)))


def seen(state: CubeState, place: int, names: tuple[str, ...]) -> str:
    """The colours that a place shows, in the order of its facelets."""
    facelets = (CORNER_FACELETS if names is CORNERS else EDGE_FACELETS)[place]
    text = state.to_facelets().text
    return "".join(text[i] for i in facelets)


@settings(max_examples=20)
@given(STATES, STATES)
def test_positions_compose_by_the_law_that_s1_means(one: CubeState, other: CubeState) -> None:
    assert S1Position.of(one) * S1Position.of(other) == S1Position.of(one * other)


@settings(max_examples=20)
@given(STATES)
def test_s1_is_read_off_the_stickers(state: CubeState) -> None:
    position = S1Position.of(state)
    for names, goes in ((CORNERS, position.corners), (EDGES, position.edges)):
        for piece, place in enumerate(goes):
            shown = seen(state, place, names)
            assert set(shown) == set(names[piece])
            mark = shown.index(names[piece][s1_mark(names[piece])])
            turned = (mark - s1_mark(names[place])) % len(shown)
            if names is CORNERS:
                assert position.corner_indices[place] == (0, 1, -1)[turned]
            else:
                assert position.edge_indices[place] == (1, -1)[turned]


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
