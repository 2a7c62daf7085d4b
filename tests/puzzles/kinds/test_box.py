"""Boxes of small cubes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from puzzles.kinds.box import Box
from puzzles.kinds.puzzle import turned

SEQUENCES = st.lists(st.sampled_from(ALL_MOVES), max_size=10).map(MoveSequence.of)


@settings(max_examples=20)
@given(SEQUENCES)
def test_a_box_of_three_is_the_cube(moves: MoveSequence) -> None:
    box = Box(3, 3, 3)
    assert "".join(turned(box, box.solved, str(moves))) == SOLVED.apply(moves).to_facelets().text


def test_sides_that_are_no_square_turn_by_halves() -> None:
    """S3.13: the Domino's square layers turn by quarters, the others by halves."""
    domino = Box(3, 2, 3)
    halves = [turn.name for turn in domino.turns if turn.axis != 1]
    assert halves == ["L2", "2R2", "R2", "B2", "2F2", "F2"]
    quarters = [turn.name for turn in domino.turns if turn.axis == 1]
    assert quarters == ["D", "D2", "D'", "U", "U2", "U'"]


def test_a_solved_box_is_held_in_many_ways_and_its_net_shows_every_sticker() -> None:
    for sides, ways in (((3, 3, 3), 24), ((3, 2, 3), 8), ((4, 3, 2), 4)):
        box = Box(*sides)
        assert len(box.solved_states) == ways
        assert all(box.is_solved(state) for state in box.solved_states)
    box = Box(2, 1, 3)
    assert box.text(box.solved).split() == [*"UUUUUU", *"LLLFFRRRBB", *"DDDDDD"]
    for sides in ((0, 1, 1), (3, 3, -1)):
        with pytest.raises(ValueError, match=r"0|-1|×"):
            Box(*sides)
