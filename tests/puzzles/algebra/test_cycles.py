"""Cycles, signs and orders of words, beside sympy's permutations of the stickers."""

from functools import cache, partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.combinatorics import Permutation

from puzzles.algebra.cycles import Element, KindCycles, swaps, three_cycles
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.pieces import Arrangement

NAMES = (
    "3x3x3", "3x3x3-slices", "2x2x2", "4x4x4", "5x5x5", "1x2x3", "2x3x4", "RU", "slice", "phi2",
    "supercube", "three-colour", "3x3x3x3", "pyraminx", "octahedron", "dodecahedron", "balls-cube",
)  # fmt: skip
puzzle_of = cache(puzzle_named)
WORDS = st.lists(st.integers(0, 2**20), max_size=12)
PERMUTATIONS = st.integers(1, 12).flatmap(lambda n: st.permutations(list(range(n))))


def done(puzzle: AnyPuzzle, numbers: list[int]) -> Arrangement:
    turns = list(puzzle.pieces.turns.values())
    made = puzzle.pieces.solved
    for number in numbers:
        made = made[turns[number % len(turns)]]
    return made


def goes(arrangement: Arrangement) -> Permutation:
    """Where each sticker goes, as sympy has it: products from left to right."""
    return Permutation(np.argsort(arrangement).tolist())


def shape(kinds: tuple[KindCycles, ...]) -> list[list[tuple[int, int]]]:
    """Length and order of the twist of each cycle; conjugate words have the same."""
    return [sorted((len(c.places), c.twist_order) for c in kind.cycles) for kind in kinds]


@settings(max_examples=6, deadline=None)
@given(numbers=WORDS)
def test_cycles_carry_every_sticker_where_it_goes_in_sympys_order(numbers: list[int]) -> None:
    for puzzle in map(puzzle_of, NAMES):
        element = Element(puzzle.pieces, done(puzzle, numbers))
        built = np.arange(len(element.arrangement))
        for kind in element.kinds:
            for cycle in kind.cycles:
                home = cycle.slots[0]
                ends = [*cycle.slots[1:], tuple(home[i] for i in cycle.twist)]
                for row, after in zip(cycle.slots, ends, strict=True):
                    built[list(row)] = after
        permutation = goes(element.arrangement)
        assert built.tolist() == permutation.array_form
        assert element.order == permutation.order()
        parity = sum(
            (len(cycle.places) - 1) * len(cycle.twist) + Permutation(cycle.twist).parity()
            for kind in element.kinds
            for cycle in kind.cycles
        )
        assert parity % 2 == permutation.parity()


@settings(max_examples=6, deadline=None)
@given(one=WORDS, other=WORDS)
def test_laws_of_the_group(one: list[int], other: list[int]) -> None:
    """Conjugates have one cycle type, commutators even kinds, signs multiply."""
    for puzzle in map(puzzle_of, NAMES):
        a, b = done(puzzle, one), done(puzzle, other)
        back, undo = np.argsort(a), np.argsort(b)

        made = partial(Element, puzzle.pieces)

        assert shape(made(a[b][back]).kinds) == shape(made(b).kinds)
        assert shape(made(undo).kinds) == shape(made(b).kinds)
        assert {kind.sign for kind in made(a[b][back][undo]).kinds} == {1}
        for first, second, both in zip(made(a).kinds, made(b).kinds, made(a[b]).kinds, strict=True):
            assert both.sign == first.sign * second.sign


@settings(max_examples=10)
@given(WORDS)
def test_the_colours_come_back_when_they_are_said_to(numbers: list[int]) -> None:
    for name in ("4x4x4", "three-colour", "balls-cube"):
        puzzle = puzzle_of(name)
        element = Element(puzzle.pieces, done(puzzle, numbers))
        seen, here = 1, element.arrangement
        while puzzle.pieces.looks(here) != puzzle.pieces.colours and seen < 200:
            here, seen = here[element.arrangement], seen + 1
        assert seen in {element.order_seen, 200}
        assert puzzle.pieces.looks(element.power(element.order_seen)) == puzzle.pieces.colours
        assert element.order % element.order_seen == 0


def test_names_tell_twists_and_every_piece_has_its_own() -> None:
    """Read off a cube in the hand."""
    cube = puzzle_of("3x3x3")
    turns = cube.pieces.turns
    made = cube.pieces.solved
    for name in ["R", "U", "R'", "U'"]:
        made = made[turns[name]]
    corners, edges = Element(cube.pieces, made).kinds
    assert [str(cycle) for cycle in corners.cycles] == ["(URF RDF ↺ RFU)", "(ULB RUB ↺ BUL)"]
    assert [str(cycle) for cycle in edges.cycles] == ["(UR UB FR)"]
    assert (corners.sign, edges.sign) == (1, 1)
    assert shape((corners,)) == [[(2, 3), (2, 3)]]
    for puzzle in map(puzzle_of, NAMES):
        for turn in puzzle.pieces.turns.values():
            for kind in Element(puzzle.pieces, turn).kinds:
                told = [name for cycle in kind.cycles for name in cycle.names]
                assert len(set(told)) == len(told)


@settings(max_examples=30)
@given(PERMUTATIONS)
def test_swaps_and_three_cycles_multiply_to_the_permutation(images: list[int]) -> None:
    wanted = Permutation(images)
    cycles = wanted.cyclic_form
    found = three_cycles(cycles)
    assert all(len(set(cycle)) == 3 for cycle in found.cycles)
    assert (found.swap is None) == wanted.is_even
    for factors in (swaps(cycles), (*found.cycles, *([found.swap] if found.swap else []))):
        product = Permutation(wanted.size - 1)
        for factor in factors:
            product = product * Permutation([list(factor)], size=wanted.size)
        assert product == wanted
