"""Commutators and conjugates in brackets have the effect of the moves they were found in."""

from hypothesis import given
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.state import SOLVED
from puzzles.kinds.catalogue import puzzle_named
from teaching.methods.brackets import bracketed
from teaching.puzzles_as_typed import WordReader

READER = WordReader(puzzle_named("3x3x3"))
WORDS = st.lists(st.sampled_from(ALL_MOVES), max_size=3)


@given(WORDS, WORDS, WORDS)
def test_brackets_have_the_effect_of_their_moves(
    one: list[Move], two: list[Move], rest: list[Move]
) -> None:
    x, t = MoveSequence(tuple(one)), MoveSequence(tuple(two))
    moves = (*x, *t, *x.inverse(), *t.inverse(), *rest)
    text = bracketed(moves)
    assert READER.read(text).cube == SOLVED.apply(MoveSequence(moves))


def test_the_shortest_writing_is_chosen() -> None:
    for text, wanted in (
        ("F U F' R U2 R'", "[F: U] [R: U2]"),
        ("R U R' U'", "[R, U]"),
        ("R' D' R U R' D R U'", "[R' D' R, U]"),
        ("R U", "R U"),
    ):
        assert bracketed(tuple(MoveSequence.parse(text))) == wanted
