"""Operations on pieces, and what they change of A, B, ε and δ."""

from itertools import combinations

import pytest
from cubes import cube_after
from hypothesis import given
from hypothesis import strategies as st

from cube.errors import NotationError
from cube.moves import ALL_MOVES
from cube.pieces import CORNERS, EDGES
from teaching.worksheets.operations import (
    KEPT_BY_HALF_TURNS,
    PieceOperation,
    carried_out,
    quantity_levels,
    read_operations,
)
from thistlebot.words.words import load_words

WORDS = load_words("en")
SWAPS = [f"{one}-{other}" for kind in (CORNERS, EDGES) for one, other in combinations(kind, 2)]
TURNS = [*(name + sign for name in CORNERS for sign in "+-"), *(f"{name}+" for name in EDGES)]


def read(text: str) -> tuple[PieceOperation, ...]:
    return read_operations(text, str.split)


def changed(start: str, text: str) -> set[int]:
    """Return which of A, B and ε an operation changes, by their numbers."""
    *_, before, after = carried_out(read(f"{start} {text}"))
    pairs = zip(quantity_levels(before, WORDS), quantity_levels(after, WORDS), strict=True)
    return {number for number, (one, other) in enumerate(pairs) if one != other} & {0, 1, 2}


@pytest.mark.parametrize("start", ["", "R U F2 D' L B", "URF-DBL FR+ U L' UR-BL UFL-"])
def test_a_swap_changes_epsilon_a_twist_a_a_flip_b_and_a_turn_nothing(start: str) -> None:
    for swap in SWAPS:
        assert changed(start, swap) == {2}, swap
    for turn in TURNS:
        assert changed(start, turn) == {len(turn) == 3}, turn
    for move in ALL_MOVES:
        assert changed(start, str(move)) == set(), move


def test_two_corners_of_a_tetrad_let_delta_exchange_two_axes() -> None:
    """By hand: URF-ULB leaves the pair on U and exchanges the pairs of R and of F."""
    for text, value in {
        "URF-ULB": "U F R",
        "URF-DRB": "F R U",
        "URF-DLF": "R U F",
        "UFL-UBR": "U F R",
        "URF-ULB UFL-UBR": "U R F",
        "URF-ULB URF-DLF": "F U R",
        "URF-UFL": WORDS("film.no_delta"),
    }.items():
        assert quantity_levels(carried_out(read(text))[-1], WORDS)[7].said == value, text


@given(st.lists(st.sampled_from("URFDLB"), max_size=12), st.sampled_from(SWAPS))
def test_half_turns_keep_every_quantity_of_what_swaps_made(faces: list[str], swap: str) -> None:
    made = carried_out(read(f"URF-ULB {swap}"))[-1]
    half = cube_after(" ".join(f"{face}2" for face in faces))
    before, after = (quantity_levels(state, WORDS) for state in (made, made * half))
    kept = range(len(KEPT_BY_HALF_TURNS))
    if swap[:3] in EDGES or before[6].left == 0:  # with strangers in a tetrad, angles change places
        kept = range(3)
    assert [before[n] for n in kept] == [after[n] for n in kept]


@pytest.mark.parametrize(
    "text", ["URF-UF", "URF-URF", "URD+", "UU-UR", "UD-UR", "URX-UFL", "UR- QQ"]
)
def test_what_names_no_two_pieces_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read(text)
