import pytest
from hypothesis import given
from hypothesis import strategies as st

from cube.metrics import axial_groups, axial_htm, axial_qtm, htm, qtm
from cube.moves import ALL_MOVES, Move, MoveSequence, NotationError
from cube.state import SOLVED

sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=30).map(MoveSequence.of)


@given(sequences)
def test_print_and_parse_round_trip(sequence: MoveSequence) -> None:
    assert MoveSequence.parse(str(sequence)) == sequence
    assert MoveSequence.parse(str(sequence).replace(" ", "")) == sequence


@given(sequences)
def test_inverse_undoes(sequence: MoveSequence) -> None:
    assert SOLVED.apply(sequence + sequence.inverse()) == SOLVED


@given(sequences)
def test_simplified_makes_the_same_state_and_is_never_longer(sequence: MoveSequence) -> None:
    shorter = sequence.simplified()
    assert SOLVED.apply(shorter) == SOLVED.apply(sequence)
    assert htm(shorter) <= htm(sequence)
    assert shorter.simplified() == shorter
    assert (sequence + sequence.inverse()).simplified() == MoveSequence()


@given(sequences)
def test_metrics_are_ordered(sequence: MoveSequence) -> None:
    assert axial_htm(sequence) <= htm(sequence) <= qtm(sequence) <= 2 * htm(sequence)
    assert axial_htm(sequence) <= axial_qtm(sequence) <= qtm(sequence)
    assert sum(map(len, axial_groups(sequence))) == len(sequence)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", (0, 0, 0, 0)),
        ("R L2 R", (3, 4, 2, 3)),
        ("U D' F2 B R", (5, 6, 3, 4)),
        ("R R", (2, 2, 2, 2)),
    ],
)
def test_metrics_by_hand(text: str, counts: tuple[int, int, int, int]) -> None:
    sequence = MoveSequence.parse(text)
    assert (htm(sequence), qtm(sequence), axial_htm(sequence), axial_qtm(sequence)) == counts


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("T T2 T'", "U U2 U'"),
        ("R’ R′ R3", "R' R' R'"),
        ("R2'", "R2"),
        ("(R U R' U')", "R U R' U'"),
        ("R,U\n F", "R U F"),
    ],
)
def test_other_spellings(text: str, meaning: str) -> None:
    assert str(MoveSequence.parse(text)) == meaning


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("R U Q", "'Q' at character 5"),
        ("R x U", "more than one face"),
        ("M2", "more than one face"),
        ("u", "more than one face"),
        ("R4", "'4'"),
        ("2R", "'2'"),
        ("R''", "no face turn"),
    ],
)
def test_what_is_no_move_is_named(text: str, named: str) -> None:
    with pytest.raises(NotationError, match=named):
        MoveSequence.parse(text)


def test_one_move() -> None:
    assert Move.parse("F'") == Move("F", 3)
    assert [Move.from_index(move.index) for move in ALL_MOVES] == list(ALL_MOVES)
    with pytest.raises(NotationError, match="not one move"):
        Move.parse("R U")
    with pytest.raises(NotationError, match="no such move"):
        Move("X", 1)


def test_sequences_are_sequences() -> None:
    sequence = MoveSequence.parse("R U F2")
    assert sequence[1] == Move("U", 1)
    assert str(sequence[1:]) == "U F2"
    assert len(sequence) == 3
