"""S5's backtracking, searches from both ends, and ways as words of turns."""

from itertools import pairwise
from math import gcd

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from puzzles.groups.analysis import Analysis
from puzzles.groups.searches import Failed, shortest, solutions
from puzzles.groups.unchanged_sums import unchanged_sums
from puzzles.groups.word_ways import WordWays
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.puzzle import PuzzleTurn, may_follow, scrambled, turned
from solver.errors import SolverError

POCKET = Box(2, 2, 2, fixed=True)


def names(turns: tuple[PuzzleTurn, ...]) -> str:
    return " ".join(turn.name for turn in turns)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 8))
def test_both_ends_meet(seed: int, length: int) -> None:
    """After the fewest moves: `test_finder` compares their number with that of other searches."""
    state, _ = scrambled(POCKET, length, np.random.default_rng(seed))
    found = shortest(POCKET, state, 8)
    assert found is not None
    assert turned(POCKET, state, names(found)) == POCKET.solved
    assert len(found) <= length


def test_longer_solutions_are_kept_when_wanted() -> None:
    small = Box(2, 2, 1, fixed=True)  # two half turns that come round after a while
    state = turned(small, small.solved, "R2")
    assert [names(found) for found in solutions(small, state, 3)] == ["R2"]
    lengths = [len(found) for found in solutions(small, state, 12, longer=True)]
    assert lengths[0] == 1
    assert len(lengths) > 1
    assert lengths == sorted(lengths)


def test_slice_turns_are_moves_like_others() -> None:
    """S5 turns any layer: the checkerboard takes three slice turns."""
    cube = Box(3, 3, 3)
    state = turned(cube, cube.solved, "2R2 2U2 2F2")
    found = next(solutions(cube, state, 3))
    assert len(found) == 3
    assert all(turn.name.startswith("2") for turn in found)


def test_what_is_out_of_reach_is_not_found() -> None:
    state = turned(POCKET, POCKET.solved, "R U F R U F")
    assert shortest(POCKET, state, 3) is None
    assert not list(solutions(POCKET, state, 2))
    with pytest.raises(SolverError):
        next(solutions(POCKET, POCKET.solved, -1))
    with pytest.raises(SolverError):
        shortest(POCKET, POCKET.solved, -1)


MOST = {
    "pyraminx": 80,
    "tetrahedron": 40,
    "octahedron": 120,
    "RU": 160,
    "RUF": 300,
    "slice": 12,
    "balls-octahedron": 120,
    "3x2x3": 200,
    "1x3x3": 20,
}


@pytest.mark.parametrize("name", MOST)
def test_any_two_connected_states_have_a_way(name: str) -> None:
    puzzle = puzzle_named(name)
    rng = np.random.default_rng(8)
    ways = WordWays(Analysis(puzzle), rng)
    origin = puzzle.state(puzzle.pieces.reassembled(rng))  # any orbit will do
    for _ in range(2):
        one = other = origin
        for turn in scrambled(puzzle, 40, rng)[1]:
            one = puzzle.apply(one, turn)
        for turn in scrambled(puzzle, 40, rng)[1]:
            other = puzzle.apply(other, turn)
        way = ways.between(one, other)
        assert way is not None
        for turn in way:
            one = puzzle.apply(one, turn)
        assert one == other
        assert len(way) <= MOST[name]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32))
def test_reassemblies_of_other_orbits_are_told_by_their_invariants(seed: int) -> None:
    puzzle = puzzle_named("tetrahedron")
    analysis = Analysis(puzzle)
    state = puzzle.state(analysis.pieces.reassembled(np.random.default_rng(seed)))
    differences = analysis.differences(state, puzzle.solved)
    assert (analysis.element(state, puzzle.solved) is None) == bool(differences)


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from([2, 3, 4, 5]), min_size=1, max_size=4).flatmap(
        lambda orders: st.tuples(
            st.just(orders),
            st.lists(st.tuples(*(st.integers(0, order - 1) for order in orders)), max_size=3),
        )
    )
)
@example(([5, 5], [(1, 2)]))
def test_sums_tell_the_classes_of_an_abelian_group_apart(
    case: tuple[list[int], list[tuple[int, ...]]],
) -> None:
    """Counted by brute force: elements with the same sums are those that the vectors connect."""
    orders, vectors = case
    reached = {(0,) * len(orders)}
    edge = list(reached)
    for one in edge:
        for vector in vectors:
            there = tuple((a + b) % n for a, b, n in zip(one, vector, orders, strict=True))
            if there not in reached:
                reached.add(there)
                edge.append(there)
    sums = unchanged_sums(orders, vectors)
    everything = np.array(np.meshgrid(*map(range, orders))).reshape(len(orders), -1).T.tolist()
    values = {tuple(character.of(element) for character in sums) for element in everything}
    assert len(values) * len(reached) == len(everything)
    assert np.prod([character.modulus for character in sums], dtype=int) == len(values)
    assert all(character.of(one) == 0 for character in sums for one in reached)
    for character in sums:  # a sum begins with 1 wherever a multiple of it does
        first = next(c for c in character.coefficients if c)
        assert first == 1 or gcd(first, character.modulus) > 1


def test_single_steps_of_a_layer_are_made_twice_at_most() -> None:
    cube = Box(3, 3, 3)
    single = {turn.name for turn in cube.turns if not turn.name.endswith("2")}
    assert len(single) == 18
    state = turned(cube, cube.solved, "R2 2U")
    found = next(solutions(cube, state, 3, quarters=True))
    assert len(found) == 3
    assert {turn.name for turn in found} <= single
    assert turned(cube, state, " ".join(turn.name for turn in found)) == cube.solved
    counted = list(
        solutions(POCKET, turned(POCKET, POCKET.solved, "R"), 3, longer=True, quarters=True)
    )
    assert [len(each) for each in counted] == [1]  # R R R is not tried


def test_the_tree_of_a_search_has_every_path_once() -> None:
    """Nine turns of the 2×2×2, then six of the other two layers after each; all but one fail."""
    failed: Failed = {}
    state = turned(POCKET, POCKET.solved, "R U F")
    (found,) = solutions(POCKET, state, 3, failed=failed)
    assert [turn.name for turn in found] == ["F'", "U'", "R'"]
    tried = {tuple(turn.name for turn in path) for path in failed.values()}
    assert {path for path in tried if len(path) == 1} <= {(turn.name,) for turn in POCKET.turns}
    assert all(one[0] != other[0] for path in tried for one, other in pairwise(path))
    order = {turn.name: number for number, turn in enumerate(POCKET.turns)}
    pairs = [(a, b) for a in POCKET.turns for b in POCKET.turns if may_follow(a, b, order)]
    assert len(pairs) == 54
