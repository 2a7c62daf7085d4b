"""The page of a film: play, pause and step by keys and buttons, every turn to be clicked.

One file, which loads nothing. Without scripts it shows the puzzle before the first turn and after
each stage, with all that is told.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from teaching.films.film import Chapter, Film, FilmLane
from teaching.films.page.film_data import film_data
from teaching.films.page.stills import figure_svg, still_svg

_HERE = Path(__file__).parent
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_KEYS = "Keys: space plays and pauses, ← → one turn, Page Up and Page Down one stage, Home and End."
_BUTTONS = (
    ("first", "|‹", "To the beginning"),
    ("stage-back", "‹‹", "One stage back"),
    ("back", "‹", "One turn back"),
    ("play", "Play", ""),
    ("on", "›", "One turn on"),
    ("stage-on", "››", "One stage on"),
    ("last", "›|", "To the end"),
)
_SPEEDS = (("0.5", "half speed"), ("1", "normal speed"), ("2", "double speed"), ("4", "four times"))


def html_film(film: Film) -> str:
    """Write a film as a page.

    Returns:
        An HTML document.
    """
    style, script = (
        (_HERE / name).read_text(encoding="utf-8") for name in ("player.css", "player.js")
    )
    turns = max(lane.turns for lane in film.lanes)
    lanes = "\n".join(_lane(lane, number) for number, lane in enumerate(film.lanes))
    told = "\n".join(_steps(lane, number) for number, lane in enumerate(film.lanes))
    controls = _controls(turns) if turns else ""
    data = film_data(film).replace("</", "<\\/")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(film.title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{escape(film.title)}</h1>
<p class="dim">{escape(film.subtitle)}</p>
<div class="lanes lanes-{len(film.lanes)}">
{lanes}
</div>
{controls}
<div class="lanes lanes-{len(film.lanes)}">
{told}
</div>
</main>
<script type="application/json" id="film">{data}</script>
<script>
{script}</script>
</body>
</html>
"""


def _lane(lane: FilmLane, number: int) -> str:
    """The puzzle, the turn that is made, the stage and the gauges."""
    head = f"lane-{number}"
    legend = "".join(
        f'<li><span class="chip" style="background:{look.fill}"></span>{look.label} {words}</li>'
        for look, words in lane.legend
    )
    chapter = lane.chapters[0] if lane.chapters else Chapter("", "", "", 0)
    name = lane.headline(0) if lane.chapters else ""
    return f"""<section class="lane" aria-labelledby="{head}">
<h2 id="{head}">{escape(lane.name)}</h2>
<div class="sight">
<div class="seen">
{figure_svg(lane)}
<ul class="legend">{legend}</ul>
</div>
<div class="told">
{_turn(lane)}
<div class="now">
<h3 class="stage">{escape(name)}</h3>
<p class="caption">{escape(chapter.caption)}</p>
<p class="settles">{escape(_settles(chapter))}</p>
</div>
<table class="gauges">
<caption>What is left</caption>
{"".join(_gauges(lane))}</table>
<p class="dim">{escape(lane.note)}</p>
{_kept(lane)}
</div>
</div>
</section>"""


def _turn(lane: FilmLane) -> str:
    """Which turn is made, and what is said at the end."""
    if not lane.turns:
        return f'<p class="differs">{escape(lane.verdict)}</p>'
    return (
        f'<p class="turn"><b class="move">before</b> <span class="count">{lane.turns} turns</span>'
        f'</p>\n<p class="verdict" hidden>{escape(lane.verdict)}</p>'
    )


def _settles(chapter: Chapter) -> str:
    return f"Settles: {chapter.settles}." if chapter.settles else ""


def _gauges(lane: FilmLane) -> Iterator[str]:
    for gauge, level in zip(lane.gauges, lane.frames[0].levels, strict=True):
        share = 100 * min(1.0, level.left / max(1, gauge.most))
        kind = "left zero" if level.left == 0 else "left"
        mark = f'<span class="mark">{escape(gauge.mark)}</span> ' if gauge.mark else ""
        yield (
            f'<tr><th scope="row">{mark}{escape(gauge.text)}</th>'
            f'<td><span class="bar"><span style="width:{share:.1f}%"></span></span></td>'
            f'<td class="{kind}">{escape(level.said)}</td></tr>\n'
        )


def _kept(lane: FilmLane) -> str:
    rows = []
    for kept in lane.kept:
        kind = ' class="differs"' if kept.differs else ""
        rows.append(f"<li{kind}>{escape(kept.name)}: {escape(kept.said)}</li>")
    return f'<p class="dim">What no turn changes:</p>\n<ul>{"".join(rows)}</ul>' if rows else ""


def _controls(turns: int) -> str:
    buttons = "\n".join(
        f'<button type="button" data-do="{deed}"'
        + (f' aria-label="{words}" title="{words}"' if words else "")
        + f">{sign}</button>"
        for deed, sign, words in _BUTTONS
    )
    speeds = "".join(
        f'<option value="{value}"{" selected" if value == "1" else ""}>{words}</option>'
        for value, words in _SPEEDS
    )
    return f"""<div class="controls" role="group" aria-label="Player" hidden>
{buttons}
<input type="range" min="0" max="{turns}" value="0" step="1" aria-label="Turn">
<select aria-label="Speed">{speeds}</select>
<p class="dim">{_KEYS}</p>
<p class="said" aria-live="polite"></p>
</div>
<noscript><p>Without scripts nothing moves here: below stands the puzzle after each stage.</p>\
</noscript>"""


def _steps(lane: FilmLane, number: int) -> str:
    """All stages in words, their turns to be clicked, the puzzle after each of them."""
    first, items = 0, []
    for index, chapter in enumerate(lane.chapters):
        turns = "".join(
            f'<button type="button" data-lane="{number}" data-frame="{frame}" disabled>'
            f"{escape(lane.frames[frame].move)}</button>"
            for frame in range(first + 1, chapter.last + 1)
        )
        first = chapter.last
        caption = f"<p>{escape(chapter.caption)}</p>" if chapter.caption else ""
        settles = f'<p class="settles">{escape(_settles(chapter))}</p>' if chapter.settles else ""
        items.append(
            f"<li><div><h3>{escape(lane.headline(index))}</h3>\n{caption}\n"
            f'<p class="moves">{turns or "no turns: it is so already"}</p>\n{settles}</div>\n'
            f"{still_svg(lane, first, f'after {chapter.name}')}</li>"
        )
    if not items:
        return ""
    return (
        f'<section class="steps" data-steps="{number}" '
        f'aria-label="Stages of {escape(lane.name)}">\n'
        f'<div class="start"><h3>Before</h3>{still_svg(lane, 0, "before")}</div>\n'
        f"<ol>\n{chr(10).join(items)}\n</ol>\n</section>"
    )
