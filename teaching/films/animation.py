"""A film as an SVG document that plays in an endless loop, in a browser or on a page.

It loads nothing and has no script, so it also runs in an ``<img>``. With the setting for reduced
motion, the last frame is shown.
"""

from cube.drawing import Patch, Point
from cube.svg import document, element
from teaching.films.animated_stages import draw_stages
from teaching.films.figures import StickerMark
from teaching.films.film import Film, FilmClock, FilmLane, StickerLook, Times, clock_of
from teaching.films.keyframes import Keyframes, SvgSheet, lines_of, shape_element, timed
from teaching.films.turning_layers import LayerSheet, layer_turns

Place = tuple[float, float]
_GAUGE_LINE, _ROW = 18.0, 24.0
_MARK, _BAR, _SAID = 44.0, (84.0, 12.0), 74.0
_LETTER = 6.4


def draw_gauges(sheet: SvgSheet, lane: FilmLane, times: Times, at: Place, width: float) -> float:
    """Draw the rest of each gauge, as a bar and as a number; return the lower end."""
    x, y = at
    for number, gauge in enumerate(lane.gauges):
        levels = [frame.levels[number] for frame in lane.frames]
        y += _ROW
        sheet.text(x, y, gauge.mark, "d")
        sheet.text(x + (_MARK if gauge.mark else 0.0), y, gauge.text)
        shares = [
            (time_s, min(1.0, level.left / max(1, gauge.most)))
            for time_s, level in zip(times.changes, levels, strict=True)
        ]
        sheet.bar((x + width - _SAID - _BAR[0] - 12, y - 10), _BAR, shares)
        for said in dict.fromkeys(level.said for level in levels):
            pairs = list(zip(times.changes, levels, strict=True))
            zero = any(level.said == said and not level.left for level in levels)
            seen = sheet.shown((time_s, level.said == said) for time_s, level in pairs)
            words, kind = (f"✓ {said}", "z") if zero else (said, "i")
            sheet.text(x + width - _SAID, y, words, kind, data_gauge=number, **seen)
    for line in lines_of(lane.note, width):
        y += _GAUGE_LINE
        sheet.text(x, y + 6, line, "d")
    return y + 6


def draw_kept(sheet: SvgSheet, lane: FilmLane, at: Place, width: float) -> float:
    """Draw the invariants, here and at the end of the path; return the lower end."""
    x, y = at
    if not lane.kept:
        return y
    y += _ROW
    sheet.text(x, y, lane.words("film.kept"), "d")
    for kept in lane.kept:
        for line in lines_of(lane.labelled(kept.name, kept.said(lane.words)), width - 12):
            y += _GAUGE_LINE
            sheet.text(x + 12, y, line, "w" if kept.differs else "i")
    return y


def draw_legend(sheet: SvgSheet, lane: FilmLane, at: Place) -> float:
    """Draw the letters of the colours; return the lower end."""
    x, y = at
    left = x
    for look, words in lane.legend:
        box = {"x": left, "y": y - 11, "width": 12, "height": 12}
        sheet.body.append(element("rect", fill=look.fill, class_="l", **box))
        sheet.text(left + 16, y, f"{look.label} {words}", "d")
        left += 36 + _LETTER * len(words)
    return y + 8


_MOST_LETTERS = 12_000
"""Above this number of changes of letters, only the colours change, so that the file stays small.
"""
_RIM = 0.95


def draw_figure(sheet: SvgSheet, lane: FilmLane, times: Times, offset: Point) -> None:
    """Draw the figure of a lane at an offset."""
    left, top = offset
    figure = lane.figure
    for (x1, y1), (x2, y2) in figure.lines:
        ends = {"x1": left + x1, "y1": top + y1, "x2": left + x2, "y2": top + y2}
        sheet.body.append(element("line", class_="l", **ends))
    shown = {slot: _shown(lane, times, slot) for slot in {mark.slot for mark in figure.marks}}
    lettered = sum(map(len, shown.values())) <= _MOST_LETTERS
    layers = LayerSheet(sheet, lane, layer_turns(lane, times), offset, lettered)
    layers.draw(near=False)
    layers.bodies(figure.backs)
    for back in figure.backs[len(layers.views) :]:
        sheet.body.append(shape_element(Patch(back, ""), offset, class_="p"))
    for (x, y), key in figure.words:
        sheet.text(left + x, top + y, lane.words(key), "d")
    marked = sheet.keyframes.name
    rims = {slot: marked("stroke-opacity", _rims(lane, times, slot)) for slot in shown}
    solid = len(figure.marks) - len(figure.net.marks) if layers.turns and figure.net else 0
    for number, mark in enumerate(figure.marks):
        place = layers.rests(mark.slot) if number < solid else {}
        rim = "" if number < solid else rims[mark.slot]
        if place:
            sheet.open(**place)
        _draw_mark(sheet, mark, shown[mark.slot], offset, rim=rim, lettered=lettered)
        if place:
            sheet.close()
    layers.draw(near=True)


def _draw_mark(
    sheet: SvgSheet,
    mark: StickerMark,
    looks: list[tuple[float, StickerLook]],
    offset: Point,
    *,
    rim: str,
    lettered: bool,
) -> None:
    fill = sheet.keyframes.name("fill", [(time_s, look.fill) for time_s, look in looks])
    look = {"class_": "s", "data_slot": str(mark.slot), "fill": looks[-1][1].fill}
    sheet.body.append(shape_element(mark.shape, offset, **look, **timed(fill, rim)))
    if mark.letter_px and lettered:
        _letters(sheet, mark, looks, offset)


def _shown(lane: FilmLane, times: Times, slot: int) -> list[tuple[float, StickerLook]]:
    """Return the looks of a slot, with their times."""
    found: list[tuple[float, StickerLook]] = []
    for time_s, frame in zip(times.changes, lane.frames, strict=True):
        look = frame.looks[slot]
        if not found or found[-1][1] != look:
            found.append((time_s, look))
    return found


def _rims(lane: FilmLane, times: Times, slot: int) -> list[tuple[float, str]]:
    """Return when a slot is marked, because its sticker turns."""
    found = [(0.0, "0")]
    for time_s, frame in zip(times.begins, lane.frames, strict=True):
        if slot in frame.moved:
            if found[-1][0] >= time_s:  # it was marked until now
                found.pop()
            else:
                found.append((time_s, "1"))
            found.append((time_s + _RIM * times.turn_s, "0"))
    return found


def _letters(
    sheet: SvgSheet, mark: StickerMark, looks: list[tuple[float, StickerLook]], offset: Point
) -> None:
    """Draw every text of a sticker, visible at its times."""
    for look in dict.fromkeys(look for _, look in looks if look.label):
        seen = sheet.shown((time_s, shown == look) for time_s, shown in looks)
        letter = mark.letter(look.label, look.fill, offset, data_letter=mark.slot, **seen)
        sheet.body.append(letter)


_MARGIN, _BETWEEN = 24.0, 36.0
_TITLE_Y, _SUBTITLE_Y, _LINE = 34.0, 58.0, 18.0
_COLUMN = 440.0
STYLE = """\
svg{color-scheme:light dark;--dim:#57606a;--now:#b35900}
text{font-family:system-ui,sans-serif;font-size:13px}
.h{font-size:20px;font-weight:600}.n{font-size:16px;font-weight:600}.m{font-size:24px}
.g{fill:#fff}.i{fill:#1b1f24}.d{fill:#57606a}.b{fill:#e4e8ec}.f{fill:#2f6f9f}.z{fill:#1a7f37}
.w{fill:#b35900}.p{fill:#1b1f24}.c{fill:#3a3e46}.r path{stroke-linecap:square}
.l{stroke:#8a929c}.s{stroke:#d0208f;stroke-width:3;stroke-opacity:0}
.k text{text-anchor:middle;dominant-baseline:central}
@media(prefers-color-scheme:dark){.g{fill:#14171b}.i{fill:#e8eaed}.d{fill:#a3acb5}.b{fill:#30363d}
.f{fill:#5fa8dc}.z{fill:#57c478}.w{fill:#ffab5e}.s{stroke:#ff7bd0}
svg{--dim:#a3acb5;--now:#ffab5e}}"""


def svg_film(film: Film) -> str:
    """Draw a film.

    Returns:
        An SVG document, for light and dark pages.
    """
    clock = clock_of(film)
    sheet = SvgSheet(Keyframes(clock.total_s))
    draw = _one if len(film.lanes) == 1 else _several
    width, height = draw(sheet, film, clock)
    told = "; ".join(lane.labelled(lane.name, lane.verdict) for lane in film.lanes)
    style = f"{STYLE}\n{sheet.keyframes.css()}"
    ground = {"class_": "g"}
    return document(
        (width, height), sheet.body, style=style, ground=ground, about=(film.title, told)
    )


def _head(sheet: SvgSheet, film: Film, width: float) -> float:
    """Draw title and subtitle; return where the content begins."""
    sheet.text(_MARGIN, _TITLE_Y, film.title, "i h")
    y = _SUBTITLE_Y
    for line in lines_of(film.subtitle, width - 2 * _MARGIN):
        sheet.text(_MARGIN, y, line, "d")
        y += _LINE
    return y + 8


def _figure(sheet: SvgSheet, lane: FilmLane, times: Times, at: tuple[float, float]) -> float:
    """Draw the figure with its legend; return the lower end."""
    sheet.open(class_="k")
    draw_figure(sheet, lane, times, at)
    sheet.close()
    below = at[1] + lane.figure.height + 22
    return draw_legend(sheet, lane, (at[0], below)) if lane.legend else below


def _one(sheet: SvgSheet, film: Film, clock: FilmClock) -> tuple[float, float]:
    """Draw the figure on the left, the captions on the right."""
    (lane,), (times,) = film.lanes, clock.lanes
    width = 2 * _MARGIN + lane.figure.width + _BETWEEN + _COLUMN
    top = _head(sheet, film, width)
    sheet.open(data_lane=0)
    bottom = _figure(sheet, lane, times, (_MARGIN, top))
    x = _MARGIN + lane.figure.width + _BETWEEN
    y = draw_stages(sheet, lane, times, (x, top), _COLUMN, captions=True, rows=1)
    y = draw_gauges(sheet, lane, times, (x, y + 8), _COLUMN)
    y = draw_kept(sheet, lane, (x, y + 8), _COLUMN)
    sheet.close()
    return width, max(bottom, y) + _MARGIN / 2


def _several(sheet: SvgSheet, film: Film, clock: FilmClock) -> tuple[float, float]:
    """Draw a column for each."""
    wide = max(lane.figure.width for lane in film.lanes)
    width = 2 * _MARGIN + len(film.lanes) * wide + (len(film.lanes) - 1) * _BETWEEN
    top, bottom = _head(sheet, film, width), 0.0
    high = max(lane.figure.height for lane in film.lanes)
    rows = max(len(lines_of(lane.verdict, wide, bold=True)) for lane in film.lanes)
    for number, (lane, times) in enumerate(zip(film.lanes, clock.lanes, strict=True)):
        x = _MARGIN + number * (wide + _BETWEEN)
        sheet.open(data_lane=number)
        sheet.text(x, top + 12, lane.name, "i n")
        _figure(sheet, lane, times, (x, top + 32))
        below = (x, top + high + 76)
        y = draw_stages(sheet, lane, times, below, wide, captions=False, rows=rows)
        y = draw_gauges(sheet, lane, times, (x, y + 8), wide)
        bottom = max(bottom, draw_kept(sheet, lane, (x, y + 8), wide))
        sheet.close()
    return width, bottom + _MARGIN / 2
