"""S2's and S1's methods for people, and the cases of the last layer that they know."""

from itertools import pairwise, permutations, product

import numpy as np
import pytest
from cubes import cube, cube_after
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cube.held_moves import read_moves
from cube.laws import permutation_parity
from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.state import SOLVED, CubeState
from puzzles.kinds.catalogue import puzzle_named
from solver.errors import SolverError
from teaching.methods import last_layer
from teaching.methods.brackets import bracketed
from teaching.methods.breeding import LONGEST, Breeding
from teaching.methods.evolution import evolve
from teaching.methods.fridrich import Fridrich, PlainFridrich, _codes, _face_pairs, moved_codes
from teaching.methods.layers import LayerByLayer, commutator
from teaching.methods.method import moved_pieces, walk
from teaching.methods.worked_example import STAGES, WorkedExample
from teaching.puzzles_as_typed import WordReader


def test_fridrich_places_more_with_every_stage_and_beats_its_figures() -> None:  # S2
    walks = [walk(Fridrich(), cube(seed)) for seed in range(5)]
    assert np.mean([len(each.moves) for each in walks]) < 85  # S2: 101; a thousand in docs
    for each in walks:
        here = each.state
        for step in each.steps:
            before, here = here, here.apply(step.moves)
            if step.name in {"cross", "first-layer corners", "second-layer edges"}:
                assert not {*step.pieces} & {*moved_pieces(SOLVED, here.inverse())}
            if step.name in {"OLL", "PLL"}:
                assert last_layer.first_two_layers_solved(before)


def test_layers_solve_with_and_without_parity() -> None:  # S1
    seen = set()
    for seed in range(8):
        names = [step.name for step in walk(LayerByLayer(), cube(seed)).steps]
        seen.add("parity" in names)
        order = list(dict.fromkeys(names))
        assert order == [name for name in ORDER if name in order]
    assert seen == {True, False}


ORDER = [
    *("first-layer edge", "first-layer corner", "middle-layer edge", "parity"),
    *("corners placed", "edges placed", "corners turned", "edges turned"),
]


def test_the_maes_formula_touches_little_of_the_top_and_nothing_below() -> None:
    # S1
    for x, t, setup, moved, turned in (
        ("R' E' R2 E2 R'", "U", "", 2, 2),  # flips two edges
        ("R' D2 R F D2 F'", "U2", "", 2, 3),  # twists two corners
        ("F", "R' B2 R", "R'", 3, 0),  # cycles three corners
        ("M", "U2", "M2 U", 3, 0),  # cycles three edges
    ):
        for quarters in range(4):
            effect = commutator(x, t, setup, quarters).effect
            assert last_layer.first_two_layers_solved(effect)
            assert len(moved_pieces(SOLVED, effect)) == moved
            assert sum(effect.edge_orientation) + sum(effect.corner_orientation) == turned
            back = commutator(x, t, setup, quarters, undo=True).effect
            assert effect * back == SOLVED
            assert permutation_parity(effect.corner_permutation) == 0
    # S1
    for text in ("R' D2 R F D2 F'", "R' E' R2 E2 R' E'"):  # the last turns the slice back
        effect = SOLVED.apply(read_moves(text))
        top = [name for name in moved_pieces(SOLVED, effect) if "U" in name]
        assert len(top) == 1


def test_there_are_57_and_21_cases_and_tables_that_are_wrong_are_refused() -> None:
    # S2
    assert (last_layer.OLL_CASES, last_layer.PLL_CASES) == (57, 21)
    layer = last_layer.load_last_layer()
    kinds = {case.number for ways in layer.orient.values() for case, _ in ways if case.kind}
    assert kinds == set(range(1, 58))
    assert {case.number for case, _ in layer.permute.values() if case.kind} == set(range(1, 22))
    with pytest.raises(SolverError, match=r"OLL 1\b"):
        last_layer.spread((last_layer.LastLayerCase("OLL", 1, MoveSequence.parse("R")),))
    with pytest.raises(SolverError):
        last_layer.spread(())
    with pytest.raises(SolverError):
        last_layer.load_last_layer().looks(cube_after("R"))


def test_every_oriented_last_layer_is_solved() -> None:
    layer = last_layer.load_last_layer()
    assert len(layer.permute) == 288
    for corners, edges in product(permutations(range(4)), repeat=2):
        if permutation_parity(corners) != permutation_parity(edges):
            continue
        places = (*corners, *range(4, 8)), (*edges, *range(4, 12))
        state = CubeState(places[0], (0,) * 8, places[1], (0,) * 12)
        looks = layer.looks(state)
        assert len(looks) <= 1
        assert state.apply(MoveSequence.of(m for _, moves in looks for m in moves)) == SOLVED


def test_a_misprint_is_found_in_its_stage_and_a_turn_that_is_given_up_is_refused() -> None:
    for stage in range(5):
        stages = list(STAGES)
        stages[stage] = stages[stage].rpartition(" ")[0]
        example = WorkedExample(stages=tuple(stages))
        with pytest.raises(SolverError, match=rf" {stage + 1}\b"):
            list(example.steps(example.state))
    first, second, *rest = STAGES
    example = WorkedExample(stages=(first, f"U U' {second}", *rest))
    with pytest.raises(SolverError, match=r"\bU\b"):
        list(example.steps(example.state))
    with pytest.raises(SolverError):
        list(WorkedExample().steps(cube_after("R")))


def evolved(state: CubeState, pairs: NDArray[np.uint8], sizes: tuple[int, ...]) -> list[Move]:
    """Evolve a cross, with our remedies if there are pairs of faces; empty if it got stuck."""
    path = np.zeros(LONGEST, np.uint8)
    cross = (_codes(state), _codes(SOLVED), 4, moved_codes(), pairs, np.array([7], np.uint64))
    limit, slack = (60, 4) if len(pairs) else (LONGEST + 1, 0)
    length = evolve(*cross, np.array(sizes), limit, 4, slack, path)
    assert -5 <= length < limit
    return list(map(Move.from_index, path[: max(0, length)].tolist()))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pairs", [np.zeros((0, 2), np.uint8), _face_pairs(0)])
def test_a_cross_is_evolved_as_printed_and_by_our_operator(
    seed: int, pairs: NDArray[np.uint8]
) -> None:
    state = cube(seed)
    moves = evolved(state, pairs, (100, 10, 5, 20_000))
    assert moves
    assert (_codes(state.apply(MoveSequence(tuple(moves))))[:4] == _codes(SOLVED)[:4]).all()
    if len(pairs):  # no face twice in a row
        assert all(one.face != other.face for one, other in pairwise(moves))
    assert evolved(state, pairs, (2, 1, 1, 1)) == []


def test_it_gets_stuck_where_ours_continues_and_says_where() -> None:
    state = cube(0)
    plain = PlainFridrich(Breeding(generations=500))
    with pytest.raises(SolverError, match=r"\b500\b.*\b100\b"):
        walk(plain, state)
    assert state.apply(walk(Fridrich(), state).moves) == SOLVED


READER = WordReader(puzzle_named("3x3x3"))
WORDS = st.lists(st.sampled_from(ALL_MOVES), max_size=3)


@given(WORDS, WORDS, WORDS)
def test_brackets_have_the_effect_of_their_moves(
    one: list[Move], two: list[Move], rest: list[Move]
) -> None:
    x, t = MoveSequence(tuple(one)), MoveSequence(tuple(two))
    moves = x + t + x.inverse() + t.inverse() + MoveSequence(tuple(rest))
    text = bracketed(moves)
    assert READER.read(text).cube == SOLVED.apply(moves)


def test_the_shortest_writing_is_chosen() -> None:
    for text, wanted in (
        ("F U F' R U2 R'", "[F: U] [R: U2]"),
        ("R U R' U'", "[R, U]"),
        ("R' D' R U R' D R U'", "[R' D' R, U]"),
        ("R U", "R U"),
    ):
        assert bracketed(MoveSequence.parse(text)) == wanted
