"""Moves and sequences of them: written, read, undone, simplified and counted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, Move, MoveSequence, NotationError, axial_htm, axial_qtm, htm, qtm
from cube.state import SOLVED

sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=30).map(MoveSequence.of)


@settings(max_examples=25)
@given(sequences)
def test_print_and_parse_round_trip_and_the_inverse_undoes(sequence: MoveSequence) -> None:
    assert MoveSequence.parse(str(sequence)) == sequence
    assert MoveSequence.parse(str(sequence).replace(" ", "")) == sequence
    assert SOLVED.apply(sequence + sequence.inverse()) == SOLVED


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


def test_other_spellings_are_read_and_what_is_no_move_is_named() -> None:
    for text, meaning in (
        ("T T2 T'", "U U2 U'"),
        ("R’ R′ R3", "R' R' R'"),
        ("R2'", "R2"),
        ("(R U R' U')", "R U R' U'"),
        ("R,U\n F", "R U F"),
    ):
        assert str(MoveSequence.parse(text)) == meaning
    for text, named in (
        ("R U Q", r"'Q' .*\b5\b"),
        ("R x U", "x"),
        ("M2", "M"),
        ("u", "u"),
        ("R4", "'4'"),
        ("2R", "'2'"),
        ("R''", "'"),
    ):
        with pytest.raises(NotationError, match=named):
            MoveSequence.parse(text)


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
