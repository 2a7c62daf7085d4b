"""Orbits and orders against known figures, and the exported group against sympy's."""

import math
import re

import pytest
from sympy.combinatorics import Permutation, PermutationGroup

from puzzles.groups.analysis import Analysis
from puzzles.groups.export import exported
from puzzles.kinds.catalogue import puzzle_named

F = math.factorial
CUBE = 43_252_003_274_489_856_000
KNOWN = {
    # name: orbits of arbitrary re-assemblies, states of each
    "3x3x3": (12, CUBE),
    "3x3x3-slices": (12, CUBE),
    "2x2x2": (3, 3_674_160),
    "4x4x4": (3, 7_401_196_841_564_901_869_874_093_974_498_574_336_000_000_000),
    "5x5x5": (12, F(8) * 3**7 * F(12) * 2**10 * F(24) ** 3 // F(4) ** 12),
    "6x6x6": (3, F(7) * 3**6 * F(24) ** 6 // F(4) ** 24),
    "3x2x3": (1, F(8) ** 2 // 4),
    "3x3x4": (1, 41_295_442_083_840_000),
    "1x3x3": (32, 192),
    "1x1x3": (1, 16),
    "1x1x4": (1, 64),
    "1x1x5": (1, 256),
    "1x3x4": (2, 2304),
    "1x3x5": (4, 9216),
    "1x4x5": (2, 331_776),
    "1x5x5": (286_720, 5_308_416),
    "3x3x5": (64, 15_857_449_760_194_560_000),
    "3x5x5": (35_840, 1_856_123_577_577_995_887_443_968_000_000),
    "2x2x3": (8, 241_920),
    "three-colour": (6, F(8) // F(4) ** 2 * 3**7 * F(12) // F(4) ** 3 * 2**11),
    "3x3x3x3": (48, F(24) * F(32) // 2 * (F(16) // 2) * 2**23 * (6**31 * 3) * (12**15 * 4)),
    "pyraminx": (4, 75_582_720),
    "tetrahedron": (24, 3_732_480),
    "dodecahedron": (24, F(20) // 2 * 3**19 * F(30) // 2 * 2**29),
    "icosahedron": (40, F(12) // 2 * 5**11 * F(30) // 2 * 2**29),
    "octahedron": (
        # a corner keeps its angle modulo 180 degrees, an edge all of it
        2 * 2 * 2 * 2**6 * 2**12,
        F(6) // 2 * 2**5 * F(12) // 2,
    ),
    "balls-cube": (2, F(8) * F(12) // 2),
    "balls-tetrahedron": (4, F(4) // 2 * F(6) // 2),
    "balls-dodecahedron": (4, F(20) // 2 * F(30) // 2),
}


@pytest.mark.parametrize("name", KNOWN)
def test_orbits_and_states_are_the_known_ones(name: str) -> None:
    analysis = Analysis(puzzle_named(name))
    assert (analysis.orbits, analysis.states_per_orbit) == KNOWN[name]
    assert math.prod(invariant.values for invariant in analysis.invariants) == analysis.orbits


def read_back(text: str) -> PermutationGroup:
    """The group that the lines of turns describe, without our permutations."""
    lines = [line for line in text.splitlines() if line.lstrip().startswith(("(", "["))]
    turns = []
    for line in lines:
        cycles = [list(map(int, each.split(","))) for each in re.findall(r"\(([\d,]+)\)", line)]
        turns.append(Permutation([[number - 1 for number in cycle] for cycle in cycles]))
    return PermutationGroup(turns)


@pytest.mark.parametrize("name", ["3x3x3", "phi3", "RU", "2x2x2", "slice"])
def test_the_exported_group_has_the_order_of_the_puzzle(name: str) -> None:
    puzzle = puzzle_named(name)
    text = exported(puzzle)
    assert read_back(text).order() == Analysis(puzzle).group_order
