"""S3's restrictions Phi1, Phi2 and Phi3, and what is said of the invariants of a puzzle."""

import re
from itertools import permutations

import numpy as np
from cubes import sequences
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.combinatorics import Permutation, PermutationGroup

from cube.laws import permutation_parity
from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState, move_state
from puzzles.groups.analysis import Analysis
from puzzles.groups.invariants import invariants_of
from puzzles.groups.ledger import Ledger
from puzzles.kinds.balls import Balls
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.pieces import Pieces, Place
from puzzles.kinds.puzzle import scrambled

CUBE = puzzle_named("3x3x3")
TETRADS = ((0, 2, 5, 7), (1, 3, 4, 6))
PAIRS = {
    0: (((0, 2), (5, 7)), ((0, 7), (2, 5)), ((0, 5), (2, 7))),
    1: (((1, 3), (4, 6)), ((3, 4), (1, 6)), ((1, 4), (3, 6))),
}
"""Each tetrad of corners falls into two pairs in three ways, one for each axis (U, R, F)."""


def pairs_permuted(state: CubeState, tetrad: int) -> tuple[int, ...]:
    """S3's p or q: which axis the pairs come from that are in the places of U, R and F."""
    homes = [{frozenset(pair) for pair in both} for both in PAIRS[tetrad]]
    return tuple(
        homes.index({frozenset(state.corner_permutation[i] for i in pair) for pair in both})
        for both in PAIRS[tetrad]
    )


def delta(state: CubeState) -> tuple[int, ...]:
    """S3's p o q^-1."""
    p, q = pairs_permuted(state, 0), pairs_permuted(state, 1)
    return tuple(p[q.index(axis)] for axis in range(3))


def test_the_laws_of_the_cube_are_told_and_what_counts_twice_in_a_sum() -> None:
    """Two pieces that a turn twists by thirds alike: one and twice the other stay the same."""
    places = [Place("A", "upper", (0, 1, 2)), Place("B", "lower", (3, 4, 5))]
    ledger = Ledger(Pieces(places, {"T": np.array([1, 2, 0, 4, 5, 3])}, "abcdef"))
    (law,) = invariants_of(ledger, ledger.sums())
    assert re.search(r"\bupper\b.* 2 .*\blower\b.* 3$", law.text)
    told = [re.findall(r"edges|corners|\d", law.text) for law in Analysis(CUBE).invariants]
    assert told == [["edges", "corners"], ["edges", "2"], ["corners", "3"]]
    turned = ledger.pieces.turns["T"]
    alone = np.array([1, 2, 0, 3, 4, 5])
    assert law.of(turned) == law.of(ledger.pieces.solved) != law.of(alone)


def test_half_turns_keep_delta_and_it_has_six_values() -> None:
    puzzle = puzzle_named("phi3")
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(40):
        corners = [0] * 8
        for tetrad in TETRADS:
            for place, piece in zip(tetrad, rng.permutation(tetrad), strict=True):
                corners[place] = int(piece)
        state = CubeState(tuple(corners), (0,) * 8, tuple(range(12)), (0,) * 12)
        seen.add(delta(state))
        for turn in puzzle.turns:
            assert delta(puzzle.apply(state, turn)) == delta(state)
    assert len(seen) == 6
    assert delta(puzzle.solved) == (0, 1, 2)


def test_half_turns_reach_96_corner_arrangements_those_with_delta_one() -> None:
    """24 * 24 arrangements keep the tetrads; a sixth of them has delta = 1."""
    puzzle = puzzle_named("phi3")
    seen, edge = {puzzle.solved.corner_permutation}, [puzzle.solved]
    for state in edge:
        for turn in puzzle.turns:
            there = puzzle.apply(state, turn)
            if there.corner_permutation not in seen:
                seen.add(there.corner_permutation)
                edge.append(there)
    assert len(seen) == 96 == 24 * 24 // 6
    assert all(delta(state) == (0, 1, 2) for state in edge)


def test_delta_is_what_connects_states_of_half_turns() -> None:
    """States that differ in delta alone are not connected, equal ones are."""
    analysis = Analysis(puzzle_named("phi3"))
    solved = analysis.puzzle.solved
    # a three-cycle inside one tetrad: even, and delta is a three-cycle of the axes
    corners = (2, 1, 5, 3, 4, 0, 6, 7)
    turned = CubeState(corners, (0,) * 8, tuple(range(12)), (0,) * 12)
    assert permutation_parity(corners) == 0
    assert delta(turned) != delta(solved)
    (difference,) = analysis.differences(solved, turned)
    assert difference.invariant.name == "δ"
    assert difference.invariant.said(difference.one) == "U R F"
    assert difference.invariant.said(difference.other) in {"R F U", "F U R"}
    scramble, _ = scrambled(analysis.puzzle, 20, np.random.default_rng(1))
    assert delta(scramble) == delta(solved)
    assert not analysis.differences(solved, scramble)


def test_delta_and_the_product_of_the_signs_take_all_values_together() -> None:
    """Where slices, tetrads and angles agree; so the product of all values counts the orbits."""
    analysis = Analysis(puzzle_named("phi3"))
    signs, axes = analysis.invariants[-2:]
    assert (signs.values, axes.name, axes.values) == (2, "δ", 6)
    rng = np.random.default_rng(5)
    for mixed in (False, True):
        inside = [list(tetrad) for tetrad in TETRADS]
        if mixed:
            inside = [[0, 1, 2, 3], [4, 5, 6, 7]]
        seen = set()
        for _ in range(300):
            corners, edges = [0] * 8, list(range(12))
            for tetrad, pieces in zip(TETRADS, inside, strict=True):
                for place, piece in zip(tetrad, rng.permutation(pieces), strict=True):
                    corners[place] = int(piece)
            if rng.random() < 0.5:
                edges[0], edges[2] = edges[2], edges[0]
            state = CubeState(tuple(corners), (0,) * 8, tuple(edges), (0,) * 12)
            arrangement = analysis.puzzle.arrangement(state)
            seen.add((signs.of(arrangement), axes.of(arrangement)))
        assert len(seen) == 12


SQUARE_PYRAMID = ((0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))


def test_a_pyramid_given_by_its_faces() -> None:
    """5 corners and 8 edges; the square face is odd on both, the triangles are even."""
    analysis = Analysis(Balls("pyramid", SQUARE_PYRAMID))
    assert analysis.orbits == 2
    assert analysis.proven
    (law,) = analysis.invariants
    assert re.findall("corners|edges", law.name) == ["corners", "edges"]


def test_two_faces_permute_six_corners_in_120_ways() -> None:
    """The preserved total has each of its six values for 120 of the 720 orders, as sympy counts."""
    analysis = Analysis(puzzle_named("RU"))
    law = analysis.invariants[-1]
    places = (0, 1, 2, 3, 4, 7)
    numbers = {corner: number for number, corner in enumerate(places)}
    turns = [move_state(Move(face, 1)).corner_permutation for face in "RU"]
    images = [Permutation([numbers[turn[place]] for place in places]) for turn in turns]
    group = PermutationGroup(images)
    assert group.order() == 120
    seen = dict[object, set[bool]]()
    for order in permutations(range(6)):
        corners = list(range(8))
        for place, number in zip(places, order, strict=True):
            corners[place] = places[number]
        state = CubeState(tuple(corners), (0,) * 8, tuple(range(12)), (0,) * 12)
        value = law.of(analysis.puzzle.arrangement(state))
        seen.setdefault(value, set()).add(group.contains(Permutation(list(order))))
    assert len(seen) == law.values == 6
    assert sorted(map(sorted, seen.values())) == [[False]] * 5 + [[True]]
    assert analysis.proven


PARTLY = "phi1 phi2 phi3 RU RL RUF UDRL URFL URFDL slice antislice"
ANALYSES = {name: Analysis(puzzle_named(name)) for name in PARTLY.split()}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PARTLY.split()), sequences(20))
def test_no_legal_state_differs_in_a_b_or_epsilon(name: str, moves: MoveSequence) -> None:
    """Sums of all corners or edges never differ; those of a part only with the same pieces."""
    analysis = ANALYSES[name]
    state = SOLVED.apply(moves)
    for difference in analysis.differences(state, SOLVED):
        law = difference.invariant
        assert law.said(difference.one) != law.said(difference.other)
        if not re.match(r"the (parity|twists|flips) of", law.text):
            continue
        sizes = [len(place) for place in re.findall(r"\b[URFDLB]{2,3}\b", law.text)]
        assert 0 < sizes.count(2) < 12 or 0 < sizes.count(3) < 8, law.text
        here, there = map(analysis.puzzle.arrangement, (state, SOLVED))
        assert law.given(here) == law.given(there)


def test_pieces_that_look_alike_may_take_each_others_places() -> None:
    """Half turns of a 3×4×5 box: its centres look alike, and its group has patterns of its own."""
    puzzle = Box(3, 4, 5)
    analysis = Analysis(puzzle)
    assert not analysis.counts_alike
    state, _ = scrambled(puzzle, 30, np.random.default_rng(0))
    assert analysis.differences(state, puzzle.solved) == ()
    assert analysis.element(state, puzzle.solved) is not None
