"""Large cubes: frames of their edges, and the 3×3×3 that is left."""

import pytest

from cube.laws import orbit_of
from cube.state import SOLVED
from puzzles.kinds.box import Box
from puzzles.kinds.puzzle import turned
from puzzles.paths.big_cubes import edge_frame, exchange_names, reduced
from puzzles.paths.frames import orbits_of

SIDES = (4, 5, 6, 7, 9)


@pytest.mark.parametrize("side", SIDES)
def test_face_turns_keep_edges_joined_and_inner_turns_part_them(side: int) -> None:
    """Those of the outermost orbit."""
    puzzle = Box(side, side, side)
    pieces = puzzle.pieces
    centres = [orbit for orbit in orbits_of(pieces) if orbit.slots.shape[1] == 1]
    frame = edge_frame(pieces, centres, side // 2 - 1, side)
    assert len(frame.labels(pieces.solved)) == frame.size < 255
    names = [turn.name for turn in puzzle.turns]
    for name, parted in (("R", False), ("U2", False), ("2R2", True)):
        state = pieces.solved[pieces.turns[name]]
        one, other = frame.labels(state)[frame.checks.pairs].T
        assert bool((frame.checks.mates[one] != other).any()) == parted, name
        effect = frame.turns[names.index(name)][None]
        assert bool(frame.checks.parted(effect)[0]) == parted, name
    assert frame.kept.parted(frame.turns[names.index("R")][None])[0] == 0


@pytest.mark.parametrize("side", [4, 6, 8])
def test_the_exchange_is_what_no_face_turns_make(side: int) -> None:
    """It keeps the cube reduced, and exchanges edges as no turn of a 3×3×3 does."""
    puzzle = Box(side, side, side)
    state = turned(puzzle, puzzle.solved, " ".join(exchange_names(side)))
    assert orbit_of(reduced(state, side)) != orbit_of(SOLVED)
    assert exchange_names(5) == []


def test_a_reduced_cube_is_the_cube_after_the_same_face_turns() -> None:
    puzzle = Box(6, 6, 6)
    state = turned(puzzle, puzzle.solved, "R U2 F' L")
    cube = Box(3, 3, 3)
    seen = turned(cube, cube.solved, "R U2 F' L")
    assert "".join(seen) == reduced(state, 6).to_facelets().text
