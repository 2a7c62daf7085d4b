"""The stickers of a puzzle in a picture, the net of a cube or box, or a drawing: places and ink.

All lengths are pixels, y downwards, from the upper left corner of the figure.
"""

import colorsys
import re
from dataclasses import dataclass
from math import sqrt

from cube import svg
from cube.drawing import Ball, Patch, Point, Shape, bounds, drawn_in, middle_of, outline
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.supercubes import Supercube, ThreeColourCube
from teaching.films.space import Space, space_of

DARK, LIGHT = "#000", "#fff"
_HSL = re.compile(r"hsl\((\d+), (\d+)%, (\d+)%\)")
_MIDDLE = 0.179
"""The luminance above which black has more contrast than white (WCAG 2, contrast ratio)."""


def ink_on(fill: str) -> str:
    """Return the colour of text.

    Args:
        fill: ``#rrggbb`` or ``hsl(h, s%, l%)``.
    """
    if match := _HSL.fullmatch(fill):
        hue, saturation, lightness = map(int, match.groups())
        red, green, blue = colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
    else:
        red, green, blue = (value / 255 for value in bytes.fromhex(fill[1:]))
    luminance = 0.2126 * _linear(red) + 0.7152 * _linear(green) + 0.0722 * _linear(blue)
    return DARK if luminance > _MIDDLE else LIGHT


def _linear(value: float) -> float:
    """Return one channel of sRGB as light."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


Sides = tuple[int, int, int]

_CUBE: Sides = (3, 3, 3)
_NET = (400.0, 288.0, 32.0)
_DRAWING = (600.0, 420.0, float("inf"))
"""Maximum width, height and scale of nets, and of the drawings of other puzzles."""
_INSET = 0.93
_LETTER, _LARGEST, _SMALLEST = 0.55, 15.0, 7.0


@dataclass(frozen=True, slots=True)
class StickerMark:
    """A sticker in the picture.

    Attributes:
        slot: Its slot.
        shape: Its outline; fill and label are not used.
        letter_px: Height of its text; 0 if none fits or is needed.
    """

    slot: int
    shape: Shape
    letter_px: float

    def letter(self, label: str, fill: str, **attributes: svg.Value) -> str:
        """Write on it, if the sticker has a colour."""
        x, y = middle_of(self.shape)
        size = round(self.letter_px)
        return svg.text(label, x, y, font_size=size, fill=ink_on(fill), **attributes)


@dataclass(frozen=True, slots=True)
class PuzzleFigure:
    """The drawing of a puzzle.

    Attributes:
        width: Width in pixels.
        height: Height in pixels.
        marks: Its stickers.
        lines: Thin lines below them.
        space: Its shape in space; None for a puzzle that is only drawn flat.
    """

    width: float
    height: float
    marks: tuple[StickerMark, ...]
    lines: tuple[tuple[Point, Point], ...]
    space: Space | None


def figure_of(puzzle: AnyPuzzle) -> PuzzleFigure:
    """Return the figure of a puzzle: of cubes and boxes the net."""
    drawing, sides = puzzle.drawn(puzzle.solved), sides_of(puzzle)
    width, height, largest = _DRAWING if sides is None else _NET
    enclosing = (point for shape in drawing.shapes.values() for point in outline(shape))
    left, upper, right, lower = bounds(enclosing)
    scale = min(width / (right - left), height / (lower - upper), largest)

    def at(point: Point) -> Point:
        return scale * (point[0] - left), scale * (point[1] - upper)

    marks = []
    for slot, shape in drawing.shapes.items():
        placed: Shape
        if isinstance(shape, Ball):
            placed = Ball(at(shape.centre), scale * shape.radius, "")
        else:
            moved = Patch(tuple(map(at, shape.points)), "")
            placed = Patch(tuple(drawn_in(moved, _INSET)), "")
        marks.append(StickerMark(slot, placed, _letter_px(placed)))
    lines = tuple((at(one), at(two)) for one, two in drawing.lines)
    size = scale * (right - left), scale * (lower - upper)
    return PuzzleFigure(*size, tuple(marks), lines, space_of(puzzle, sides))


def sides_of(puzzle: AnyPuzzle) -> Sides | None:
    """Return the side lengths in small cubes; None for other puzzles."""
    if isinstance(puzzle, Box):
        return puzzle.sides
    return _CUBE if isinstance(puzzle, (CubePuzzle, Supercube, ThreeColourCube)) else None


def _letter_px(shape: Shape) -> float:
    """Return the maximum height of a letter; 0 if it would be unreadable."""
    if isinstance(shape, Ball):
        side = 2 * shape.radius
    else:
        ends = zip(shape.points, shape.points[1:] + shape.points[:1], strict=True)
        side = sqrt(abs(sum(a * d - b * c for (a, b), (c, d) in ends)) / 2)
    height = min(_LETTER * side, _LARGEST)
    return height if height >= _SMALLEST else 0.0
