"""Films of ways, read back from the file: every sticker is where turns of its pieces carry it."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from read_films import FilmReader

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED, CubeState
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import PuzzleTurn, scrambled
from solver.tables import TableStore
from teaching.films.animation import svg_film
from teaching.films.film import Film, clock_of
from teaching.films.lesson_film import lesson_film
from teaching.films.player import html_film
from teaching.films.way_film import apart_film, ends_of, way_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import walk

NAMES = ("3x3x3-slices", "1x2x3", "4x4x4", "phi3", "three-colour", "3x3x3x3", "pyraminx")
NAMES += ("octahedron", "dodecahedron", "balls-cube")
WORDS = ("a puzzle", "from here to there", "made up")


def undone(
    name: str, length: int, seed: int
) -> tuple[AnyPuzzle, Any, tuple[PuzzleTurn, ...], Film]:
    puzzle = puzzle_named(name)
    state, turns = scrambled(puzzle, length, np.random.default_rng(seed))
    by_name = {turn.name: turn for turn in puzzle.turns}
    back = tuple(by_name[turn.inverse] for turn in reversed(turns))
    ends = ends_of(Analysis(puzzle), state, puzzle.solved)
    return puzzle, state, back, way_film(puzzle, ends, back, WORDS)


Look = tuple[str, str | None]


def shown(reader: FilmReader, share: float) -> dict[int, Look]:
    """Colour of each slot, and its letter where there is room for one."""
    letters = reader.letters(share)
    return {slot: (fill, letters.get(slot)) for slot, fill in reader.stickers(share).items()}


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=2)
@given(length=st.integers(0, 6), seed=st.integers(0, 1000))
def test_every_sticker_is_where_turns_carry_it(name: str, length: int, seed: int) -> None:
    puzzle, state, back, film = undone(name, length, seed)
    reader, pieces = FilmReader(svg_film(film)), puzzle.pieces
    solved = shown(reader, 1.0)
    fills = {pieces.colours[slot]: fill for slot, (fill, _) in solved.items()}
    letters = {pieces.colours[slot]: letter for slot, (_, letter) in solved.items() if letter}
    assert len({(fills[colour], letter) for colour, letter in letters.items()}) == len(fills)
    told = [np.array(pieces.looks(puzzle.arrangement(state)))]
    for turn in back:
        told.append(told[-1][pieces.turns[turn.name]])
    frames: list[dict[int, Look]] = []
    unlike: list[int] = []
    for colours in told:
        frame = {
            slot: (fills[colours[slot]], letters[colours[slot]] if letter else None)
            for slot, (_, letter) in solved.items()
        }
        if frames and frames[-1] == frame:
            continue
        frames.append(frame)
        wrong = [any(colours[list(p.slots)] != told[-1][list(p.slots)]) for p in pieces.places]
        unlike.append(sum(wrong))
    cuts = sorted({*reader.cuts(), *reader.cuts(letters=True)})
    assert [shown(reader, cut) for cut in cuts] == frames
    counted = [sum(int(said.removeprefix("✓ ")) for said in reader.gauges(cut)) for cut in cuts]
    assert counted == unlike
    assert all(said == "✓ 0" for said in reader.gauges(1.0))


def test_states_that_no_turns_connect_stand_side_by_side() -> None:
    puzzle = puzzle_named("3x3x3")
    twisted = CubeState(tuple(range(8)), (1, *(0,) * 7), tuple(range(12)), (0,) * 12)
    ends = ends_of(Analysis(puzzle), twisted, puzzle.solved)
    (invariant,) = [kept.name for kept in ends.kept if kept.differs]
    film = apart_film(puzzle, ends, WORDS[:2])
    reader = FilmReader(svg_film(film))
    pairs = zip(reader.stickers(0.5).values(), reader.stickers(0.5, 1).values(), strict=True)
    assert sum(one != other for one, other in pairs) == 3
    for lane, value in enumerate("10"):
        told = f"{invariant}: {value}"
        assert any(text.startswith(told) for text in reader.texts(0, lane))
        assert told in html_film(film)


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
