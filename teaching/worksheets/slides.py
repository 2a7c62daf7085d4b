"""Worksheets as slides: a self-contained page with one experiment or question on each screen.

The page needs no script: each slide fills the window, and Page Down and Page Up, which presenters
send, too, show the next and the previous one. Printed, each is on a sheet of paper of its own.
"""

from collections.abc import Iterable, Sequence
from html import escape

from teaching.worksheets.html import document, formatted, net, scaled
from teaching.worksheets.sheet import Sheet, SheetExperiment, SheetQuestion
from thistlebot.words.words import Words

_STYLE = """\
:root{color-scheme:light}
html{scroll-snap-type:y mandatory}
body{margin:0;font:clamp(14pt,2.6vmin + .5vw,30pt)/1.35 "DejaVu Sans",Helvetica,Arial,sans-serif;
color:#1b1f24;background:#fff}
section{box-sizing:border-box;min-height:100vh;padding:5vmin 8vmin;scroll-snap-align:start;
display:flex;flex-direction:column;justify-content:center;gap:2.5vmin;position:relative}
h1,h2,p{margin:0}h1{font-size:2em;line-height:1.15}h2{font-size:1.1em;color:#4a7030}
code{font-family:"DejaVu Sans Mono",monospace;font-size:.9em;background:#eef0f3;
padding:.05em .25em;border-radius:.2em}
.aim{border-left:.25em solid #5b8a3c;padding-left:.7em}
.trial{display:flex;gap:4vmin;align-items:center}.trial>*{flex:1}.moves{font-size:1.4em}
figure{margin:0}figure svg{width:100%;max-height:60vh}
ol{list-style:upper-alpha;margin:0 0 0 1.2em;padding:0;font-size:.9em}
details{font-size:.85em;background:#eef0f3;border-radius:.4em;padding:.4em .8em}
summary{cursor:pointer;font-weight:bold}
footer{position:absolute;left:8vmin;right:8vmin;bottom:2vmin;font-size:.5em;color:#5a626c}
@page{size:A4 landscape;margin:0}
@media print{section{height:100vh;break-after:page}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""


def slides(
    sheets: Sequence[Sheet], words: Words, *, hints: bool = False, solutions: bool = False
) -> str:
    """Write worksheets as slides.

    Args:
        sheets: The worksheets.
        words: The texts of their language.
        hints: Add a hint to each question, which a click opens.
        solutions: Add the answer to each question, which a click opens.
    """
    body = [
        line for sheet in sheets for line in _sheet(sheet, words, hints=hints, solutions=solutions)
    ]
    title = sheets[0].title if len(sheets) == 1 else words("lesson.series")
    return document(title, _STYLE, body, words)


def _sheet(sheet: Sheet, words: Words, *, hints: bool, solutions: bool) -> Iterable[str]:
    footer = f"<footer>{formatted(sheet.title)} · {escape(sheet.source)}</footer></section>"
    yield f'<section id="{escape(sheet.name)}"><h1>{formatted(sheet.title)}</h1>'
    yield f'<p class="aim">{formatted(sheet.aim)}</p><p>{formatted(sheet.document)}</p></section>'
    for number, trial in enumerate(sheet.trials, start=1):
        yield f"<section><h2>{escape(words('lesson.experiment'))} {number}</h2>"
        yield from _trial(trial)
        yield footer
    for asked in sheet.asked:
        yield f"<section><h2>{escape(words('lesson.question'))} {asked.number}</h2>"
        yield from _question(asked, words, hints=hints, solutions=solutions)
        yield footer


def _trial(trial: SheetExperiment) -> Iterable[str]:
    yield '<div class="trial"><div>'
    if trial.moves:
        yield f'<p class="moves"><code>{escape(trial.moves)}</code></p>'
    yield f"<p>{formatted(trial.text)}</p></div>"
    for picture in (
        trial.facelets and net(trial.facelets),
        trial.picture and scaled(trial.picture),
    ):
        if picture:
            yield f"<figure>{picture}</figure>"
    yield "</div>"


def _question(asked: SheetQuestion, words: Words, *, hints: bool, solutions: bool) -> Iterable[str]:
    yield f"<p>{formatted(asked.text)}</p>"
    if asked.options:
        yield f"<ol>{''.join(f'<li>{formatted(text)}</li>' for _, text in asked.options)}</ol>"
    if hints:
        yield _opened(words("lesson.hint"), asked.hint)
    if solutions:
        yield _opened(words("lesson.answer"), f"{asked.answer}. {asked.solution}")


def _opened(label: str, text: str) -> str:
    """A text that a click on its label opens."""
    return f"<details><summary>{escape(label)}</summary>{formatted(text)}</details>"
