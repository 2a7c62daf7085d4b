"""Where stickers are drawn: each in the net and in one of two sights, none over another."""

from itertools import combinations, product

from cube.drawing import Patch, middle_of
from cube.pieces import EDGE_FACELETS, EDGES
from puzzles.kinds.catalogue import CATALOGUE, puzzle_named
from teaching.films.figures import Figure, Mark, figure_of, outline, slots_of

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


def test_every_sticker_has_a_place_of_its_own() -> None:
    """Of a cube in two sights and as a net."""
    wrong = []
    for name in (*BOXES, *OTHERS):
        puzzle = puzzle_named(name)
        figure = figure_of(puzzle)
        slots = slots_of(figure)
        points = [point for mark in figure.marks for point in outline(mark.shape)]
        right = set(slots) == set(puzzle.drawn(puzzle.solved).shapes)
        right &= all(
            -1 <= x <= figure.width + 1 and -1 <= y <= figure.height + 1 for x, y in points
        )
        right &= len(figure.marks) >= 200 or covered(figure) == []
        if name in BOXES:
            slants = [[mark.slant is None for mark in marks] for marks in slots.values()]
            right &= slants == [[False, True]] * len(slots)
        if not right:
            wrong.append(name)
    assert not wrong


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
