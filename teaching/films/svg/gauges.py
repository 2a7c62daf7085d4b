"""What an animated SVG counts: the gauges that go to zero, and what no turn changes."""

from teaching.films.film import FilmLane
from teaching.films.svg.sheet import SvgSheet, lines_of
from teaching.films.timing import Times

Place = tuple[float, float]
_LINE, _ROW = 18.0, 24.0
_MARK, _BAR, _SAID = 44.0, (84.0, 12.0), 74.0
_LETTER = 6.4


def draw_gauges(sheet: SvgSheet, lane: FilmLane, times: Times, at: Place, width: float) -> float:
    """Draw what is left of each gauge, as a bar and in figures; where it ends."""
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
        for text in dict.fromkeys(level.said for level in levels):
            pairs = list(zip(times.changes, levels, strict=True))
            zero = any(level.said == text and not level.left for level in levels)
            seen = sheet.shown((time_s, level.said == text) for time_s, level in pairs)
            words, kind = (f"✓ {text}", "z") if zero else (text, "i")
            attributes = f' data-gauge="{number}"{seen}'
            sheet.text(x + width - _SAID, y, words, kind, attributes)
    for line in lines_of(lane.note, width):
        y += _LINE
        sheet.text(x, y + 6, line, "d")
    return y + 6


def draw_kept(sheet: SvgSheet, lane: FilmLane, at: Place, width: float) -> float:
    """Draw what no turn changes, here and where the way is to end; where it ends."""
    x, y = at
    if not lane.kept:
        return y
    y += _ROW
    sheet.text(x, y, "What no turn changes:", "d")
    for kept in lane.kept:
        for line in lines_of(f"{kept.name}: {kept.said}", width - 12):
            y += _LINE
            sheet.text(x + 12, y, line, "w" if kept.differs else "i")
    return y


def draw_legend(sheet: SvgSheet, lane: FilmLane, at: Place) -> float:
    """Draw which letter is which colour; where it ends."""
    x, y = at
    left = x
    for look, words in lane.legend:
        box = f'x="{left:g}" y="{y - 11:g}" width="12" height="12"'
        sheet.body.append(f'<rect {box} fill="{look.fill}" class="l"/>')
        sheet.text(left + 16, y, f"{look.label} {words}", "d")
        left += 36 + _LETTER * len(words)
    return y + 8
