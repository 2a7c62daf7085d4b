"""The search for any state that fits: as short as plain enumeration, over all kinds of targets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.partial import PartialFacelets
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.search.fitting import FittingSearch

LETTERS = SOLVED.to_facelets().text
PIECES = (  # facelets: a cross, two corners with their edges, one face by colour, corners' twists
    (28, 30, 32, 34, 25, 16, 52, 43),
    (8, 9, 20, 26, 29, 15, 23, 12, 7, 19),
    tuple(range(9)),
    (0, 2, 6, 8, 27, 29, 33, 35),
)


SEARCHES = tuple(
    PartialFacelets("".join(LETTERS[i] if i in facelets else "?" for i in range(54)))
    for facelets in PIECES
)


@pytest.fixture(scope="module")
def searches() -> dict[PartialFacelets, FittingSearch]:
    return {partial: FittingSearch(partial) for partial in SEARCHES}


def plain_distance(state: CubeState, partial: PartialFacelets) -> int:
    """Breadth first, as far as three turns."""
    level, turns = {state}, 0
    while not any(partial.fits(each.to_facelets()) for each in level):
        level, turns = {each.apply(move) for each in level for move in ALL_MOVES}, turns + 1
    return turns


@settings(max_examples=12)
@given(
    st.sampled_from(SEARCHES), st.lists(st.sampled_from(ALL_MOVES), max_size=3), st.integers(0, 99)
)
def test_moves_are_as_few_as_plain_enumeration_finds(
    searches: dict[PartialFacelets, FittingSearch],
    partial: PartialFacelets,
    scramble: list[Move],
    seed: int,
) -> None:
    state = SOLVED.apply(MoveSequence.of(scramble))
    search = searches[partial]
    moves = search.below(state)
    assert moves is not None
    assert partial.fits(state.apply(moves).to_facelets())
    assert len(moves) == search.excluded + 1 == plain_distance(state, partial)
    far = random_state(np.random.default_rng(seed))
    assert search.below(far, 4) is None  # random states are farther away
    assert search.excluded >= 3 or plain_distance(far, partial) < 4


def test_a_search_goes_on_where_its_budget_ended(
    searches: dict[PartialFacelets, FittingSearch],
) -> None:
    state, search = random_state(np.random.default_rng(5)), searches[SEARCHES[2]]
    whole = search.below(state)
    nodes, lengths = search.nodes, []
    assert search.below(SOLVED) == MoveSequence()
    while (
        moves := search.below(state, budget_ms=0.0, progress=lambda n, _: lengths.append(n))
    ) is None:
        pass
    assert (moves, search.excluded) == (whole, len(moves) - 1)
    assert lengths == sorted(lengths)
    assert search.nodes >= nodes


def test_faces_that_must_not_turn_do_not() -> None:
    search = FittingSearch(SEARCHES[0], "URFLB")
    moves = search.below(SOLVED.apply(MoveSequence.parse("D R")))
    assert moves is not None
    assert len(moves) > 2
    assert "D" not in {move.face for move in moves}
