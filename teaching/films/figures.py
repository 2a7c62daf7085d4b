"""The positions of a puzzle's stickers: a cube or box from two sides and its net, or a drawing.

All lengths are pixels, y downwards, from the upper left corner of the figure.

It also chooses dark or light text on a coloured sticker, whichever has more contrast.
"""

import colorsys
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape

from cube import svg
from cube.drawing import Ball, Drawing, Patch, Point, Shape, bounds, drawn_in, middle_of, outline
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
Vector = tuple[int, int, int]
Place = tuple[float, float, float]
Slant = tuple[float, float, float, float]
"""Directions of the right and the down of a face in the picture: a, b, c, d of an SVG matrix."""

_CUBE: Sides = (3, 3, 3)
_WIDTH, _UNIT, _GAP = 400.0, 32.0, 18.0
_WIDE, _HIGH = 600.0, 420.0
_INSET = 0.93
_LETTER, _LARGEST, _SMALLEST = 0.55, 15.0, 7.0
_RIGHT, _DOWN = cos(pi / 6), sin(pi / 6)
_RIMS = (
    ((0, 1, 0), (1, 1, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1), (0, 1, 1)),
    ((1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 0, 0)),
)
"""The corners around the visible part from either side."""
_SEEN = ("URF", "DLB")
_FROM = ("film.from_above", "film.from_below")
"""The faces visible from the right in front above, and from the left behind below."""


@dataclass(frozen=True, slots=True)
class StickerMark:
    """A sticker in the picture; one slot may have several.

    Attributes:
        slot: Its slot.
        shape: Its outline; fill and label are not used.
        letter_px: Height of its text; 0 if none fits or is needed.
        slant: Direction of the text on a face that is seen at an angle.
    """

    slot: int
    shape: Shape
    letter_px: float
    slant: Slant | None = None

    def letter(
        self, label: str, fill: str, offset: Point = (0.0, 0.0), **attributes: svg.Value
    ) -> str:
        """Write on it, if the sticker has a colour; its figure is at an offset."""
        x, y = middle_of(self.shape)
        x, y = x + offset[0], y + offset[1]
        place: dict[str, svg.Value] = {"x": x, "y": y}
        if self.slant:
            a, b, c, d = self.slant
            place = {"transform": f"matrix({a:.3f} {b:.3f} {c:.3f} {d:.3f} {x:.1f} {y:.1f})"}
        place |= {"font_size": round(self.letter_px), "fill": ink_on(fill)}
        return svg.element("text", escape(label), **place, **attributes)


@dataclass(frozen=True, slots=True)
class PuzzleFigure:
    """The drawing of a puzzle.

    Attributes:
        width: Width in pixels.
        height: Height in pixels.
        marks: Its stickers.
        lines: Thin lines below them.
        backs: The cube's body behind the stickers, dark polygons.
        words: Texts beside them: the middle of the line, and the key of the text.
        net: The net alone; None for a puzzle that is not a box.
        space: Its shape in space; None for a puzzle that is only drawn flat.
    """

    width: float
    height: float
    marks: tuple[StickerMark, ...]
    lines: tuple[tuple[Point, Point], ...] = ()
    backs: tuple[tuple[Point, ...], ...] = ()
    words: tuple[tuple[Point, str], ...] = ()
    net: "PuzzleFigure | None" = None
    space: Space | None = None


def figure_of(puzzle: AnyPuzzle) -> PuzzleFigure:
    """Return the figure of a puzzle: cubes and boxes from two sides above their net."""
    drawing = puzzle.drawn(puzzle.solved)
    sides = sides_of(puzzle)
    space = space_of(puzzle, sides)
    if sides is None:
        return replace(_fitted(drawing, _WIDE, _HIGH, 0.0, inset=_INSET), space=space)
    solid = _solid(sides)
    below, alone = (
        _fitted(drawing, _WIDTH, 9 * _UNIT, top, inset=_INSET, unit=_UNIT)
        for top in (solid.height + _GAP, 0.0)
    )
    backs = (*solid.backs, *_net_backs(sides, below))
    marks = (*solid.marks, *below.marks)
    net = replace(alone, backs=tuple(_net_backs(sides, alone)))
    return PuzzleFigure(_WIDTH, below.height, marks, (), backs, solid.words, net, space)


def sides_of(puzzle: AnyPuzzle) -> Sides | None:
    """Return the side lengths in small cubes; None for other puzzles."""
    if isinstance(puzzle, Box):
        return puzzle.sides
    return _CUBE if isinstance(puzzle, (CubePuzzle, Supercube, ThreeColourCube)) else None


def _fitted(
    drawing: Drawing,
    width: float,
    height: float,
    top: float,
    *,
    inset: float,
    unit: float | None = None,
) -> PuzzleFigure:
    """Return a drawing, scaled to fit, in the middle of the width."""
    enclosing = (point for shape in drawing.shapes.values() for point in outline(shape))
    left, upper, right, lower = bounds(enclosing)
    fits = min(width / (right - left), height / (lower - upper))
    scale = min(unit or fits, fits)
    begin = (width - scale * (right - left)) / 2

    def at(point: Point) -> Point:
        return begin + scale * (point[0] - left), top + scale * (point[1] - upper)

    marks = []
    for slot, shape in drawing.shapes.items():
        placed: Shape
        if isinstance(shape, Ball):
            placed = Ball(at(shape.centre), scale * shape.radius, "")
        else:
            moved = Patch(tuple(map(at, shape.points)), "")
            placed = Patch(tuple(drawn_in(moved, inset)), "")
        marks.append(StickerMark(slot, placed, _letter_px(placed)))
    lines = tuple((at(one), at(two)) for one, two in drawing.lines)
    return PuzzleFigure(width, top + scale * (lower - upper), tuple(marks), lines)


def _views(sides: Sides) -> tuple[Point, float, tuple[float, float]]:
    """Return the size of a box in the picture, the length of a small cube, and where views begin.

    The size is in small cubes.
    """
    across, up = (sides[0] + sides[2]) * _RIGHT, (sides[0] + sides[2]) * _DOWN + sides[1]
    scale = min(_UNIT, (_WIDTH - _GAP) / 2 / across, 6 * _UNIT / up)
    gap = (_WIDTH - 2 * scale * across) / 3
    return (across, up), scale, (gap, 2 * gap + scale * across)


@dataclass(frozen=True, slots=True)
class BoxView:
    """One of the two views of a box: from the right in front above, and opposite.

    Attributes:
        sides: The side lengths of the box in small cubes.
        number: 0 for the first view, 1 for the opposite one.
        scale: Length of a small cube, pixels.
        left: Left edge, pixels.
    """

    sides: Sides
    number: int
    scale: float
    left: float

    def at(self, x: float, y: float, z: float) -> Point:
        """Return a point of the box in the picture; the origin is left, below and behind."""
        across, down = _seen((x, y, z), self.sides, self.number)
        return self.left + self.scale * across, self.scale * down

    def rim(self, low: Place, high: Place) -> tuple[Point, ...]:
        """Return the outline of a part of the box, between two corners."""
        ends = (low, high)
        return tuple(self.at(ends[x][0], ends[y][1], ends[z][2]) for x, y, z in _RIMS[self.number])


def box_views(sides: Sides) -> tuple[BoxView, BoxView]:
    """Return the views of a box in its figure."""
    _, scale, (one, other) = _views(sides)
    return BoxView(sides, 0, scale, one), BoxView(sides, 1, scale, other)


def _solid(sides: Sides) -> PuzzleFigure:
    """Draw a box from two opposite corners, side by side."""
    (across, up), scale, _ = _views(sides)
    marks, backs, words = [], [], []
    for view, faces in zip(box_views(sides), _SEEN, strict=True):
        middle = view.left + scale * across / 2
        words.append(((middle, scale * up + 12), _FROM[view.number]))
        backs.append(view.rim((0, 0, 0), sides))
        for slot, face, corners in box_stickers(sides):
            if face not in faces:
                continue
            whole = Patch(tuple(view.at(*corner) for corner in corners), "")
            placed = Patch(tuple(drawn_in(whole, _INSET)), "")
            (x0, y0), (x1, y1), _, (x3, y3) = (_seen(at, sides, view.number) for at in corners)
            slant = (x1 - x0, y1 - y0, x3 - x0, y3 - y0)
            marks.append(StickerMark(slot, placed, _letter_px(placed), slant))
    return PuzzleFigure(_WIDTH, scale * up + 16, tuple(marks), (), tuple(backs), tuple(words))


def _net_backs(sides: Sides, net: PuzzleFigure) -> Iterator[tuple[Point, ...]]:
    """Return the outline of each face of a net."""
    faces: dict[str, list[Point]] = {}
    own = {mark.slot: mark.shape for mark in net.marks}
    for slot, face, _ in box_stickers(sides):
        faces.setdefault(face, []).extend(outline(own[slot]))
    for points in faces.values():
        left, upper, right, lower = bounds(points)
        left, upper, right, lower = left - 1, upper - 1, right + 1, lower + 1
        yield (left, upper), (right, upper), (right, lower), (left, lower)


def _seen(point: Place, sides: Sides, view: int) -> Point:
    """Return a point of a box in the picture, the box's upper left corner at the origin."""
    (x, y, z), (width, height, depth) = point, sides
    if view == 0:
        return _RIGHT * (x - z + depth), _DOWN * (x + z) + height - y
    return _RIGHT * (z - x + width), _DOWN * (x + z) + height - y


def box_stickers(sides: Sides) -> Iterator[tuple[int, str, tuple[Vector, ...]]]:
    """Yield number, face and corners of the stickers, faces as URFDLB, row by row, clockwise."""
    width, height, depth = sides
    right, left, down, front, back = (1, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)
    faces: dict[str, tuple[Vector, Vector, int, Vector, int]] = {
        "U": ((0, height, 0), right, width, front, depth),
        "R": ((width, height, depth), back, depth, down, height),
        "F": ((0, height, depth), right, width, down, height),
        "D": ((0, 0, depth), right, width, back, depth),
        "L": ((0, height, 0), front, depth, down, height),
        "B": ((width, height, 0), left, width, down, height),
    }
    slot = 0
    for face, (origin, along, columns, below, rows) in faces.items():
        for row in range(rows):
            for column in range(columns):
                ends = ((0, 0), (1, 0), (1, 1), (0, 1))
                corners = tuple(
                    _sum(origin, along, column + right_end, below, row + lower_end)
                    for right_end, lower_end in ends
                )
                yield slot, face, corners
                slot += 1


def _sum(origin: Vector, along: Vector, columns: int, below: Vector, rows: int) -> Vector:
    x, y, z = (o + columns * a + rows * b for o, a, b in zip(origin, along, below, strict=True))
    return x, y, z


def _letter_px(shape: Shape) -> float:
    """Return the maximum height of a letter; 0 if it would be unreadable."""
    if isinstance(shape, Ball):
        side = 2 * shape.radius
    else:
        ends = zip(shape.points, shape.points[1:] + shape.points[:1], strict=True)
        side = sqrt(abs(sum(a * d - b * c for (a, b), (c, d) in ends)) / 2)
    height = min(_LETTER * side, _LARGEST)
    return height if height >= _SMALLEST else 0.0


def slots_of(figure: PuzzleFigure) -> Mapping[int, tuple[StickerMark, ...]]:
    """Return the marks of each slot."""
    found: dict[int, tuple[StickerMark, ...]] = {}
    for mark in figure.marks:
        found[mark.slot] = (*found.get(mark.slot, ()), mark)
    return found
