"""How big cubes are reduced to a 3×3×3."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.laws import orbit_of
from cube.moves import MoveSequence
from cube.state import SOLVED
from solver.puzzles.box import Box
from solver.puzzles.puzzle import turned
from solver.ways.big_cubes import exchange_names, reduced, reducing_frames

FACE_TURNS = st.lists(st.sampled_from(["R", "U'", "F2", "D", "L'", "B"]), min_size=1, max_size=12)
SIDES = (4, 5, 7)


@pytest.mark.parametrize("side", SIDES)
@settings(max_examples=2)
@given(names=FACE_TURNS)
def test_face_turns_leave_a_reduced_cube_reduced(side: int, names: list[str]) -> None:
    """It goes as the 3×3×3 goes, and fulfils every check of both frames."""
    box = Box(side, side, side)
    state = turned(box, box.solved, " ".join(names))
    assert reduced(state, side) == SOLVED.apply(MoveSequence.parse(" ".join(names)))
    for frame in reducing_frames(box.pieces, side):
        labels = frame.labels(box.arrangement(state))
        assert frame.checks.score(labels[None]) == [len(frame.checks.pairs)]


@pytest.mark.parametrize("side", SIDES)
@settings(max_examples=2)
@given(data=st.data())
def test_labels_follow_turns(side: int, data: st.DataObject) -> None:
    """What a turn does to a frame's slots is what it does to the stickers in them."""
    box = Box(side, side, side)
    numbers = data.draw(st.lists(st.integers(0, len(box.turns) - 1), max_size=8))
    state, frames = box.solved, reducing_frames(box.pieces, side)
    rows = [frame.labels(box.arrangement(state)) for frame in frames]
    done = box.pieces.solved
    for number in numbers:
        turn = box.turns[number]
        done = done[box.pieces.turns[turn.name]]
        rows = [row[frame.turns[number]] for row, frame in zip(rows, frames, strict=True)]
    for row, frame in zip(rows, frames, strict=True):
        assert np.array_equal(row, frame.labels(done))


@pytest.mark.parametrize("side", [4, 6])
def test_the_exchange_is_what_no_face_turns_make(side: int) -> None:
    box = Box(side, side, side)
    state = turned(box, box.solved, " ".join(exchange_names(side)))
    assert orbit_of(reduced(state, side)).number == 1
    labels = [
        frame.labels(box.arrangement(state))[None] for frame in reducing_frames(box.pieces, side)
    ]
    for frame, row in zip(reducing_frames(box.pieces, side), labels, strict=True):
        assert frame.checks.score(row) == [len(frame.checks.pairs)]
    assert exchange_names(side + 1) == []
