"""Moves and sequences of them: written, read, undone, simplified and counted."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import NotationError
from cube.facelets import Facelets
from cube.moves import (
    ALL_MOVES,
    FACES,
    Move,
    MoveSequence,
    axial_htm,
    axial_qtm,
    htm,
    qtm,
)
from cube.orientation import Orientation, RotationError, facelet_places, orientations
from cube.state import SOLVED, CubeState

sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=30).map(MoveSequence.of)


@settings(max_examples=25)
@given(sequences)
def test_simplified_makes_the_same_state_and_is_never_longer(sequence: MoveSequence) -> None:
    shorter = sequence.simplified()
    assert SOLVED.apply(shorter) == SOLVED.apply(sequence)
    assert htm(shorter) <= htm(sequence)
    assert shorter.simplified() == shorter
    assert (sequence + sequence.inverse()).simplified() == MoveSequence()


def test_metrics_by_hand() -> None:
    for text, counts in (
        ("", (0, 0, 0, 0)),
        ("R L2 R", (3, 4, 2, 3)),
        ("U D' F2 B R", (5, 6, 3, 4)),
        ("R R", (2, 2, 2, 2)),
    ):
        moves = MoveSequence.parse(text)
        assert (htm(moves), qtm(moves), axial_htm(moves), axial_qtm(moves)) == counts


def test_one_move_and_a_sequence_of_them() -> None:
    assert Move.parse("F'") == Move("F", 3)
    assert [Move.from_index(move.index) for move in ALL_MOVES] == list(ALL_MOVES)
    with pytest.raises(NotationError, match="R U"):
        Move.parse("R U")
    with pytest.raises(NotationError, match="X"):
        Move("X", 1)
    sequence = MoveSequence.parse("R U F2")
    assert sequence[1] == Move("U", 1)
    assert str(sequence[1:]) == "U F2"
    assert len(sequence) == 3


USUAL = Orientation()


def test_the_whole_cube_turns_as_its_letter_says_and_turns_follow_each_other() -> None:
    assert USUAL.turned("") == USUAL
    for rotation, up, front in (("x", "F", "D"), ("y", "U", "R"), ("z", "L", "F")):
        turned = USUAL.turned(rotation)
        assert (turned.face_at("U"), turned.face_at("F")) == (up, front)
        assert turned.turned(rotation + "'") == USUAL
        assert turned.turned(rotation) == USUAL.turned(rotation + "2")
    for first, second in itertools.product("xyz", repeat=2):
        for each in orientations():
            turn = USUAL.turned(first).turned(second)
            assert each.turned(first).turned(second) == each.then(turn)


def test_a_move_at_a_place_is_that_of_the_face_there_and_other_texts_are_refused() -> None:
    held = USUAL.turned("x")
    assert str(held.move_of("U", 1)) == "F"
    assert str(held.move_of("B", -1)) == "U'"
    assert str(held.move_of("R", 2)) == "R2"
    assert len({str(held.move_of(move.face, move.turns)) for move in ALL_MOVES}) == 18
    for text in ("w", "x3", "xx", "2"):
        with pytest.raises(RotationError, match=text):
            USUAL.turned(text)
    with pytest.raises(RotationError, match="URFDBL"):
        Orientation("URFDBL")


def test_facelets_are_where_the_whole_cube_took_them() -> None:
    """A layer turned at its place does to what is seen what the move does to the cube."""

    def seen(state: CubeState) -> CubeState:
        letters = state.to_facelets().text
        shown = "".join(letters[facelet] for facelet in facelet_places(held))
        named = {shown[9 * number + 4]: face for number, face in enumerate(FACES)}
        return CubeState.from_facelets(Facelets("".join(named[letter] for letter in shown)))

    state = SOLVED.apply(MoveSequence.parse("R U2 F' L D B2 R' U"))
    for held in orientations():
        for place in FACES:
            turned = state.apply(held.move_of(place, 1))
            assert seen(turned) == seen(state).apply(Move(place, 1))
