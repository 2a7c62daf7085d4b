"""Ways between states, as words of turns that change few pieces."""

from math import gcd

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.groups.analysis import Analysis
from solver.groups.relations import unchanged_sums
from solver.groups.word_ways import WordWays
from solver.puzzles.catalogue import puzzle_named
from solver.puzzles.puzzle import scrambled

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


@pytest.mark.parametrize(("name", "length"), [("RUF", 4), ("three-colour", 5)])
def test_near_states_have_a_shortest_way(name: str, length: int) -> None:
    """Where pieces look alike, many elements lead to the other state; one of them is near."""
    puzzle = puzzle_named(name)
    ways = WordWays(Analysis(puzzle), np.random.default_rng(0))
    for seed in range(5):
        state, made = scrambled(puzzle, length, np.random.default_rng(seed))
        way = ways.between(state, puzzle.solved)
        assert way is not None
        assert len(way) <= len(made)
        for turn in way:
            state = puzzle.apply(state, turn)
        assert state == puzzle.solved


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
