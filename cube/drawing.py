"""Pictures of cubes and other puzzles as SVG text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME, net_cells, screen_colour
from cube.svg import document, element, points, text

Point = tuple[float, float]

_CUBE = {face: SCREEN_COLOURS[colour] for face, colour in WESTERN_SCHEME.items()}
_MARGIN = 10


@dataclass(frozen=True, slots=True)
class Patch:
    """A polygon with a colour and an optional label.

    Attributes:
        points: Its corners, x to the right and y down, in any unit.
        fill: An SVG colour.
        label: Text in its middle.
    """

    points: tuple[Point, ...]
    fill: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Ball:
    """A disc with a label."""

    centre: Point
    radius: float
    fill: str
    label: str = ""


Shape = Patch | Ball


@dataclass(frozen=True, slots=True)
class Drawing:
    """A state of a puzzle as shapes.

    Attributes:
        shapes: The shapes of each slot, by its number; hidden slots have none.
        scale: Pixels per unit.
        lines: Thin lines drawn below the shapes.
    """

    shapes: Mapping[int, Shape]
    scale: float
    lines: tuple[tuple[Point, Point], ...] = ()

    def svg(self) -> str:
        """Return the drawing as an SVG document."""
        shapes = list(self.shapes.values())
        left, top, right, bottom = bounds(p for shape in shapes for p in outline(shape))

        def at(point: Point) -> Point:
            x, y = point
            across, down = self.scale * (x - left), self.scale * (y - top)
            return round(_MARGIN + across, 1), round(_MARGIN + down, 1)

        width, height = at((right, bottom))
        drawn = []
        for one, two in self.lines:
            (x1, y1), (x2, y2) = at(one), at(two)
            drawn.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="#888"))
        for shape in shapes:
            if isinstance(shape, Patch):
                corners = points(map(at, shape.points))
                drawn.append(element("polygon", points=corners, fill=shape.fill, stroke="#222"))
                x, y = at(middle_of(shape))
            else:
                x, y = at(shape.centre)
                look = {"fill": shape.fill, "stroke": "#222"}
                drawn.append(element("circle", cx=x, cy=y, r=shape.radius * self.scale, **look))
            if shape.label:
                drawn.append(text(shape.label, x, y))
        style = "text{font:12px sans-serif;text-anchor:middle;dominant-baseline:central}"
        return document((width + _MARGIN, height + _MARGIN), drawn, style=style)


def middle_of(shape: Shape) -> Point:
    """Return the point in the middle of a shape."""
    if isinstance(shape, Ball):
        return shape.centre
    points = shape.points
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def outline(shape: Shape) -> tuple[Point, ...]:
    """Return points that enclose a shape."""
    if isinstance(shape, Patch):
        return shape.points
    (x, y), r = shape.centre, shape.radius
    return (x - r, y - r), (x + r, y + r)


def bounds(points: Iterable[Point]) -> tuple[float, float, float, float]:
    """Return the left, upper, right and lower end of some points."""
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def drawn_in(patch: Patch, share: float) -> Iterator[Point]:
    """Yield the corners of a polygon, with this share of their distance from its middle."""
    x, y = middle_of(patch)
    return ((x + share * (a - x), y + share * (b - y)) for a, b in patch.points)


def colour_of(name: str, names: Sequence[str]) -> str:
    """Return a face's usual colour, or one of a series of hues, alternately light and dark."""
    if set(names) <= set(_CUBE):
        return _CUBE[name]
    number = list(names).index(name)
    hue = 360 * number // len(names)
    return f"hsl({hue}, 75%, {(62, 45)[number % 2]}%)"


def square(x: float, y: float, fill: str, label: str = "") -> Patch:
    """Return a square of side 1 with its upper left corner at a point."""
    return Patch(((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)), fill, label)


_WIDE, _HIGH = 0.87, 0.5
_IN_SIGHT: tuple[tuple[str, Point, Point, Point], ...] = (
    ("U", (0, 0), (_WIDE, _HIGH), (-_WIDE, _HIGH)),
    ("F", (-3 * _WIDE, 3 * _HIGH), (_WIDE, _HIGH), (0, 1)),
    ("R", (0, 6 * _HIGH), (_WIDE, -_HIGH), (0, 1)),
)
"""Each face in sight: its first corner, and the sides of a sticker to the right and down."""


def corner_picture(facelets: Facelets) -> str:
    """Return the faces U, F and R of 54 facelets as SVG, as they are seen in front of a corner."""
    patches = []
    for face, (x, y), right, down in _IN_SIGHT:
        for cell in range(9):
            row, column = divmod(cell, 3)
            corners = tuple(
                (x + i * right[0] + j * down[0], y + i * right[1] + j * down[1])
                for i, j in (
                    (column, row),
                    (column + 1, row),
                    (column + 1, row + 1),
                    (column, row + 1),
                )
            )
            letter = facelets.text[9 * FACES.index(face) + cell]
            patches.append(Patch(corners, colour_of(letter, FACES)))
    return Drawing(dict(enumerate(patches)), 24).svg()


def net_drawing(
    facelets: Facelets,
    labels: dict[int, str] | None = None,
    scheme: Mapping[str, str] = WESTERN_SCHEME,
) -> Drawing:
    """Draw the net of 54 facelets.

    Args:
        facelets: The stickers.
        labels: The texts of some stickers.
        scheme: The colour name of each face.
    """
    shapes = {
        i: square(column, row, screen_colour(facelets.text[i], scheme), (labels or {}).get(i, ""))
        for row, column, i in net_cells()
    }
    return Drawing(shapes, 30)
