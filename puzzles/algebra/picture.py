"""A picture of a word's effect: the solved puzzle, with arrows from place to place.

The arrows follow one sticker of each cycle until it is back. If pieces come back twisted, it takes
several rounds, over their other stickers. Parts that do not move are pale.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import hypot, pi, sin

from cube.drawing import Drawing, Patch, Point, bounds, drawn_in, outline
from cube.svg import document, element, points, text
from puzzles.algebra.cycles import Cycle, Element

_MARGIN, _ROW = 14, 20
_TITLE = 30
_LETTER = 7.2
_BEND, _SHORT = 0.14, 0.18
_HEAD = 8.0
_INSET = 0.9
"""Rims of neighbours must not cover each other."""
_STYLE = """\
svg{color-scheme:light dark}
.ground{fill:#ffffff}.halo{stroke:#ffffff;fill:none}.ink{fill:#1b1f24}.line{stroke:#8a929c}
text{font:13px sans-serif}
.label{font-size:11px;text-anchor:middle;dominant-baseline:central}.dark{fill:#111}
.still{opacity:.22}.rim{stroke-width:3;fill-opacity:.75}.plain{stroke:#3a4048}
@media(prefers-color-scheme:dark){.ground{fill:#14171b}.halo{stroke:#14171b}.ink{fill:#e8eaed}}"""


def draw_word(
    told: tuple[str, str], drawing: Drawing, moved: Element, named: Mapping[str, str]
) -> str:
    """Draw the effect of a word.

    Args:
        told: Its letters, and the text that nothing moves.
        drawing: The solved puzzle.
        moved: The effect of the word.
        named: What to call each kind of pieces.

    Returns:
        A self-contained SVG document, for light and dark pages.
    """
    word, nothing = told
    cycles = [(named[kind.name], cycle) for kind in moved.kinds for cycle in kind.cycles]
    sheet = _Sheet(drawing)
    rims: dict[int, str] = {}
    for number, (_, cycle) in enumerate(cycles):
        rims |= dict.fromkeys((s for row in cycle.slots for s in row), _hue(number, len(cycles)))
    body = [*sheet.lines(), *sheet.stickers(rims)]
    for number, (_, cycle) in enumerate(cycles):
        body += sheet.arrows(_way(cycle), _hue(number, len(cycles)))
    rows = [(name, str(cycle)) for name, cycle in cycles] or [("", nothing)]
    top = sheet.bottom + _ROW
    for number, row in enumerate(rows):
        y = top + _ROW * number
        if cycles:
            hue = _hue(number, len(cycles))
            body.append(element("circle", cx=_MARGIN + 5, cy=y - 4, r=5, fill=hue))
        body.append(text(" ".join(row).strip(), _MARGIN + 18, y, class_="ink"))
    longest = max(len(" ".join(row)) for row in [*rows, ("", word)])
    width = max(sheet.right + _MARGIN, _MARGIN + 32 + _LETTER * longest)
    height = top + _ROW * (len(rows) - 1) + _MARGIN
    about = (word, "; ".join(" ".join(row).strip() for row in rows))
    body.insert(0, text(word, _MARGIN, _TITLE - 8, class_="ink"))
    ground = {"class_": "ground"}
    return document((width, height), body, style=_STYLE, ground=ground, about=about)


def _way(cycle: Cycle) -> list[int]:
    """Return the slots that the first sticker of a cycle passes until it is back."""
    found: list[int] = []
    sticker = 0
    while not found or sticker:
        found += [row[sticker] for row in cycle.slots]
        sticker = cycle.twist[sticker]
    return [*found, found[0]]


def _hue(number: int, count: int) -> str:
    """Return one of a number of colours that are distinct on light and on dark backgrounds."""
    return f"hsl({360 * number // count + 210 * (count > 1)}, 85%, {(42, 52)[number % 2]}%)"


class _Sheet:
    """The shapes of a drawing on the page, in pixels."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        enclosing = (p for shape in drawing.shapes.values() for p in outline(shape))
        self._left, self._top, *end = bounds(enclosing)
        self.right, self.bottom = self._at((end[0], end[1]))

    def _at(self, point: Point) -> Point:
        scale = self._drawing.scale
        x, y = point
        return (
            round(_MARGIN + scale * (x - self._left), 1),
            round(_TITLE + scale * (y - self._top), 1),
        )

    def lines(self) -> list[str]:
        """Draw the thin lines below everything."""
        ends = ((self._at(one), self._at(two)) for one, two in self._drawing.lines)
        return [
            element("line", class_="line", x1=x1, y1=y1, x2=x2, y2=y2)
            for (x1, y1), (x2, y2) in ends
        ]

    def stickers(self, rims: dict[int, str]) -> list[str]:
        """Draw the stickers; those that move have a rim in the colour of their cycle."""
        drawn = []
        for slot, shape in self._drawing.shapes.items():
            rim = rims.get(slot)
            look = {"class_": "rim", "stroke": rim} if rim else {"class_": "plain still"}
            look |= {"fill": shape.fill}
            middle = self._drawing.middle(slot)
            assert middle is not None
            x, y = self._at(middle)
            if isinstance(shape, Patch):
                corners = points(map(self._at, drawn_in(shape, _INSET)))
                drawn.append(element("polygon", points=corners, **look))
            else:
                radius = shape.radius * self._drawing.scale
                drawn.append(element("circle", cx=x, cy=y, r=radius, **look))
            if shape.label:
                ink = "label dark" if rim else "label ink"
                drawn.append(text(shape.label, x, y, class_=ink))
        return drawn

    def arrows(self, way: Sequence[int], colour: str) -> list[str]:
        """Draw arrows from slot to slot, except those to or from hidden slots."""
        drawn = []
        for slot, there in pairwise(way):
            one, two = self._drawing.middle(slot), self._drawing.middle(there)
            if one is not None and two is not None and one != two:
                drawn += _arrow(self._at(one), self._at(two), colour)
        return drawn


def _arrow(one: Point, two: Point, colour: str) -> list[str]:
    """Draw a bent arrow with a light border, visible on any sticker."""
    (x1, y1), (x2, y2) = one, two
    length = hypot(x2 - x1, y2 - y1)
    right, down = (x2 - x1) / length, (y2 - y1) / length
    # beside the straight line, so that opposite arrows do not cover each other
    cx = (x1 + x2) / 2 - _BEND * length * down
    cy = (y1 + y2) / 2 + _BEND * length * right
    short = min(_SHORT * length, 5.0)
    bx, by = x1 + short * right, y1 + short * down
    tip_length = hypot(x2 - cx, y2 - cy)
    ux, uy = (x2 - cx) / tip_length, (y2 - cy) / tip_length
    tx, ty = x2 - short * ux, y2 - short * uy
    ex, ey = tx - _HEAD * ux, ty - _HEAD * uy
    side = _HEAD * sin(pi / 6)
    path = f"M{bx:.1f} {by:.1f}Q{cx:.1f} {cy:.1f} {ex:.1f} {ey:.1f}"
    wings = ((ex - side * uy, ey + side * ux), (ex + side * uy, ey - side * ux))
    head = points(((tx, ty), *wings))
    return [
        element("path", class_="halo", stroke_width=5, d=path),
        element("polygon", class_="halo", stroke_width=2.5, points=head),
        element("path", d=path, fill="none", stroke=colour, stroke_width=2.5),
        element("polygon", points=head, fill=colour),
    ]
