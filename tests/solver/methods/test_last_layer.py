"""The 57 and 21 cases of the last layer: complete, correct, and found by the program."""

from itertools import product

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.methods.last_layer import (
    OLL_CASES,
    PLL_CASES,
    Case,
    first_two_layers_solved,
    load_last_layer,
    orientation_cases,
    orientation_key,
    oriented_layers,
    permutation_cases,
    quarter_turned,
    spread,
)


def test_there_are_57_and_21_cases_and_tables_that_are_wrong_are_refused() -> None:
    # S2
    assert len(orientation_cases()) == OLL_CASES == 57
    assert len(permutation_cases()) == PLL_CASES == 21
    layer = load_last_layer()
    kinds = {case.number for ways in layer.orient.values() for case, _ in ways if case.kind}
    assert kinds == set(range(1, 58))
    assert {case.number for case, _ in layer.permute.values() if case.kind} == set(range(1, 22))
    with pytest.raises(SolverError, match=r"OLL 1\b"):
        spread((Case("OLL", 1, MoveSequence.parse("R")),))
    with pytest.raises(SolverError):
        spread(())
    with pytest.raises(SolverError):
        load_last_layer().looks(SOLVED.apply(MoveSequence.parse("R")))


def test_every_last_layer_is_oriented_by_every_way_given() -> None:
    layer = load_last_layer()
    assert len(layer.orient) == 216
    for twists, flips in product(product(range(3), repeat=4), product(range(2), repeat=4)):
        if sum(twists) % 3 or sum(flips) % 2:
            continue
        state = CubeState(tuple(range(8)), twists + (0,) * 4, tuple(range(12)), flips + (0,) * 8)
        for _, moves in layer.orient[twists + flips]:
            after = state.apply(moves)
            assert first_two_layers_solved(after)
            assert not any(orientation_key(after))


def test_every_oriented_last_layer_is_solved() -> None:
    layer = load_last_layer()
    assert len(oriented_layers()) == len(layer.permute) == 288
    for state in oriented_layers():
        looks = layer.looks(state)
        assert len(looks) <= 1
        assert state.apply(MoveSequence.of(m for _, moves in looks for m in moves)) == SOLVED


def test_a_quarter_turn_of_the_whole_cube_renames_the_sides() -> None:
    assert str(quarter_turned(MoveSequence.parse("R U F'"), 4)) == "R U F'"
    assert {str(quarter_turned(MoveSequence.parse("R"), q)) for q in range(4)} == set("RFLB")
