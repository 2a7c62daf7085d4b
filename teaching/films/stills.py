"""Still pictures: one moment of a film, and an SVG document with the puzzle after each stage."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from cube import svg
from cube.drawing import Ball, Shape
from teaching.films.film import Film

_RIM = 3.0


def still(film: Film, number: int, name: str, **attributes: svg.Value) -> str:
    """Draw the puzzle at one moment, with a name for screen readers.

    Returns:
        An SVG element; each sticker has its slot as ``data-slot``, its text as ``data-letter``.
    """
    figure, looks = film.figure, film.frames[number].looks
    drawn = [svg.element("line", x1=x1, y1=y1, x2=x2, y2=y2) for (x1, y1), (x2, y2) in figure.lines]
    for mark in figure.marks:
        look = looks[mark.slot]
        drawn.append(_shape(mark.shape, data_slot=mark.slot, fill=look.fill))
        if mark.letter_px:
            drawn.append(mark.letter(look.label, look.fill, data_letter=mark.slot))
    width, height = figure.width + 2 * _RIM, figure.height + 2 * _RIM
    box = f"{-_RIM} {-_RIM} {width:.0f} {height:.0f}"
    body = "\n".join(["", *drawn, ""])
    return svg.element("svg", body, viewBox=box, role="img", aria_label=name, **attributes)


def _shape(shape: Shape, **attributes: svg.Value) -> str:
    if isinstance(shape, Ball):
        x, y = shape.centre
        return svg.element("circle", cx=x, cy=y, r=shape.radius, **attributes)
    return svg.element("polygon", points=svg.points(shape.points), **attributes)


_MARGIN, _BETWEEN = 24.0, 24.0
_PICTURE, _TEXT, _GAUGES = 240.0, 460.0, 380.0
"""Widths of the three columns: the puzzle, its stage in words, and what is left to do."""
_LINE, _LETTER, _SAID = 18.0, 7.6, 78.0
_STYLE = """\
svg{color-scheme:light dark}
text{font-family:system-ui,sans-serif;font-size:13px}
.h{font-size:20px;font-weight:600}.n{font-size:15px;font-weight:600}
.g{fill:#fff}.i{fill:#1b1f24}.d{fill:#57606a}.z{fill:#1a7f37}.w{fill:#b35900}
line,[data-slot]{stroke:#8a929c;stroke-width:.6}
.still text{text-anchor:middle;dominant-baseline:central}
@media(prefers-color-scheme:dark){.g{fill:#14171b}.i{fill:#e8eaed}.d{fill:#a3acb5}
.z{fill:#57c478}.w{fill:#ffab5e}}"""


def stills_svg(film: Film) -> str:
    """Draw a film as a still picture: before the first turn, and after each stage.

    Returns:
        An SVG document without scripts and animations, for light and dark pages.
    """
    wide = _PICTURE + _BETWEEN + _TEXT
    if film.gauges:
        wide += _BETWEEN + _GAUGES
    body = [svg.text(film.title, _MARGIN, 34, class_="i h")]
    top = _written(body, film.subtitle, (_MARGIN, 40), wide, "d") + _LINE
    bottom = _moments(body, film, (_MARGIN, top))
    return svg.document(
        (2 * _MARGIN + wide, bottom + _MARGIN),
        body,
        style=_STYLE,
        ground={"class_": "g"},
        about=(film.title, film.labelled(film.name, film.verdict)),
    )


Place = tuple[float, float]


def _written(body: list[str], text: str, at: Place, width: float, kind: str = "i") -> float:
    """Write a text in lines that fit; return the lower end."""
    x, y = at
    for line in wrap(text, int(width / _LETTER)):
        y += _LINE
        body.append(svg.text(line, x, y, class_=kind))
    return y


def _moments(body: list[str], film: Film, at: Place) -> float:
    """Draw a puzzle at each of its moments, one below the other; return the lower end."""
    x, y = at
    y = _moment(body, film, 0, (x, y), _opening(film))
    first = 0
    for number, chapter in enumerate(film.chapters):
        turns = "  ".join(frame.move for frame in film.frames[first + 1 : chapter.last + 1])
        told = (
            (film.headline(number), "i n"),
            (turns or film.words("film.no_turns"), "i"),
            (chapter.caption, "d"),
            (film.settled(chapter), "z"),
        )
        y = _moment(body, film, chapter.last, (x, y), told)
        first = chapter.last
    y = _written(body, film.verdict, (x, y - 8), _PICTURE + _TEXT, "z n" if film.turns else "d n")
    return _written(body, film.note, (x, y), _PICTURE + _TEXT, "d")


Told = tuple[str, str]
"""A text, and the classes of its lines."""


def _opening(film: Film) -> Iterator[Told]:
    """Yield what is said beside the first picture."""
    yield film.words("film.start") if film.turns else "", "i n"
    if film.kept:
        yield film.words("film.kept"), "d"
    for kept in film.kept:
        yield film.labelled(kept.name, kept.said(film.words)), "w" if kept.differs else "i"
    yield " · ".join(f"{look.label} {words}" for look, words in film.legend), "d"


def _moment(
    body: list[str], film: Film, number: int, at: Place, told: Iterator[Told] | Sequence[Told]
) -> float:
    """Draw one moment, with its texts and gauges beside it; return the lower end."""
    (x, y), frame = at, film.frames[number]
    high = _PICTURE * film.figure.height / film.figure.width
    name = film.words("film.drawn", name=film.name)
    place = {"x": x, "y": y, "width": _PICTURE, "height": high}
    body.append(still(film, number, name, class_="still", data_frame=number, **place))
    beside, below = x + _PICTURE + _BETWEEN, y - 4
    for text, kind in told:
        below = _written(body, text, (beside, below), _TEXT, kind)
    beside, under = beside + _TEXT + _BETWEEN, y - 4
    for gauge, level in zip(film.gauges, frame.levels, strict=bool(frame.levels)):
        under += _LINE
        said, kind = (f"✓ {level.said}", "z") if not level.left else (level.said, "i")
        label = f"{gauge.mark} {gauge.text}".strip()
        body.append(svg.text(said, beside, under, class_=kind, data_gauge=gauge.text))
        body.append(svg.text(label, beside + _SAID, under, class_="d"))
    return max(y + high, below, under) + _BETWEEN
