"""A film as JSON, for the script of its page.

``looks`` is a table of fill, label and ink; a lane begins with the look of each of its ``slots``,
and each frame tells ``d``, slots by their place in that list and their new looks by turns, and
``g``, the gauges. ``moved`` are the slots that a turn carries, by its name.
"""

from typing import Any

import msgspec

from teaching.films.film import Film, FilmFrame, FilmLane, StickerLook
from teaching.films.ink import ink_on
from teaching.films.timing import pace_of

Table = dict[StickerLook, int]


def film_data(film: Film) -> str:
    """Everything that the script of a page needs."""
    table: Table = {}
    lanes = [_lane(lane, table) for lane in film.lanes]
    looks = [[look.fill, look.label, ink_on(look.fill)] for look in table]
    pace = pace_of(film)
    data = {
        "looks": looks,
        "turn_ms": round(1000 * pace.turn_s),
        "rest_ms": round(1000 * (pace.read_s + pace.rest_s)),
        "lanes": lanes,
    }
    return msgspec.json.encode(data).decode()


def _lane(lane: FilmLane, table: Table) -> dict[str, Any]:
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
        frames.append({"m": frame.move, "d": changed, "g": _levels(frame)})
        before = frame
    moved = {
        frame.move: [places[slot] for slot in sorted(frame.moved) if slot in places]
        for frame in lane.frames[1:]
    }
    return {
        "slots": slots,
        "start": start,
        "g": _levels(lane.frames[0]),
        "most": [gauge.most for gauge in lane.gauges],
        "frames": frames,
        "moved": moved,
        "chapters": [
            {
                "name": lane.headline(number),
                "caption": each.caption,
                "settles": each.settles,
                "last": each.last,
            }
            for number, each in enumerate(lane.chapters)
        ],
        "verdict": lane.verdict,
    }


def _levels(frame: FilmFrame) -> list[list[int | str]]:
    return [[level.left, level.said] for level in frame.levels]
