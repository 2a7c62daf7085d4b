"""Layers in an animated SVG: they carry each sticker to its place, in both views."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.puzzle import scrambled
from solver.tables import TableStore
from teaching.films.animation import svg_film
from teaching.films.film import Film, clock_of
from teaching.films.lesson_film import lesson_film
from teaching.films.way_film import ends_of, way_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import walk

SCRAMBLE = "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'"
_STEP = re.compile(r"([\d.]+)%\{visibility:(?:hidden|visible;transform:matrix\(([^)]*)\))\}")


@pytest.fixture(scope="module")
def film(store: TableStore) -> Film:
    return lesson_film(
        walk(load_method("layers", store), SOLVED.apply(MoveSequence.parse(SCRAMBLE))), "layers"
    )


@pytest.fixture(scope="module")
def large() -> Film:
    """Inner layers of a cube, seen from each of its faces."""
    puzzle = puzzle_named("5x5x5")
    path = scrambled(puzzle, 12, np.random.default_rng(4))[1]
    return way_film(
        puzzle, ends_of(Analysis(puzzle), puzzle.solved, puzzle.solved), path, ("", "", "")
    )


def last_places(style: str) -> dict[str, list[float] | None]:
    """Return the map of each movement at the end of its turn; None if it is hidden by then."""
    bodies = dict(re.findall(r"@keyframes (k\d+)\{(.*?\})\}", style))
    steps = {name: _STEP.findall(body) for name, body in bodies.items()}
    assert all(not place for *_, (_, place) in steps.values())  # hidden in the end
    end = max((at for *_, (at, _) in steps.values()), key=float)
    return {
        name: [float(part) for part in place.split(",")] if at == end else None
        for name, (*_, (_, place), (at, _)) in steps.items()
    }


def carried(film: Film) -> tuple[set[str], int]:
    """Return the moves of a film, and how many stickers they carry to their places, all of them."""
    (lane,), (times,) = film.lanes, clock_of(film).lanes
    root = ET.fromstring(svg_film(film))
    style = "".join(next(each for each in root.iter() if each.tag.endswith("style")).itertext())
    ends = last_places(style)
    begins = dict(re.findall(r"\.(d\d+)>g\{animation-delay:([\d.]+)s\}", style))
    marks = [each for each in root.iter() if each.get("data-slot")]
    corners = [[p.split(",") for p in each.attrib["points"].split()] for each in marks]
    middles = np.array(corners, float).mean(axis=1)
    found, moves = 0, set()
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
                    found += 1
    return moves, found


def test_every_layer_carries_its_stickers_to_their_places(film: Film, large: Film) -> None:
    moves, stickers = carried(film)
    assert {str(move) for move in ALL_MOVES} - moves <= {"B2", "D2", "U2", "F2", "L2", "R2"}
    assert stickers == 21 * film.lanes[0].turns
    moves, stickers = carried(large)
    turns = [frame.move for frame in large.lanes[0].frames[1:]]
    assert {"2", "3", "4"} <= {move[0] for move in turns}
    # around an inner layer, and all that lies in front of it in the two views; or an outer layer
    assert stickers == sum(20 + 90 if move[0].isdigit() else 20 + 25 for move in turns)
    assert moves == set(turns)


def test_layers_rest_where_no_motion_is_wanted(film: Film) -> None:
    text = svg_film(film)
    assert re.search(r"prefers-reduced-motion:reduce\)\{\.r>g\{animation:none", text)
    groups = re.findall(r'<g class="k\d+"([^>]*)>', text)
    assert groups
    assert all('visibility="hidden"' in each for each in groups)
