"""What every puzzle keeps to, whatever it is made of."""

from functools import cache
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.groups.analysis import Analysis
from puzzles.kinds.balls import Balls, parse_faces
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import CATALOGUE, AnyPuzzle, puzzle_named
from puzzles.kinds.cubes import face_cube
from puzzles.kinds.hypercube import CELLS, Hypercube
from puzzles.kinds.oriented import OrientedSolid
from puzzles.kinds.pieces import Pieces, Place
from puzzles.kinds.puzzle import scrambled, turned
from puzzles.kinds.solids import SOLIDS, regular_solid
from solver.errors import SolverError

NAMES = [listed.name for listed in CATALOGUE if listed.make]
NAMES += ["4x4x4", "3x2x3", "1x3x3", "2x3x4", "RU"]
puzzle_of = cache(puzzle_named)


@pytest.fixture(params=NAMES)
def puzzle(request: pytest.FixtureRequest) -> AnyPuzzle:
    return puzzle_of(request.param)


def test_every_turn_has_an_inverse_and_turns_about_one_axis_commute(puzzle: AnyPuzzle) -> None:
    """Turns do to arrangements what they do to states."""
    state, made = scrambled(puzzle, 15, np.random.default_rng(1))
    arrangement = puzzle.pieces.solved
    for turn in made:
        arrangement = arrangement[puzzle.pieces.turns[turn.name]]
    assert puzzle.state(arrangement) == state
    turns = {turn.name: turn for turn in puzzle.turns}
    for turn in puzzle.turns:
        there = puzzle.apply(state, turn)
        assert there != state
        assert puzzle.apply(there, turns[turn.inverse]) == state
        assert turns[turn.inverse].layer == turn.layer
    for one in puzzle.turns[::3]:
        for two in puzzle.turns[::2]:
            if one.axis == two.axis and one.layer != two.layer:
                assert puzzle.apply(puzzle.apply(state, one), two) == puzzle.apply(
                    puzzle.apply(state, two), one
                )


def test_states_are_written_drawn_and_read(puzzle: AnyPuzzle) -> None:
    """States of any orbit, as text, as a picture and as an arrangement."""
    rng = np.random.default_rng(3)
    for state in (
        puzzle.solved,
        scrambled(puzzle, 20, rng)[0],
        puzzle.state(puzzle.pieces.reassembled(rng)),
    ):
        assert puzzle.parse(puzzle.code(state)) == state
        assert puzzle.state(puzzle.arrangement(state)) == state
        assert puzzle.is_solved(state) == (state == puzzle.solved)
        assert puzzle.text(state) != ""
        drawing = ET.fromstring(puzzle.drawn(state).svg())
        assert drawing.tag.endswith("svg")
        assert len(drawing) > 10
    assert puzzle.drawn(puzzle.solved) != puzzle.drawn(scrambled(puzzle, 5, rng)[0])
    code = puzzle.code(puzzle.solved)
    for text in ("", code[:-1], "?" + code[1:], code + code):
        with pytest.raises(SolverError):
            puzzle.parse(text)


def test_no_turn_changes_an_invariant(puzzle: AnyPuzzle) -> None:
    analysis = Analysis(puzzle)
    state = puzzle.state(puzzle.pieces.reassembled(np.random.default_rng(5)))
    for turn in {turn.layer: turn for turn in puzzle.turns}.values():
        assert not analysis.differences(state, puzzle.apply(state, turn))


def test_a_solid_cube_is_the_cube() -> None:
    """The general solid, made of a cube's corners, has the order of the cube."""
    solid = Analysis(OrientedSolid(regular_solid("cube")))
    assert (solid.group_order, solid.orbits) == (43_252_003_274_489_856_000, 12)
    assert SOLIDS[0] == "tetrahedron"


def test_a_cell_turns_in_23_ways() -> None:
    hypercube = Hypercube()
    for cell in CELLS:
        own = [turn for turn in hypercube.turns if turn.layer == cell]
        effects = {hypercube.apply(hypercube.solved, turn) for turn in own}
        assert len(own) == len(effects) == 23
    for whole in ("AR AR AR AR", "ARUF ARUF ARUF", "ARU ARU"):
        assert turned(hypercube, hypercube.solved, whole) == hypercube.solved


def test_polyhedra_are_read_from_off_files_and_lists() -> None:
    listed = parse_faces("0 1 2\n0 2 3  # a comment\n0 3 1\n1,3,2\n")
    off = parse_faces(
        "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n3 1 3 2\n"
    )
    assert listed == off
    assert Analysis(Balls("tetrahedron", off)).orbits == 4


def test_what_is_no_polyhedron_is_refused_and_a_turn_that_tears_a_piece_apart() -> None:
    for faces in (
        (),
        ((0, 1),),
        ((0, 1, 2), (0, 1, 3)),
        ((0, 1, 2), (2, 1, 0), (3, 4, 5), (5, 4, 3)),
    ):
        with pytest.raises(SolverError):
            Balls("faces", faces)
    for text in ("OFF\n4", "a b c"):
        with pytest.raises(SolverError, match="OFF"):
            parse_faces(text)
    places = [Place("one", "edges", (0, 1)), Place("two", "edges", (2, 3))]
    with pytest.raises(SolverError, match=r"\bone\b"):
        Pieces(places, {"T": np.array([1, 2, 3, 0])}, "abcd")


@settings(max_examples=25)
@given(st.text("URFDLB", min_size=1, max_size=6))
def test_any_faces_may_turn(faces: str) -> None:
    if len(set(faces)) < len(faces):
        with pytest.raises(SolverError):
            face_cube(faces)
    else:
        assert len(face_cube(faces).turns) == 3 * len(faces)


def test_sides_that_are_no_square_turn_by_halves() -> None:
    """S3.13: the Domino's square layers turn by quarters, the others by halves."""
    domino = Box(3, 2, 3)
    halves = [turn.name for turn in domino.turns if turn.axis != 1]
    assert halves == ["L2", "2R2", "R2", "B2", "2F2", "F2"]
    quarters = [turn.name for turn in domino.turns if turn.axis == 1]
    assert quarters == ["D", "D2", "D'", "U", "U2", "U'"]


def test_a_solved_box_is_held_in_many_ways_and_its_net_shows_every_sticker() -> None:
    for sides, ways in (((3, 3, 3), 24), ((3, 2, 3), 8), ((4, 3, 2), 4)):
        box = Box(*sides)
        assert len(box.solved_states) == ways
        assert all(box.is_solved(state) for state in box.solved_states)
    box = Box(2, 1, 3)
    assert box.text(box.solved).split() == [*"UUUUUU", *"LLLFFRRRBB", *"DDDDDD"]
    for sides in ((0, 1, 1), (3, 3, -1)):
        with pytest.raises(ValueError, match=r"0|-1|×"):
            Box(*sides)
