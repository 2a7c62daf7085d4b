"""Where stickers are drawn, none over another, and that what is written on them is read."""

from itertools import combinations

import pytest

from cube.drawing import Patch, colour_of, middle_of, outline
from cube.net import SCREEN_COLOURS
from puzzles.kinds.catalogue import CATALOGUE, puzzle_named
from teaching.films import figures
from teaching.films.figures import figure_of

BOXES = ("3x3x3", "2x2x2", "4x4x4", "3x2x3", "1x2x3", "1x1x5", "7x7x7", "supercube", "three-colour")
OTHERS = tuple(each.name for each in CATALOGUE if each.make and each.name not in BOXES)


def inside(point: tuple[float, float], polygon: Patch) -> bool:
    ends = zip(polygon.points, polygon.points[1:] + polygon.points[:1], strict=True)
    x, y = point
    sides = [(c - a) * (y - b) - (d - b) * (x - a) for (a, b), (c, d) in ends]
    return min(sides) > 0 or max(sides) < 0


def covered(figure: figures.PuzzleFigure) -> list[tuple[figures.StickerMark, figures.StickerMark]]:
    return [
        (one, other)
        for one, other in combinations(figure.marks, 2)
        if isinstance(one.shape, Patch)
        and isinstance(other.shape, Patch)
        and (inside(middle_of(one.shape), other.shape) or inside(middle_of(other.shape), one.shape))
    ]


def test_every_sticker_has_a_place_of_its_own() -> None:
    wrong = []
    for name in (*BOXES, *OTHERS):
        puzzle = puzzle_named(name)
        figure = figure_of(puzzle)
        slots = [mark.slot for mark in figure.marks]
        points = [point for mark in figure.marks for point in outline(mark.shape)]
        right = sorted(slots) == sorted(puzzle.drawn(puzzle.solved).shapes)
        right &= all(
            -1 <= x <= figure.width + 1 and -1 <= y <= figure.height + 1 for x, y in points
        )
        right &= len(figure.marks) >= 200 or covered(figure) == []
        if not right:
            wrong.append(name)
    assert not wrong


HUES = [
    colour_of(str(n), [str(i) for i in range(count)])
    for count in (4, 8, 12, 20)
    for n in range(count)
]


def test_the_better_ink_is_taken() -> None:
    cv2 = pytest.importorskip("cv2")
    numpy = pytest.importorskip("numpy")
    for fill in (*SCREEN_COLOURS.values(), *HUES):
        if fill.startswith("#"):
            rgb = [int(fill[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        else:
            hue, saturation, lightness = (float(n.strip(" %")) for n in fill[4:-1].split(","))
            pixel = numpy.float32([[[hue, lightness / 100, saturation / 100]]])
            rgb = cv2.cvtColor(pixel, cv2.COLOR_HLS2RGB)[0, 0].tolist()
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in rgb]
        light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05
        contrasts = {figures.LIGHT: 1.05 / light, figures.DARK: light / 0.05}
        assert contrasts[figures.ink_on(fill)] >= 4.5, fill
        assert contrasts[figures.ink_on(fill)] >= 0.99 * max(contrasts.values()), fill
