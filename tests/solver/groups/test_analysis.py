"""What the analysis of a puzzle says of its invariants, on puzzles that are known."""

import re

import numpy as np
import pytest

from solver.groups.analysis import Analysis
from solver.puzzles.balls import Balls
from solver.puzzles.box import Box
from solver.puzzles.catalogue import puzzle_named
from solver.puzzles.puzzle import scrambled

SQUARE_PYRAMID = ((0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))


@pytest.mark.source("S3.15")
def test_a_pyramid_given_by_its_faces() -> None:
    """5 corners and 8 edges; the square face is odd on both, the triangles are even."""
    analysis = Analysis(Balls("pyramid", SQUARE_PYRAMID))
    assert analysis.orbits == 2
    assert analysis.proven
    (law,) = analysis.invariants
    assert re.findall("corners|edges", law.name) == ["corners", "edges"]


@pytest.mark.source("S3.11")
def test_two_faces_permute_six_corners_in_120_ways() -> None:
    """<R, U> acts on its six corners as PGL(2, 5), which signs and twists do not say."""
    analysis = Analysis(puzzle_named("RU"))
    pattern = analysis.invariants[-1]
    assert (pattern.name, pattern.values) == ("pattern", 6)
    assert re.findall(r"\d+", pattern.text)[-2:] == ["120", "720"]
    assert analysis.proven


@pytest.mark.source("S3.12")
def test_the_centres_of_a_supercube_are_bound_by_parity() -> None:
    """The centres' quarter turns are even in number exactly when the corners are."""
    analysis = Analysis(puzzle_named("supercube"))
    told = [
        re.findall("corners|edges|centres U R F D L B", law.name) for law in analysis.invariants
    ]
    assert any(len(kinds) == 2 and kinds[1].startswith("centres") for kinds in told), told


def test_pieces_that_look_alike_may_take_each_others_places() -> None:
    """Half turns of a 3×4×5 box: its centres look alike, and its group has patterns of its own."""
    puzzle = Box(3, 4, 5)
    analysis = Analysis(puzzle)
    assert not analysis.counts_alike
    state, _ = scrambled(puzzle, 30, np.random.default_rng(0))
    assert analysis.differences(state, puzzle.solved) == ()
    assert analysis.element(state, puzzle.solved) is not None
