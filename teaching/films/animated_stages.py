"""The captions of an animated SVG: the turn, the progress, and the stage in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from cube.svg import element
from teaching.films.film import Chapter, FilmLane, Times
from teaching.films.keyframes import Change, SvgSheet, lines_of, seen_in_turn

Place = tuple[float, float]
Word = tuple[float, int]
"""A turn in a row: its distance from the left, and the number of its frame."""
_LINE, _BAR, _VERDICT = 18.0, 8.0, 20.0
_WORD, _SPACE = 7.6, 12.0
_ROWS = 5
"""Number of rows of turns shown at once."""


def draw_stages(
    sheet: SvgSheet,
    lane: FilmLane,
    times: Times,
    at: Place,
    width: float,
    *,
    captions: bool,
    rows: int,
) -> float:
    """Draw the current turn, the progress of the stages, and the stage; return the lower end.

    Args:
        sheet: The document.
        lane: The lane.
        times: Its times.
        at: Its upper left corner.
        width: Maximum width.
        captions: Whether to show all words of a stage, or only its name.
        rows: Minimum number of lines reserved for the final message.
    """
    x, y = at
    verdict = lines_of(lane.verdict, width, bold=True)
    _draw_turn(sheet, lane, times, (x, y + 22), verdict)
    if rows or lane.turns or verdict:
        y += 17 + _VERDICT * max(rows, len(verdict)) + _BAR
    if lane.turns:
        _draw_progress(sheet, lane, times, (x, y - _BAR), width)
    told = [_Told.of(lane, number, width) for number in range(len(lane.chapters))]
    for each, seen in zip(told, seen_in_turn(times.chapters), strict=True):
        sheet.open(**sheet.shown(seen))
        each.draw(sheet, (x, y), captions=captions)
        sheet.close()
    if not captions:
        return y + (_LINE + 8 if rows else 0)
    _draw_pages(sheet, lane, told, times, (x, y))
    return y + max((each.height for each in told), default=0.0)


def _draw_turn(
    sheet: SvgSheet, lane: FilmLane, times: Times, at: Place, verdict: Sequence[str]
) -> None:
    """Draw the current turn: before, one after the other, after."""
    x, y = at
    if not lane.turns:
        _draw_verdict(sheet, verdict, at, "d n")
        return
    first, *others, last = seen_in_turn([*times.begins, times.end_s])
    sheet.text(x, y - 4, lane.words("film.before"), "d n", **sheet.shown(first))
    for number, seen in enumerate(others, start=1):
        sheet.open(**sheet.shown(seen))
        sheet.text(x, y, lane.frames[number].move, "i m")
        sheet.text(x + 96, y, lane.words("film.turn", number=number, count=lane.turns), "d")
        sheet.close()
    sheet.open(**sheet.shown(last))
    _draw_verdict(sheet, verdict, at, "z n")
    sheet.close()


def _draw_verdict(sheet: SvgSheet, verdict: Sequence[str], at: Place, kind: str) -> None:
    for row, line in enumerate(verdict):
        sheet.text(at[0], at[1] - 4 + _VERDICT * row, line, kind)


def _draw_progress(sheet: SvgSheet, lane: FilmLane, times: Times, at: Place, width: float) -> None:
    """Draw a bar with a part for each chapter, in proportion to its number of turns."""
    x, y = at
    turns = max(1, lane.turns)
    shares = [(time_s, number / turns) for number, time_s in enumerate(times.changes)]
    sheet.bar((x, y), (width, _BAR), shares)
    for chapter in lane.chapters[:-1]:
        if 0 < chapter.last < lane.turns:
            cut = x + width * chapter.last / turns - 1
            sheet.body.append(element("rect", class_="g", x=cut, y=y, width=2, height=_BAR))


@dataclass(frozen=True, slots=True)
class _Told:
    """A chapter in lines that fit."""

    head: str
    caption: list[str]
    settles: list[str]
    rows: list[list[Word]]

    @classmethod
    def of(cls, lane: FilmLane, number: int, width: float) -> "_Told":
        chapter: Chapter = lane.chapters[number]
        first = lane.chapters[number - 1].last if number else 0
        return cls(
            lane.headline(number),
            lines_of(chapter.caption, width),
            lines_of(lane.settled(chapter), width),
            _rows(lane, range(first + 1, chapter.last + 1), width),
        )

    @property
    def pages(self) -> list[list[list[Word]]]:
        """Return its turns, in groups that fit."""
        return [self.rows[i : i + _ROWS] for i in range(0, len(self.rows), _ROWS)]

    @property
    def height(self) -> float:
        """Return the height of the chapter in pixels, with all its words."""
        rows = min(_ROWS, len(self.rows)) + len(self.caption) + len(self.settles)
        return 44 + _LINE * rows

    @property
    def moves_top(self) -> float:
        """Return the vertical position of its turns."""
        return 34 + _LINE * len(self.caption)

    def draw(self, sheet: SvgSheet, at: Place, *, captions: bool) -> None:
        """Draw the parts that do not change during the chapter."""
        x, y = at
        sheet.text(x, y + 24, self.head, "i n")
        if not captions:
            return
        for row, line in enumerate(self.caption, start=1):
            sheet.text(x, y + 26 + _LINE * row, line)
        below = y + self.moves_top + _LINE * min(_ROWS, len(self.rows)) + 4
        for row, line in enumerate(self.settles, start=1):
            sheet.text(x, below + _LINE * row, line, "z")


def _draw_pages(
    sheet: SvgSheet, lane: FilmLane, told: Sequence[_Told], times: Times, at: Place
) -> None:
    """Draw the turns of the chapters, page after page, with the current one highlighted."""
    pages, tops, starts = [], [], []
    for each, start in zip(told, times.chapters, strict=True):
        for number, page in enumerate(each.pages or [[]]):
            pages.append(page)
            tops.append(at[1] + each.moves_top)
            starts.append(times.begins[page[0][0][1]] if number else start)
    for page, top, seen in zip(pages, tops, seen_in_turn(starts), strict=True):
        sheet.open(**sheet.shown(seen))
        for row, words in enumerate(page, start=1):
            for offset, number in words:
                begin, end = times.begins[number], times.begins[number] + times.turn_s
                colours: list[Change] = [(0.0, _DIM), (begin, _NOW), (end, _DIM)]
                x, y = at[0] + offset, top + _LINE * row
                move = lane.frames[number].move
                sheet.text(x, y, move, "d", **sheet.valued("fill", colours))
        sheet.close()


_DIM, _NOW = "var(--dim)", "var(--now)"


def _rows(lane: FilmLane, numbers: range, width: float) -> list[list[Word]]:
    """Return the turns of some frames in rows."""
    rows: list[list[Word]] = []
    right = width
    for number in numbers:
        wide = _WORD * len(lane.frames[number].move) + _SPACE
        if right + wide > width:
            rows.append([])
            right = 0.0
        rows[-1].append((right, number))
        right += wide
    return rows
