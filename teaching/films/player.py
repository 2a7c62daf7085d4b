"""The page of a film: play, pause and step by keys and buttons, with clickable turns.

The script of the page gets the film as JSON. ``looks`` is a table of fill, label and ink; the film
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

import msgspec

from cube.player.scripts import player_source
from teaching.films.figures import ink_on
from teaching.films.film import Chapter, Film, FilmFrame, StickerLook, pace_of
from teaching.films.stills import still
from teaching.page import html_page
from thistlebot.words.words import Words

Table = dict[StickerLook, int]


def film_data(film: Film) -> str:
    """Return everything that the script of a page needs."""
    table: Table = {}
    slots = sorted({mark.slot for mark in film.figure.marks})
    places = {slot: number for number, slot in enumerate(slots)}

    def look(frame: FilmFrame, slot: int) -> int:
        return table.setdefault(frame.looks[slot], len(table))

    frames, before = [], film.frames[0]
    start = [look(before, slot) for slot in slots]
    for frame in film.frames[1:]:
        changed: list[int] = []
        for slot in slots:
            if frame.looks[slot] != before.looks[slot]:
                changed += [places[slot], look(frame, slot)]
        frames.append({"m": frame.move, "d": changed, "g": frame.levels})
        before = frame
    moved = {
        frame.move: [places[slot] for slot in sorted(frame.moved) if slot in places]
        for frame in film.frames[1:]
    }
    turn_s, rest_s = pace_of(film)
    data = {
        "slots": slots,
        "start": start,
        "g": film.frames[0].levels,
        "most": [gauge.most for gauge in film.gauges],
        "frames": frames,
        "moved": moved,
        "chapters": [
            {
                "name": film.headline(number),
                "caption": each.caption,
                "settles": film.settled(each),
                "last": each.last,
            }
            for number, each in enumerate(film.chapters)
        ],
        "verdict": film.verdict,
        "space": film.figure.space,
        "looks": [[look.fill, look.label, ink_on(look.fill)] for look in table],
        "turn_ms": round(1000 * turn_s),
        "rest_ms": round(1000 * rest_s),
        "words": {key: film.words.texts[f"film.{key}"] for key in _SCRIPTED},
    }
    return msgspec.json.encode(data).decode()


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
    data = film_data(film).replace("</", "<\\/")
    style, script = ((_HERE / name).read_text("utf-8") for name in ("player.css", "player.js"))
    body = (
        "<main>",
        f"<h1>{escape(film.title)}</h1>",
        f'<p class="dim">{escape(film.subtitle)}</p>',
        _section(film),
        _controls(film.turns, film.words) if film.turns else "",
        _steps(film),
        "</main>",
        f'<script type="application/json" id="film">{data}</script>',
        f'<script type="module">\n{player_source()}\n{script}</script>',
    )
    return html_page(film.title, style, body, film.words)


def _section(film: Film) -> str:
    """Return the puzzle, the current turn, the stage and the gauges."""
    legend = "".join(
        f'<li><span class="chip" style="background:{look.fill}"></span>{look.label} {words}</li>'
        for look, words in film.legend
    )
    chapter = film.chapters[0] if film.chapters else Chapter("", "", "", 0)
    name = film.headline(0) if film.chapters else ""
    return f"""<section class="puzzle" aria-labelledby="name">
<h2 id="name">{escape(film.name)}</h2>
<div class="sight">
<div class="seen">
{_solid(film)}{still(film, 0, film.words("film.drawn", name=film.name), class_="figure")}
<ul class="legend">{legend}</ul>
</div>
<div class="told">
{_turn(film)}
<div class="now">
<h3 class="stage">{escape(name)}</h3>
<p class="caption">{escape(chapter.caption)}</p>
<p class="settles">{escape(film.settled(chapter))}</p>
</div>
<table class="gauges">
<caption>{film.words("film.left")}</caption>
{"".join(_gauges(film))}</table>
<p class="dim">{escape(film.note)}</p>
{_kept(film)}
</div>
</div>
</section>"""


def _solid(film: Film) -> str:
    """Return the place of a puzzle whose layers turn."""
    if not film.figure.space:
        return ""
    name = escape(film.words("film.drag", name=film.name))
    return f'<div class="solid" role="img" tabindex="0" aria-label="{name}"></div>\n'


def _turn(film: Film) -> str:
    """Return the current turn, and the final message."""
    if not film.turns:
        return f'<p class="differs">{escape(film.verdict)}</p>'
    count = film.words("film.turns", count=film.turns)
    return (
        f'<p class="turn"><b class="move">{film.words("film.before")}</b> '
        f'<span class="count">{count}</span></p>\n'
        f'<p class="verdict" hidden>{escape(film.verdict)}</p>'
    )


def _gauges(film: Film) -> Iterator[str]:
    for gauge, level in zip(film.gauges, film.frames[0].levels, strict=True):
        share = 100 * min(1.0, level.left / max(1, gauge.most))
        kind = "left zero" if level.left == 0 else "left"
        mark = f'<span class="mark">{escape(gauge.mark)}</span> ' if gauge.mark else ""
        yield (
            f'<tr><th scope="row">{mark}{escape(gauge.text)}</th>'
            f'<td><span class="bar"><span style="width:{share:.1f}%"></span></span></td>'
            f'<td class="{kind}">{escape(level.said)}</td></tr>\n'
        )


def _kept(film: Film) -> str:
    rows = []
    for kept in film.kept:
        kind = ' class="differs"' if kept.differs else ""
        told = film.labelled(kept.name, kept.said(film.words))
        rows.append(f"<li{kind}>{escape(told)}</li>")
    head = film.words("film.kept")
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


def _still(film: Film, number: int, name: str) -> str:
    kind = "still wide" if film.figure.width > _WIDE else "still"
    return still(film, number, name, class_=kind)


def _steps(film: Film) -> str:
    """Return all stages in words, with clickable turns, and the puzzle after each."""
    first, items, words = 0, [], film.words
    for index, chapter in enumerate(film.chapters):
        turns = "".join(
            f'<button type="button" data-frame="{frame}" disabled>'
            f"{escape(film.frames[frame].move)}</button>"
            for frame in range(first + 1, chapter.last + 1)
        )
        first = chapter.last
        caption = f"<p>{escape(chapter.caption)}</p>" if chapter.caption else ""
        settled = escape(film.settled(chapter))
        settles = f'<p class="settles">{settled}</p>' if settled else ""
        items.append(
            f"<li><div><h3>{escape(film.headline(index))}</h3>\n{caption}\n"
            f'<p class="moves">{turns or words("film.no_turns")}</p>\n{settles}</div>\n'
            f"{_still(film, first, words('film.after', name=chapter.name))}</li>"
        )
    if not items:
        return ""
    return (
        f'<section class="steps" '
        f'aria-label="{escape(words("film.stages", name=film.name))}">\n'
        f'<div class="start"><h3>{words("film.start")}</h3>'
        f"{_still(film, 0, words('film.before'))}</div>\n"
        f"<ol>\n{chr(10).join(items)}\n</ol>\n</section>"
    )
