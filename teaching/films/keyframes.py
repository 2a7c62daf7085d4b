"""An SVG document being written: elements in order, and their timelines.

It also animates properties that change instantly at given times, as CSS animations without a
script.

Elements with the same timeline share it. The animated values apply while the film runs; the
elements' own values are the last frame, for reduced motion and for programs that do not animate.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from cube import svg
from cube.drawing import Ball, Point, Shape

Change = tuple[float, str]
"""A value from some number of seconds on."""


Step = tuple[float, str, bool]
"""A share of a movement, the place from it on as a CSS transform, and whether it is seen there."""


def _short(value: float, digits: int = 4) -> str:
    return f"{max(0.0, value):.{digits}f}".rstrip("0").rstrip(".")


class Keyframes:
    """The timelines of a film."""

    def __init__(self, total_s: float) -> None:
        self._total_s = total_s
        self._names: dict[tuple[str, tuple[Change, ...]], str] = {}
        self._moving: dict[str, tuple[str, str]] = {}
        self._delays: dict[float, str] = {}

    def name(self, property_name: str, changes: Iterable[Change]) -> str:
        """Return the name of a timeline; empty if nothing changes.

        Args:
            property_name: Name of the CSS property.
            changes: The changes in order of time, the first at 0.
        """
        kept: list[Change] = []
        for change in changes:
            if not kept or kept[-1][1] != change[1]:
                kept.append(change)
        if len(kept) < 2:
            return ""
        key = (property_name, tuple(kept))
        return self._names.setdefault(key, f"t{len(self._names)}")

    def moving(self, key: str, length_s: float, steps: Sequence[Step]) -> str:
        """Return the class of a group that moves for a time and is hidden before and after.

        Args:
            key: Identifies the movement; the same one is written once.
            length_s: Its duration.
            steps: Its places, one after the other; the last one is hidden.
        """
        if key not in self._moving:
            rules, shown = [], False
            for share, place, seen in steps:
                if seen or shown:
                    kind = f"visibility:visible;transform:{place}" if seen else "visibility:hidden"
                    rules.append(f"{self._percent(share * length_s)}{{{kind}}}")
                shown = seen
            self._moving[key] = (f"k{len(self._moving)}", "".join(rules))
        return self._moving[key][0]

    def delay(self, begin_s: float) -> str:
        """Return the class of a group whose parts move from some number of seconds on."""
        return self._delays.setdefault(begin_s, f"d{len(self._delays)}")

    def css(self) -> str:
        """Return the timelines; elements whose style names them follow them."""
        rules = [
            f"[style]{{animation:{self._total_s:.2f}s step-end infinite}}",
            "@media(prefers-reduced-motion:reduce){[style]{animation:none!important}}",
        ]
        for (property_name, changes), name in self._names.items():
            at: dict[str, list[str]] = {}
            for time_s, value in changes:
                at.setdefault(value, []).append(self._percent(time_s))
            steps = "".join(
                f"{','.join(times)}{{{property_name}:{value}}}" for value, times in at.items()
            )
            rules.append(f"@keyframes {name}{{{steps}}}")
        if self._moving:
            rules.append(f".r>g{{animation:{self._total_s:.2f}s step-end infinite}}")
            rules += [
                f".{name}>g{{animation-delay:{_short(at)}s}}" for at, name in self._delays.items()
            ]
            for name, steps in self._moving.values():
                rules.append(f".r>.{name}{{animation-name:{name}}}")
                rules.append(f"@keyframes {name}{{{steps}}}")
            rules.append("@media(prefers-reduced-motion:reduce){.r>g{animation:none!important}}")
        return "\n".join(rules)

    def _percent(self, time_s: float) -> str:
        return f"{_short(100 * time_s / self._total_s, 3)}%"


def timed(*names: str) -> dict[str, str]:
    """Return the attributes of an element that follows timelines; empty names are ignored."""
    named = ",".join(name for name in names if name)
    return {"style": f"animation-name:{named}"} if named else {}


_LETTER = 6.6
"""Mean width of a letter of 13 pixels."""
_BOLD = 9.6
"""The same, bold with 16 pixels."""


@dataclass
class SvgSheet:
    """An SVG document that is being written.

    Attributes:
        keyframes: Its timelines.
        body: Its elements.
    """

    keyframes: Keyframes
    body: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, kind: str = "i", **more: svg.Value) -> None:
        """Write a line of text; `kind` is its classes."""
        self.body.append(svg.text(words, x, y, class_=kind, **more))

    def open(self, **attributes: svg.Value) -> None:
        """Begin a group."""
        self.body.append(svg.opening("g", **attributes))

    def close(self) -> None:
        """End a group."""
        self.body.append("</g>")

    def shown(self, changes: Iterable[tuple[float, bool]]) -> dict[str, str]:
        """Return the attributes of an element that is visible at times, or finally hidden."""
        seen = [(time_s, "visible" if on else "hidden") for time_s, on in changes]
        name = self.keyframes.name("visibility", seen)
        hidden = {} if seen[-1][1] == "visible" else {"visibility": "hidden"}
        return timed(name) | hidden

    def valued(self, property_name: str, changes: Sequence[Change]) -> dict[str, str]:
        """Return the attributes of an element with a changing property."""
        return timed(self.keyframes.name(property_name, changes))

    def bar(
        self, at: Point, size: tuple[float, float], shares: Sequence[tuple[float, float]]
    ) -> None:
        """Draw a bar whose filled part (0 to 1) changes over time."""
        (x, y), (width, height) = at, size
        box = {"width": width, "height": height}
        scales = [(time_s, f"scaleX({share:.4f})") for time_s, share in shares]
        moving = self.valued("transform", scales)
        self.open(transform=f"translate({x:g} {y:g})")
        self.body.append(svg.element("rect", class_="b", **box))
        full = f"scale({shares[-1][1]:.4f} 1)"
        self.body.append(svg.element("rect", class_="f", transform=full, **box, **moving))
        self.close()


def seen_in_turn(starts: Sequence[float]) -> list[list[tuple[float, bool]]]:
    """Return when each of several elements is visible, one after the other.

    Args:
        starts: When each appears, the first at 0; the last one stays.
    """
    found = []
    for number, start in enumerate(starts):
        changes = [(start, True)] if start == 0 else [(0.0, False), (start, True)]
        if number + 1 < len(starts):
            changes.append((starts[number + 1], False))
        found.append(changes)
    return found


def lines_of(text: str, width: float, *, bold: bool = False) -> list[str]:
    """Return a text in lines of some pixels; bold ones are larger, too."""
    return wrap(text, int(width / (_BOLD if bold else _LETTER))) if text else []


def shape_element(shape: Shape, offset: Point, **attributes: svg.Value) -> str:
    """Return a shape as an SVG element."""
    left, top = offset
    if isinstance(shape, Ball):
        x, y = shape.centre
        return svg.element("circle", cx=left + x, cy=top + y, r=shape.radius, **attributes)
    corners = svg.points((left + x, top + y) for x, y in shape.points)
    return svg.element("polygon", points=corners, **attributes)
