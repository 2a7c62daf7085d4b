"""What the tables of the axial metric are made of."""

import pytest

from cube.moves import ALL_MOVES
from solver.search.tables.axial import _half_turns
from solver.search.tables.axial_turns import AXIAL_TURNS, Prices, far_turns, longer_turns


@pytest.mark.parametrize(
    ("axis", "names"),
    [
        (0, [""]),
        (1, ["", "R2", "L2", "R2 L2"]),
        (2, ["", "F2", "B2", "F2 B2"]),
    ],
)
def test_half_turns_of_an_axis_are_those_of_its_two_faces(axis: int, names: list[str]) -> None:
    told = [" ".join(str(ALL_MOVES[turn]) for turn in turns) for turns in _half_turns(axis)]
    assert told == names


@pytest.mark.parametrize(
    ("prices", "may_help"),
    [
        (Prices(1, 1), []),
        (Prices(1, 2), [(0, 1), (0, 3)]),
        (Prices(1, 2, together=False), [(0, 1), (0, 2), (0, 3)]),
    ],
)
def test_what_a_turn_of_an_axis_tells_of_the_others(
    prices: Prices, may_help: list[tuple[int, int]]
) -> None:
    """Where U2 ends too far from G2, only these turns of U and D may still be near enough."""
    bits = far_turns(prices.costs())
    assert [turn[1:] for i, turn in enumerate(AXIAL_TURNS[:15]) if bits >> i & 1] == may_help


@pytest.mark.parametrize(
    ("prices", "begun_with", "longer"),
    [
        (Prices(1, 1), (1, 0), []),
        (Prices(1, 2), (1, 0), [(2, 0), (2, 1), (2, 3)]),
        (Prices(1, 2), (1, 1), [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)]),
        (
            Prices(1, 2, together=False),
            (0, 1),
            [(0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)],
        ),
    ],
)
def test_turns_that_begin_with_a_turn_cost_as_much_as_both_parts(
    prices: Prices, begun_with: tuple[int, int], longer: list[tuple[int, int]]
) -> None:
    turns = [turn[1:] for turn in AXIAL_TURNS[:15]]
    bits = longer_turns(prices.costs())[turns.index(begun_with)]
    assert [turn for i, turn in enumerate(turns) if bits >> i & 1] == longer
