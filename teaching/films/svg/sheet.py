"""What is written of an SVG document: elements in order, and the timelines that they follow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from xml.sax.saxutils import escape

from cube.drawing import Ball, Point, Shape
from teaching.films.svg.keyframes import Change, Keyframes, timed

_LETTER = 6.6
"""Mean width of a letter of 13 pixels."""
_BOLD = 9.6
"""The same, bold and of 16 pixels."""


@dataclass
class SvgSheet:
    """An SVG document that is being written.

    Attributes:
        keyframes: Its timelines.
        body: Its elements.
    """

    keyframes: Keyframes
    body: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, kind: str = "i", attributes: str = "") -> None:
        """A line of text; `kind` is its classes."""
        self.body.append(
            f'<text class="{kind}" x="{x:g}" y="{y:g}"{attributes}>{escape(words)}</text>'
        )

    def open(self, attributes: str) -> None:
        """Begin a group."""
        self.body.append(f"<g{attributes}>")

    def close(self) -> None:
        """End a group."""
        self.body.append("</g>")

    def shown(self, changes: Iterable[tuple[float, bool]]) -> str:
        """The attributes of what is seen at times only; what is not seen at the end is hidden."""
        seen = [(time_s, "visible" if on else "hidden") for time_s, on in changes]
        name = self.keyframes.name("visibility", seen)
        hidden = "" if seen[-1][1] == "visible" else ' visibility="hidden"'
        return timed(name) + hidden

    def valued(self, property_name: str, changes: Sequence[Change]) -> str:
        """The attributes of what has a property that changes."""
        return timed(self.keyframes.name(property_name, changes))

    def bar(
        self, at: Point, size: tuple[float, float], shares: Sequence[tuple[float, float]]
    ) -> None:
        """A bar of which a part is full, from time to time another one (0 to 1)."""
        (x, y), (width, height) = at, size
        box = f'width="{width:g}" height="{height:g}"'
        scales = [(time_s, f"scaleX({share:.4f})") for time_s, share in shares]
        moving = self.valued("transform", scales)
        self.open(f' transform="translate({x:g} {y:g})"')
        self.body.append(f'<rect class="b" {box}/>')
        self.body.append(
            f'<rect class="f" transform="scale({shares[-1][1]:.4f} 1)" {box}{moving}/>'
        )
        self.close()


def seen_in_turn(starts: Sequence[float]) -> list[list[tuple[float, bool]]]:
    """When each of several things is seen that take turns.

    Args:
        starts: When each begins to be seen, the first at 0; the last one stays.
    """
    found = []
    for number, start in enumerate(starts):
        changes = [(start, True)] if start == 0 else [(0.0, False), (start, True)]
        if number + 1 < len(starts):
            changes.append((starts[number + 1], False))
        found.append(changes)
    return found


def lines_of(text: str, width: float, *, bold: bool = False) -> list[str]:
    """A text in lines of so many pixels; bold ones are larger, too."""
    return wrap(text, int(width / (_BOLD if bold else _LETTER))) if text else []


def element(shape: Shape, offset: Point, attributes: str) -> str:
    """A shape as an SVG element."""
    left, top = offset
    if isinstance(shape, Ball):
        x, y = shape.centre
        at = f'cx="{left + x:.1f}" cy="{top + y:.1f}" r="{shape.radius:.1f}"'
        return f"<circle {at}{attributes}/>"
    points = " ".join(f"{left + x:.1f},{top + y:.1f}" for x, y in shape.points)
    return f'<polygon points="{points}"{attributes}/>'
