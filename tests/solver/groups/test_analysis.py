"""Small puzzles counted state by state: the invariants tell exactly the orbits apart."""

import re
from itertools import permutations, product

import numpy as np
import pytest

from solver.groups.analysis import Analysis
from solver.puzzles.balls import Balls
from solver.puzzles.box import Box
from solver.puzzles.catalogue import AnyPuzzle, puzzle_named
from solver.puzzles.pieces import Arrangement, Pieces
from solver.puzzles.puzzle import scrambled

SQUARE_PYRAMID = ((0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))


def states_reached(puzzle: AnyPuzzle) -> int:
    """All states that turns reach from the solved one."""
    seen, edge = {puzzle.solved}, [puzzle.solved]
    while edge:
        grown = {puzzle.apply(state, turn) for state in edge for turn in puzzle.turns} - seen
        seen |= grown
        edge = list(grown)
    return len(seen)


@pytest.mark.parametrize(
    "name",
    ["slice", "antislice", "UD", "1x2x3", "1x3x3", "1x1x4", "2x2x1", "1x2x2", "balls-tetrahedron"],
)
def test_turns_reach_as_many_states_as_the_orbit_has(name: str) -> None:
    puzzle = puzzle_named(name)
    analysis = Analysis(puzzle)
    assert states_reached(puzzle) == analysis.states_per_orbit * analysis.pieces.holds


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", ["phi3", "2x2x3"])
def test_turns_reach_as_many_states_of_larger_puzzles(name: str) -> None:
    puzzle = puzzle_named(name)
    analysis = Analysis(puzzle)
    assert states_reached(puzzle) == analysis.states_per_orbit * analysis.pieces.holds


def all_arrangements(pieces: Pieces) -> list[Arrangement]:
    """Every re-assembly."""
    found = [pieces.solved]
    for kind in pieces.kinds:
        count = range(len(kind.places))
        grown = []
        for base in found:
            for order in permutations(count):
                for lies in product(kind.rotations, repeat=len(kind.places)):
                    state = base.copy()
                    for row, piece, rotation in zip(kind.slots, order, lies, strict=True):
                        state[row] = kind.slots[piece][list(rotation)]
                    grown.append(state)
        found = grown
    return found


@pytest.mark.parametrize(
    "puzzle",
    [
        pytest.param(puzzle_named("balls-tetrahedron"), marks=pytest.mark.source("S3.15")),
        pytest.param(Box(2, 2, 1, fixed=True), marks=pytest.mark.source("S3.13")),
        pytest.param(Box(1, 2, 3), marks=pytest.mark.source("S3.13")),
        pytest.param(Box(1, 2, 2), marks=pytest.mark.source("S3.13")),
    ],
    ids=lambda puzzle: puzzle.name,
)
def test_two_reassemblies_connect_exactly_when_all_invariants_agree(puzzle: AnyPuzzle) -> None:
    """Every re-assembly is in one class of the invariants, and turns connect all of that class."""
    analysis = Analysis(puzzle)
    everything = all_arrangements(analysis.pieces)
    numbers = {state.tobytes(): number for number, state in enumerate(everything)}
    turns = list(analysis.pieces.turns.values())
    orbit = np.full(len(everything), -1)
    count = 0
    for start in range(len(everything)):
        if orbit[start] >= 0:
            continue
        orbit[start], queue = count, [start]
        for number in queue:
            for turn in turns:
                there = numbers[everything[number][turn].tobytes()]
                if orbit[there] < 0:
                    orbit[there] = count
                    queue.append(there)
        count += 1
    classes = {}
    for number, state in enumerate(everything):
        key = tuple(invariant.of(state) for invariant in analysis.invariants)
        assert classes.setdefault(key, orbit[number]) == orbit[number]
    if analysis.alike == 1:
        assert count == analysis.orbits == len(classes)
        assert len(everything) == analysis.reassemblies


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
