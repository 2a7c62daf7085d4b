"""A film as an SVG document that runs by itself, over and over: in a browser or on a page.

Nothing is loaded from anywhere, and there is no script, so it runs in an ``<img>``, too. Who asks
for less motion sees the last frame.
"""

from xml.sax.saxutils import escape

from teaching.films.film import Film, FilmLane
from teaching.films.svg.figure import draw_figure
from teaching.films.svg.gauges import draw_gauges, draw_kept, draw_legend
from teaching.films.svg.keyframes import Keyframes
from teaching.films.svg.sheet import SvgSheet, lines_of
from teaching.films.svg.stages import draw_stages
from teaching.films.timing import FilmClock, Times, clock_of

_MARGIN, _BETWEEN = 24.0, 36.0
_TITLE_Y, _SUBTITLE_Y, _LINE = 34.0, 58.0, 18.0
_COLUMN = 440.0
STYLE = """\
svg{color-scheme:light dark;--dim:#57606a;--now:#b35900}
text{font-family:system-ui,sans-serif;font-size:13px}
.h{font-size:20px;font-weight:600}.n{font-size:16px;font-weight:600}.m{font-size:24px}
.g{fill:#fff}.i{fill:#1b1f24}.d{fill:#57606a}.b{fill:#e4e8ec}.f{fill:#2f6f9f}.z{fill:#1a7f37}
.w{fill:#b35900}.p{fill:#1b1f24}.l{stroke:#8a929c}.s{stroke:#d0208f;stroke-width:3;stroke-opacity:0}
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
    told = "; ".join(f"{lane.name}: {lane.verdict}" for lane in film.lanes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">\n'
        f"<title>{escape(film.title)}</title>\n<desc>{escape(told)}</desc>\n"
        f"<style>{STYLE}\n{sheet.keyframes.css()}</style>\n"
        '<rect class="g" width="100%" height="100%"/>\n' + "\n".join(sheet.body) + "\n</svg>\n"
    )


def _head(sheet: SvgSheet, film: Film, width: float) -> float:
    """Title and subtitle; where what follows begins."""
    sheet.text(_MARGIN, _TITLE_Y, film.title, "i h")
    y = _SUBTITLE_Y
    for line in lines_of(film.subtitle, width - 2 * _MARGIN):
        sheet.text(_MARGIN, y, line, "d")
        y += _LINE
    return y + 8


def _figure(sheet: SvgSheet, lane: FilmLane, times: Times, at: tuple[float, float]) -> float:
    """The figure with its legend; where it ends."""
    sheet.open(' class="k"')
    draw_figure(sheet, lane, times, at)
    sheet.close()
    below = at[1] + lane.figure.height + 22
    return draw_legend(sheet, lane, (at[0], below)) if lane.legend else below


def _one(sheet: SvgSheet, film: Film, clock: FilmClock) -> tuple[float, float]:
    """The figure on the left, what is told on the right."""
    (lane,), (times,) = film.lanes, clock.lanes
    width = 2 * _MARGIN + lane.figure.width + _BETWEEN + _COLUMN
    top = _head(sheet, film, width)
    sheet.open(' data-lane="0"')
    bottom = _figure(sheet, lane, times, (_MARGIN, top))
    x = _MARGIN + lane.figure.width + _BETWEEN
    y = draw_stages(sheet, lane, times, (x, top), _COLUMN, captions=True, rows=1)
    y = draw_gauges(sheet, lane, times, (x, y + 8), _COLUMN)
    y = draw_kept(sheet, lane, (x, y + 8), _COLUMN)
    sheet.close()
    return width, max(bottom, y) + _MARGIN / 2


def _several(sheet: SvgSheet, film: Film, clock: FilmClock) -> tuple[float, float]:
    """A column for each."""
    wide = max(lane.figure.width for lane in film.lanes)
    width = 2 * _MARGIN + len(film.lanes) * wide + (len(film.lanes) - 1) * _BETWEEN
    top, bottom = _head(sheet, film, width), 0.0
    high = max(lane.figure.height for lane in film.lanes)
    rows = max(len(lines_of(lane.verdict, wide, bold=True)) for lane in film.lanes)
    for number, (lane, times) in enumerate(zip(film.lanes, clock.lanes, strict=True)):
        x = _MARGIN + number * (wide + _BETWEEN)
        sheet.open(f' data-lane="{number}"')
        sheet.text(x, top + 12, lane.name, "i n")
        _figure(sheet, lane, times, (x, top + 32))
        below = (x, top + high + 76)
        y = draw_stages(sheet, lane, times, below, wide, captions=False, rows=rows)
        y = draw_gauges(sheet, lane, times, (x, y + 8), wide)
        bottom = max(bottom, draw_kept(sheet, lane, (x, y + 8), wide))
        sheet.close()
    return width, bottom + _MARGIN / 2
