"""What the tables of the axial metric are made of."""

from cube.moves import ALL_MOVES
from solver.search.tables.axial import _half_turns
from solver.search.tables.axial_turns import AXIAL_TURNS, Prices, far_turns, longer_turns

ALIKE, QUARTERS, APART = Prices(1, 1), Prices(1, 2), Prices(1, 2, together=False)
TURNS = [turn[1:] for turn in AXIAL_TURNS[:15]]


def turns_of(bits: int) -> list[tuple[int, int]]:
    return [turn for number, turn in enumerate(TURNS) if bits >> number & 1]


def test_half_turns_of_an_axis_are_those_of_its_two_faces() -> None:
    told = [
        [" ".join(str(ALL_MOVES[turn]) for turn in turns) for turns in _half_turns(axis)]
        for axis in range(3)
    ]
    assert told == [[""], ["", "R2", "L2", "R2 L2"], ["", "F2", "B2", "F2 B2"]]


def test_what_a_turn_of_an_axis_tells_of_the_others() -> None:
    """Where U2 ends too far from G2, only these turns of U and D may still be near enough."""
    for prices, may_help in (
        (ALIKE, []),
        (QUARTERS, [(0, 1), (0, 3)]),
        (APART, [(0, 1), (0, 2), (0, 3)]),
    ):
        assert turns_of(far_turns(prices.costs())) == may_help


def test_turns_that_begin_with_a_turn_cost_as_much_as_both_parts() -> None:
    for prices, begun_with, longer in (
        (ALIKE, (1, 0), []),
        (QUARTERS, (1, 0), [(2, 0), (2, 1), (2, 3)]),
        (QUARTERS, (1, 1), [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)]),
        (APART, (0, 1), [(0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]),
    ):
        assert turns_of(longer_turns(prices.costs())[TURNS.index(begun_with)]) == longer
