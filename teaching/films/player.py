"""The page of a film: play, pause and step by keys and buttons, with clickable turns.

The script of the page gets the film as JSON. ``looks`` is a table of fill, label and ink; a lane
begins with the look of each of its ``slots``, and each frame has ``d``, alternating slots by their
index in that list and their new looks, and ``g``, the gauges. ``moved`` are the slots that a turn
moves, by its name.

The page is one file that loads nothing. Layers turn in space (`cube.player`), and nets
change. Without scripts it shows the puzzle before the first turn and after each stage,
with all texts.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from cube.player.scripts import player_source
from teaching.films.figures import ink_on
from teaching.films.film import Chapter, Film, FilmFrame, FilmLane, StickerLook, pace_of
from teaching.films.stills import still
from teaching.page import html_page
from thistlebot.words.words import Words

Table = dict[StickerLook, int]


def film_data(film: Film) -> str:
    """Return everything that the script of a page needs."""
    table: Table = {}
    lanes = [_lane_data(lane, table) for lane in film.lanes]
    looks = [[look.fill, look.label, ink_on(look.fill)] for look in table]
    turn_s, rest_s = pace_of(film)
    data = {
        "looks": looks,
        "turn_ms": round(1000 * turn_s),
        "rest_ms": round(1000 * rest_s),
        "lanes": lanes,
        "words": {key: film.lanes[0].words.texts[f"film.{key}"] for key in _SCRIPTED},
    }
    return msgspec.json.encode(data).decode()


def _lane_data(lane: FilmLane, table: Table) -> dict[str, Any]:
    slots = sorted({mark.slot for mark in lane.figure.marks})
    places = {slot: number for number, slot in enumerate(slots)}

    def look(frame: FilmFrame, slot: int) -> int:
        return table.setdefault(frame.looks[slot], len(table))

    frames, before = [], lane.frames[0]
    start = [look(before, slot) for slot in slots]
    for frame in lane.frames[1:]:
        changed: list[int] = []
        for slot in slots:
            if frame.looks[slot] != before.looks[slot]:
                changed += [places[slot], look(frame, slot)]
        frames.append({"m": frame.move, "d": changed, "g": frame.levels})
        before = frame
    moved = {
        frame.move: [places[slot] for slot in sorted(frame.moved) if slot in places]
        for frame in lane.frames[1:]
    }
    return {
        "slots": slots,
        "start": start,
        "g": lane.frames[0].levels,
        "most": [gauge.most for gauge in lane.gauges],
        "frames": frames,
        "moved": moved,
        "chapters": [
            {
                "name": lane.headline(number),
                "caption": each.caption,
                "settles": lane.settled(each),
                "last": each.last,
            }
            for number, each in enumerate(lane.chapters)
        ],
        "verdict": lane.verdict,
        "space": lane.figure.space,
    }


_HERE = Path(__file__).parent
_SCRIPTED = ("before", "turn", "turns", "turn_made", "play", "pause")
"""The texts that the script of the page fills in."""
_BUTTONS = (
    ("first", "|‹"),
    ("stage-back", "‹‹"),
    ("back", "‹"),
    ("play", ""),
    ("on", "›"),
    ("stage-on", "››"),
    ("last", "›|"),
)
_SPEEDS = {"0.5": "half_speed", "1": "normal_speed", "2": "double_speed", "4": "fourfold_speed"}


def html_film(film: Film) -> str:
    """Write a film as a page.

    Returns:
        An HTML document.
    """
    turns, words = max(lane.turns for lane in film.lanes), film.lanes[0].words
    data = film_data(film).replace("</", "<\\/")
    style, script = ((_HERE / name).read_text("utf-8") for name in ("player.css", "player.js"))
    body = (
        "<main>",
        f"<h1>{escape(film.title)}</h1>",
        f'<p class="dim">{escape(film.subtitle)}</p>',
        f'<div class="lanes lanes-{len(film.lanes)}">',
        *(_section(lane, number) for number, lane in enumerate(film.lanes)),
        "</div>",
        _controls(turns, words) if turns else "",
        f'<div class="lanes lanes-{len(film.lanes)}">',
        *(_steps(lane, number) for number, lane in enumerate(film.lanes)),
        "</div>",
        "</main>",
        f'<script type="application/json" id="film">{data}</script>',
        f'<script type="module">\n{player_source()}\n{script}</script>',
    )
    return html_page(film.title, style, body, words)


def _section(lane: FilmLane, number: int) -> str:
    """Return the puzzle, the current turn, the stage and the gauges."""
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
{_solid(lane)}{still(lane, 0, lane.words("film.drawn", name=lane.name), class_="figure")}
<ul class="legend">{legend}</ul>
</div>
<div class="told">
{_turn(lane)}
<div class="now">
<h3 class="stage">{escape(name)}</h3>
<p class="caption">{escape(chapter.caption)}</p>
<p class="settles">{escape(lane.settled(chapter))}</p>
</div>
<table class="gauges">
<caption>{lane.words("film.left")}</caption>
{"".join(_gauges(lane))}</table>
<p class="dim">{escape(lane.note)}</p>
{_kept(lane)}
</div>
</div>
</section>"""


def _solid(lane: FilmLane) -> str:
    """Return the place of a puzzle whose layers turn."""
    if not lane.figure.space:
        return ""
    name = escape(lane.words("film.drag", name=lane.name))
    return f'<div class="solid" role="img" tabindex="0" aria-label="{name}"></div>\n'


def _turn(lane: FilmLane) -> str:
    """Return the current turn, and the final message."""
    if not lane.turns:
        return f'<p class="differs">{escape(lane.verdict)}</p>'
    count = lane.words("film.turns", count=lane.turns)
    return (
        f'<p class="turn"><b class="move">{lane.words("film.before")}</b> '
        f'<span class="count">{count}</span></p>\n'
        f'<p class="verdict" hidden>{escape(lane.verdict)}</p>'
    )


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
        told = lane.labelled(kept.name, kept.said(lane.words))
        rows.append(f"<li{kind}>{escape(told)}</li>")
    head = lane.words("film.kept")
    return f'<p class="dim">{head}</p>\n<ul>{"".join(rows)}</ul>' if rows else ""


def _controls(turns: int, words: Words) -> str:
    def button(deed: str, sign: str) -> str:
        name = escape(words(f"film.{deed}"))
        told = f' aria-label="{name}" title="{name}"' if sign else ""
        return f'<button type="button" data-do="{deed}"{told}>{sign or name}</button>'

    buttons = "\n".join(button(*each) for each in _BUTTONS)
    speeds = "".join(
        f'<option value="{value}"{" selected" if value == "1" else ""}>{words(f"film.{key}")}'
        "</option>"
        for value, key in _SPEEDS.items()
    )
    return f"""<div class="controls" role="group" aria-label="{words("film.player")}" hidden>
{buttons}
<input type="range" min="0" max="{turns}" value="0" step="0.05" \
aria-label="{words("film.slider")}">
<select aria-label="{words("film.speed")}">{speeds}</select>
<p class="dim">{words("film.keys")}</p>
<p class="said" aria-live="polite"></p>
</div>
<noscript><p>{words("film.still")}</p></noscript>"""


_WIDE = 400.0
"""Figures that are wider than this have more stickers than a small picture can show."""


def _still(lane: FilmLane, number: int, name: str) -> str:
    kind = "still wide" if lane.figure.width > _WIDE else "still"
    return still(lane, number, name, class_=kind)


def _steps(lane: FilmLane, number: int) -> str:
    """Return all stages in words, with clickable turns, and the puzzle after each."""
    first, items, words = 0, [], lane.words
    for index, chapter in enumerate(lane.chapters):
        turns = "".join(
            f'<button type="button" data-lane="{number}" data-frame="{frame}" disabled>'
            f"{escape(lane.frames[frame].move)}</button>"
            for frame in range(first + 1, chapter.last + 1)
        )
        first = chapter.last
        caption = f"<p>{escape(chapter.caption)}</p>" if chapter.caption else ""
        settled = escape(lane.settled(chapter))
        settles = f'<p class="settles">{settled}</p>' if settled else ""
        items.append(
            f"<li><div><h3>{escape(lane.headline(index))}</h3>\n{caption}\n"
            f'<p class="moves">{turns or words("film.no_turns")}</p>\n{settles}</div>\n'
            f"{_still(lane, first, words('film.after', name=chapter.name))}</li>"
        )
    if not items:
        return ""
    return (
        f'<section class="steps" data-steps="{number}" '
        f'aria-label="{escape(words("film.stages", name=lane.name))}">\n'
        f'<div class="start"><h3>{words("film.start")}</h3>'
        f"{_still(lane, 0, words('film.before'))}</div>\n"
        f"<ol>\n{chr(10).join(items)}\n</ol>\n</section>"
    )
