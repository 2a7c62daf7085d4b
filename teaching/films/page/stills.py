"""A puzzle's figure in a page: the one that is played, and small still ones."""

from xml.sax.saxutils import escape, quoteattr

from cube.drawing import Ball, Patch, Shape, middle_of
from teaching.films.figures import StickerMark, outline
from teaching.films.film import FilmLane
from teaching.films.ink import ink_on
from teaching.films.svg.sheet import element

_MARGIN = 3.0
_NET = 400.0
"""Figures that are wider have small stickers."""


def figure_svg(lane: FilmLane) -> str:
    """The figure with its first frame; each sticker can be found by its slot."""
    figure, frame = lane.figure, lane.frames[0]
    drawn = [element(Patch(back, ""), (0, 0), ' class="back"') for back in figure.backs]
    for (x1, y1), (x2, y2) in figure.lines:
        drawn.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    for (x, y), words in figure.words:
        drawn.append(f'<text class="words" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>')
    for mark in figure.marks:
        look = frame.looks[mark.slot]
        drawn.append(element(mark.shape, (0, 0), f' data-slot="{mark.slot}" fill="{look.fill}"'))
        if mark.letter_px:
            drawn.append(
                f'<text data-letter="{mark.slot}" {_place(mark)} font-size="{mark.letter_px:.0f}" '
                f'fill="{ink_on(look.fill)}">{escape(look.label)}</text>'
            )
    box = (
        f"{-_MARGIN} {-_MARGIN} {figure.width + 2 * _MARGIN:.0f} {figure.height + 2 * _MARGIN:.0f}"
    )
    name = quoteattr(f"{lane.name}: the puzzle, sticker by sticker")
    body = "\n".join(drawn)
    return f'<svg class="figure" viewBox="{box}" role="img" aria-label={name}>\n{body}\n</svg>'


def still_svg(lane: FilmLane, number: int, name: str) -> str:
    """A small picture of one frame, of a cube its net alone."""
    marks = [mark for mark in lane.figure.marks if mark.slant is None]
    points = [point for mark in marks for point in outline(mark.shape)]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    right, bottom = max(x for x, _ in points), max(y for _, y in points)
    figure = lane.figure
    lines = "".join(f"M{a:.0f} {b:.0f}L{c:.0f} {d:.0f}" for (a, b), (c, d) in figure.lines)
    drawn = f'<path fill="none" d="{lines}"/>' if lines else ""
    paths: dict[str, list[str]] = {}
    for mark in marks:
        fill = lane.frames[number].looks[mark.slot].fill
        paths.setdefault(fill, []).append(_path(mark.shape))
    drawn += "".join(f'<path fill="{fill}" d="{"".join(each)}"/>' for fill, each in paths.items())
    letters = "".join(_still_letter(lane, number, mark) for mark in marks if mark.letter_px)
    box = f"{left - 2:.0f} {top - 2:.0f} {right - left + 4:.0f} {bottom - top + 4:.0f}"
    kind = "still wide" if figure.width > _NET else "still"
    return (
        f'<svg class="{kind}" viewBox="{box}" role="img" aria-label={quoteattr(name)}>'
        f"{drawn}{letters}</svg>"
    )


def _still_letter(lane: FilmLane, number: int, mark: StickerMark) -> str:
    look = lane.frames[number].looks[mark.slot]
    place = f'{_place(mark)} font-size="{mark.letter_px:.0f}" fill="{ink_on(look.fill)}"'
    return f"<text {place}>{escape(look.label)}</text>" if look.label else ""


def _place(mark: StickerMark) -> str:
    x, y = middle_of(mark.shape)
    if mark.slant is None:
        return f'x="{x:.0f}" y="{y:.0f}"'
    a, b, c, d = mark.slant
    return f'transform="matrix({a:.3f} {b:.3f} {c:.3f} {d:.3f} {x:.1f} {y:.1f})"'


def _path(shape: Shape) -> str:
    """An outline as a part of a path."""
    if isinstance(shape, Ball):
        (x, y), r = shape.centre, shape.radius
        half = f"a{r:.0f} {r:.0f} 0 1 0"
        return f"M{x - r:.0f} {y:.0f}{half} {2 * r:.0f} 0{half} {-2 * r:.0f} 0z"
    first, *others = (f"{x:.0f} {y:.0f}" for x, y in shape.points)
    return f"M{first}L{' '.join(others)}z"
