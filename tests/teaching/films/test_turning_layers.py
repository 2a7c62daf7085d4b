"""Layers in an animated SVG: they carry each sticker to its place, in both views."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from solver.tables import TableStore
from teaching.films.animation import svg_film
from teaching.films.film import Film, clock_of
from teaching.films.lesson_film import lesson_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import walk

SCRAMBLE = "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'"
_STEP = re.compile(r"([\d.]+)%\{transform:matrix\(([^)]*)\)(?:;visibility:(\w+))?\}")


@pytest.fixture(scope="module")
def film(store: TableStore) -> Film:
    return lesson_film(
        walk(load_method("layers", store), SOLVED.apply(MoveSequence.parse(SCRAMBLE))), "layers"
    )


def last_seen(body: str) -> list[float] | None:
    """Return the map of a movement at the end of its turn; None if it is hidden by then."""
    steps = _STEP.findall(body)
    *_, (_, place, _), (at, _, kind), _ = steps  # the end, shortly after, and the end of the film
    shown = [kind for _, _, kind in steps[:-2] if kind][-1] == "visible"
    assert kind == "hidden" or not shown, at
    return [float(part) for part in place.split(",")] if shown and kind == "hidden" else None


def test_every_layer_carries_its_stickers_to_their_places(film: Film) -> None:
    (lane,), (times,) = film.lanes, clock_of(film).lanes
    root = ET.fromstring(svg_film(film))
    style = "".join(next(each for each in root.iter() if each.tag.endswith("style")).itertext())
    bodies = dict(re.findall(r"@keyframes (k\d+)\{(.*?\})\}", style))
    ends = {name: last_seen(body) for name, body in bodies.items()}
    begins = dict(re.findall(r"\.(d\d+)>g\{animation-delay:([\d.]+)s\}", style))
    marks = [each for each in root.iter() if each.get("data-slot")]
    corners = [[p.split(",") for p in each.attrib["points"].split()] for each in marks]
    middles = np.array(corners, float).mean(axis=1)
    carried, moves = 0, set()
    for group in root.iter():
        kind, _, delay = group.get("class", "").partition(" ")
        if kind != "r":
            continue
        number = int(np.argmin(np.abs(np.array(times.begins) - float(begins[delay]))))
        frame = lane.frames[number]
        moves.add(frame.move)
        offset = np.array(re.findall(r"[\d.]+", group.attrib["transform"]), float)
        for part in group:
            place = ends[part.attrib["class"]]
            if place is None:
                continue
            linear = np.array([[place[0], place[2]], [place[1], place[3]]])
            for path in (each for each in part if each.get("stroke")):
                for dot in re.findall(r"M([\d.]+) ([\d.]+)h0", path.attrib["d"]):
                    at = linear @ np.array(dot, float) + place[4:] + offset
                    misses = np.hypot(*(middles - at).T)
                    assert misses.min() < 0.5, frame.move
                    slot = int(marks[int(misses.argmin())].attrib["data-slot"])
                    assert path.attrib["stroke"] == frame.looks[slot].fill, frame.move
                    carried += 1
    assert {str(move) for move in ALL_MOVES} - moves <= {"B2", "D2", "U2", "F2", "L2", "R2"}
    assert carried == 21 * lane.turns


def test_layers_rest_where_no_motion_is_wanted(film: Film) -> None:
    text = svg_film(film)
    assert re.search(r"prefers-reduced-motion:reduce\)\{\.r>g\{animation:none", text)
    groups = re.findall(r'<g class="k\d+"([^>]*)>', text)
    assert groups
    assert all('visibility="hidden"' in each for each in groups)
