"""A puzzle's figure in an animated SVG: stickers that change colour, letters that take turns."""

from xml.sax.saxutils import escape

from cube.drawing import Patch, Point, middle_of
from teaching.films.figures import StickerMark
from teaching.films.film import FilmLane, StickerLook
from teaching.films.ink import ink_on
from teaching.films.svg.keyframes import timed
from teaching.films.svg.sheet import SvgSheet, element
from teaching.films.timing import Times

_MOST_LETTERS = 12_000
"""Above so many changes of letters only the colours change, so that the file stays small."""
_RIM = 0.95


def draw_figure(sheet: SvgSheet, lane: FilmLane, times: Times, offset: Point) -> None:
    """Draw the figure of a lane at an offset."""
    left, top = offset
    for (x1, y1), (x2, y2) in lane.figure.lines:
        ends = f'x1="{left + x1:.1f}" y1="{top + y1:.1f}" x2="{left + x2:.1f}" y2="{top + y2:.1f}"'
        sheet.body.append(f'<line class="l" {ends}/>')
    for back in lane.figure.backs:
        sheet.body.append(element(Patch(back, ""), offset, ' class="p"'))
    for (x, y), words in lane.figure.words:
        sheet.text(left + x, top + y, words, "d")
    shown = {slot: _shown(lane, times, slot) for slot in {mark.slot for mark in lane.figure.marks}}
    lettered = sum(map(len, shown.values())) <= _MOST_LETTERS
    for mark in lane.figure.marks:
        looks = shown[mark.slot]
        fill = sheet.keyframes.name("fill", [(time_s, look.fill) for time_s, look in looks])
        rim = sheet.keyframes.name("stroke-opacity", _rims(lane, times, mark.slot))
        look = f'class="s" data-slot="{mark.slot}" fill="{looks[-1][1].fill}"'
        attributes = f" {look}{timed(fill, rim)}"
        sheet.body.append(element(mark.shape, offset, attributes))
        if mark.letter_px and lettered:
            _letters(sheet, mark, looks, offset)


def _shown(lane: FilmLane, times: Times, slot: int) -> list[tuple[float, StickerLook]]:
    """What a slot shows, from when on."""
    found: list[tuple[float, StickerLook]] = []
    for time_s, frame in zip(times.changes, lane.frames, strict=True):
        look = frame.looks[slot]
        if not found or found[-1][1] != look:
            found.append((time_s, look))
    return found


def _rims(lane: FilmLane, times: Times, slot: int) -> list[tuple[float, str]]:
    """When a slot is marked, because its sticker turns."""
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
    """Everything that is ever written on a sticker, seen when it is."""
    x, y = middle_of(mark.shape)
    x, y = x + offset[0], y + offset[1]
    place = f'data-letter="{mark.slot}" x="{x:.1f}" y="{y:.1f}"'
    if mark.slant:
        a, b, c, d = mark.slant
        matrix = f"matrix({a:.3f} {b:.3f} {c:.3f} {d:.3f} {x:.1f} {y:.1f})"
        place = f'data-letter="{mark.slot}" transform="{matrix}"'
    for look in dict.fromkeys(look for _, look in looks if look.label):
        seen = [(time_s, shown == look) for time_s, shown in looks]
        attributes = sheet.shown(seen)
        size = f'font-size="{mark.letter_px:.0f}" fill="{ink_on(look.fill)}"'
        sheet.body.append(f"<text {place} {size}{attributes}>{escape(look.label)}</text>")
