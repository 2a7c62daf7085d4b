"""Worksheets as self-contained pages for printing."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from cube.drawing import net_drawing
from cube.facelets import Facelets
from teaching.page import html_page
from teaching.worksheets.sheet import Sheet, SheetExperiment, SheetQuestion
from thistlebot.words.words import Words

_STYLE = """\
:root{color-scheme:light}
body{font:11pt/1.45 "DejaVu Serif",Georgia,serif;color:#1b1f24;background:#fff;max-width:46em;
margin:2em auto;padding:0 1.5em}
header{display:flex;justify-content:space-between;gap:2em;font-size:.85em;color:#5a626c}
h1{font-size:1.9em;line-height:1.2;margin:.4em 0}h2{font-size:1.6em;line-height:1.2;margin:.3em 0}
h3{font-size:1.05em;margin:1.3em 0 .3em}
p{margin:.35em 0}code{font-family:"DejaVu Sans Mono",monospace;font-size:.88em;
background:#eef0f3;padding:.05em .25em;border-radius:.2em}
.aim{border-left:.3em solid #5b8a3c;padding:.1em 0 .1em .8em}
.hold{font-size:.85em;color:#39414a}
.trial{display:flex;gap:1.5em;align-items:flex-start;break-inside:avoid}.trial>div{flex:1}
figure{margin:0;text-align:center;font-size:.8em}figure svg{width:17em;height:13em}
.commands{font-size:.8em;color:#39414a;margin:.3em 0}.commands code{display:inline-block}
.question{break-inside:avoid}ol.options{list-style:upper-alpha;margin:.3em 0 .3em 1.2em;padding:0}
.way,.hint{font-size:.85em;color:#39414a}.hint{font-style:italic}
.lines{height:3.4em;border-bottom:1px solid #9aa2ac;margin:.2em 0 .6em;
background:linear-gradient(#fff 1.65em,#c4c9cf 1.65em,#c4c9cf calc(1.65em + 1px),#fff 0)}
.solutions .answer{font-weight:bold}
section{margin-bottom:3em}
@page{size:A4;margin:18mm 16mm}
@media print{body{margin:0;padding:0;max-width:none;font-size:10pt}
section+section{break-before:page}section{margin:0}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
_VIEW = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def html(
    sheets: Sequence[Sheet], words: Words, *, hints: bool = False, solutions: bool = False
) -> str:
    """Write worksheets as one page; each begins on a new sheet of paper, solutions at the end."""
    title = sheets[0].title if len(sheets) == 1 else words("lesson.series")
    body = [line for sheet in sheets for line in _sheet(sheet, words, hints=hints)]
    if solutions:
        body += ['<section class="solutions">', f"<h1>{formatted(words('lesson.solutions'))}</h1>"]
        body += [line for sheet in sheets for line in _solutions(sheet, words)]
        body.append("</section>")
    return html_page(title, _STYLE, body, words)


def formatted(text: str) -> str:
    """Escape a text, and format text between backquotes as code."""
    parts = text.split("`")
    return "".join(
        f"<code>{escape(part)}</code>" if number % 2 else escape(part, quote=False)
        for number, part in enumerate(parts)
    )


def _sheet(sheet: Sheet, words: Words, *, hints: bool) -> Iterable[str]:
    blank = "…" * 12
    yield f'<section id="{escape(sheet.name)}">'
    yield (
        f"<header><span>{escape(words('lesson.name'))} {blank}</span>"
        f"<span>{escape(words('lesson.date'))} {'…' * 6}</span>"
        f"<span>{escape(sheet.source)} · {escape(sheet.name)}</span></header>"
    )
    yield f"<h2>{formatted(sheet.title)}</h2>"
    yield f'<p class="aim">{formatted(sheet.aim)}</p>'
    yield f'<p class="hold">{formatted(sheet.document)}</p>'
    if sheet.held:
        yield f'<p class="hold">{formatted(words("lesson.hold"))}</p>'
    for number, trial in enumerate(sheet.experiments, start=1):
        yield f"<h3>{escape(words('lesson.experiment'))} {number}</h3>"
        yield from _trial(trial, words)
    for asked in sheet.questions:
        yield from _question(asked, words, hints=hints)
    yield "</section>"


def _trial(trial: SheetExperiment, words: Words) -> Iterable[str]:
    yield '<div class="trial"><div>'
    if trial.moves:
        yield f'<p class="moves"><code>{escape(trial.moves)}</code></p>'
    yield f"<p>{formatted(trial.text)}</p>"
    if trial.commands:
        told = "<br/>".join(f"<code>{escape(command)}</code>" for command in trial.commands)
        yield f'<p class="commands">{escape(words("lesson.with_program"))}<br/>{told}</p>'
    yield "</div>"
    if trial.facelets:
        caption = words("lesson.net_after", moves=trial.moves) if trial.moves else ""
        yield f"<figure>{net(trial.facelets)}<figcaption>{formatted(caption)}</figcaption></figure>"
    if trial.picture:
        yield f"<figure>{scaled(trial.picture)}</figure>"
    yield "</div>"


def net(facelets: str) -> str:
    """Draw the net, with letters for black-and-white printing, as large as the page allows."""
    labels = dict(enumerate(facelets))
    return scaled(net_drawing(Facelets(facelets), labels).svg().strip())


def scaled(picture: str) -> str:
    """Make a picture as large as the page allows."""
    return _VIEW.sub(r'viewBox="0 0 \1 \2" role="img"', picture, count=1)


def _question(asked: SheetQuestion, words: Words, *, hints: bool) -> Iterable[str]:
    yield f'<div class="question"><h3>{escape(words("lesson.question"))} {asked.number}</h3>'
    yield f"<p>{formatted(asked.text)}</p>"
    if asked.options:
        items = "".join(f"<li>{formatted(text)}</li>" for text in asked.options.values())
        yield f'<ol class="options">{items}</ol>'
    yield f'<p class="way">{formatted(words(f"lesson.way_{asked.kind}"))}</p>'
    if hints:
        yield f'<p class="hint">{_hint(asked, words)}</p>'
    yield '<div class="lines"></div></div>'


def _solutions(sheet: Sheet, words: Words) -> Iterable[str]:
    yield f"<h3>{formatted(sheet.title)} ({escape(sheet.source)})</h3><ol>"
    for asked in sheet.questions:
        yield (
            f'<li><p class="answer">{formatted(asked.right)}</p><p>{formatted(asked.solution)}</p>'
            f'<p class="hint">{_hint(asked, words)}</p></li>'
        )
    yield "</ol>"


def _hint(asked: SheetQuestion, words: Words) -> str:
    return formatted(words("lesson.labelled", label=words("lesson.hint"), text=asked.hint))
