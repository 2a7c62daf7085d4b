"""Where stickers are drawn: each in the net and in one of two sights, none over another."""

from itertools import combinations, product

import pytest

from cube.pieces import EDGE_FACELETS, EDGES
from solver.puzzles.catalogue import CATALOGUE, puzzle_named
from solver.puzzles.drawing import Patch, middle_of
from thistlebot.pictures.figures import Figure, Mark, figure_of, outline, slots_of

BOXES = ("3x3x3", "2x2x2", "4x4x4", "3x2x3", "1x2x3", "1x1x5", "7x7x7", "supercube", "three-colour")
OTHERS = tuple(each.name for each in CATALOGUE if each.make and each.name not in BOXES)


def inside(point: tuple[float, float], polygon: Patch) -> bool:
    """Whether a point is in a convex polygon."""
    ends = zip(polygon.points, polygon.points[1:] + polygon.points[:1], strict=True)
    x, y = point
    sides = [(c - a) * (y - b) - (d - b) * (x - a) for (a, b), (c, d) in ends]
    return min(sides) > 0 or max(sides) < 0


def covered(figure: Figure) -> list[tuple[Mark, Mark]]:
    """Polygons that lie over the middle of another one."""
    return [
        (one, other)
        for one, other in combinations(figure.marks, 2)
        if isinstance(one.shape, Patch)
        and isinstance(other.shape, Patch)
        and (inside(middle_of(one.shape), other.shape) or inside(middle_of(other.shape), one.shape))
    ]


@pytest.mark.parametrize("name", [*BOXES, *OTHERS])
def test_every_sticker_has_a_place_of_its_own(name: str) -> None:
    puzzle = puzzle_named(name)
    figure = figure_of(puzzle)
    assert set(slots_of(figure)) == set(puzzle.drawn(puzzle.solved).shapes)
    points = [point for mark in figure.marks for point in outline(mark.shape)]
    assert all(-1 <= x <= figure.width + 1 and -1 <= y <= figure.height + 1 for x, y in points)
    if len(figure.marks) < 300:
        assert covered(figure) == []


@pytest.mark.parametrize("name", BOXES)
def test_a_cube_is_seen_from_two_sides_and_as_a_net(name: str) -> None:
    figure = figure_of(puzzle_named(name))
    for marks in slots_of(figure).values():
        assert [mark.slant is None for mark in marks] == [False, True]


def test_neighbours_in_a_sight_touch_in_it() -> None:
    """The two stickers of an edge have two corners in common where both are seen."""
    marks = {slot: marks[0] for slot, marks in slots_of(figure_of(puzzle_named("3x3x3"))).items()}
    touching = set()
    for name, (one, other) in zip(EDGES, EDGE_FACELETS, strict=True):
        pairs = product(outline(marks[one].shape), outline(marks[other].shape))
        near = [(a, b) for a, b in pairs if abs(a[0] - b[0]) + abs(a[1] - b[1]) < 6]
        assert len(near) in {0, 2}
        if near:
            touching.add(name)
    assert touching == {"UR", "UF", "FR", "DL", "DB", "BL"}
