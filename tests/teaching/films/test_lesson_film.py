"""Films of lessons, read back from the file: every frame is the cube, every gauge is true."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
import sticker_facts as facts
from hypothesis import given, settings
from hypothesis import strategies as st
from read_films import FilmReader
from sticker_cube import FACES, SOLVED, Cube, after

from cube.moves import ALL_MOVES, MoveSequence
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.state import SOLVED as SOLVED_STATE
from solver.stages.solution import S2_CHAIN, TABLE_CHAIN, Chain
from solver.tables import TableStore
from teaching.films.animation import svg_film
from teaching.films.film import CLOSING_S, OPENING_S, Film, clock_of
from teaching.films.lesson_film import lesson_film
from teaching.films.writing import require_picture, write_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import Walk, walk
from teaching.methods.worked_example import WorkedExample
from thistlebot.errors import UsageError

SCRAMBLE = "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'"
scrambles = st.lists(st.sampled_from(ALL_MOVES), max_size=25).map(MoveSequence.of)


def solved(name: str, store: TableStore, scramble: str = SCRAMBLE) -> Walk:
    return walk(load_method(name, store), SOLVED_STATE.apply(MoveSequence.parse(scramble)))


def colours(cube: Cube) -> dict[int, str]:
    return {
        i: SCREEN_COLOURS[WESTERN_SCHEME[FACES[sticker // 9]]] for i, sticker in enumerate(cube)
    }


def states(scramble: str, made: Walk) -> list[Cube]:
    """The cube before the first turn and after each, by stickers in space."""
    found = [after(SOLVED, scramble)]
    for step in made.steps:
        for move in step.moves:
            found.append(after(found[-1], str(move)))
    return found


def counted(cube: Cube, chain: Chain) -> list[str]:
    """What the gauges have to say, found by trying what turns do."""
    first, _, last = chain.axes
    counts = [
        len(facts.flipped(cube, first)),
        len(facts.twisted(cube, last)),
        len(facts.strangers(cube, last)),
        len(facts.by_halves(cube, 3)),
        len(facts.by_halves(cube, 2)),
        len(facts.wrong(cube)),
    ]
    said = [f"✓ {count}" if count == 0 else str(count) for count in counts]
    delta = " ".join(facts.delta(cube)) or "none yet"
    said.insert(4, "✓ U R F" if delta == "U R F" else delta)
    return said


@pytest.mark.parametrize("name", ["layers", "thistlethwaite", "thistlethwaite-five", "two-phase"])
@settings(max_examples=2)
@given(scramble=scrambles)
def test_every_frame_is_the_cube_and_every_gauge_is_true(
    name: str, store: TableStore, scramble: MoveSequence
) -> None:
    made = solved(name, store, str(scramble))
    reader = FilmReader(svg_film(lesson_film(made, f'{name} <&">')))
    cuts, wanted = reader.cuts(), states(str(scramble), made)
    assert [reader.stickers(cut) for cut in cuts] == list(map(colours, wanted))
    assert reader.end() == colours(SOLVED)
    chain = made.chain or TABLE_CHAIN
    for cut, cube in zip(cuts, wanted, strict=True):
        assert reader.gauges(cut) == counted(cube, chain)
        assert facts.twist_sum(cube) == 0
        assert facts.odd(cube, 2) == facts.odd(cube, 3)
    assert all(said.startswith("✓") for said in reader.gauges(1.0))
    assert any(text.startswith("A") and text.endswith(": 0°") for text in reader.texts(0))
    assert any(text.startswith("ε") and text.endswith(": +1") for text in reader.texts(0))


def test_s2s_example_is_told_in_s2s_orientation() -> None:
    example = WorkedExample()
    made = walk(example, example.state)
    assert made.chain == S2_CHAIN
    reader = FilmReader(svg_film(lesson_film(made, "S2")))
    assert len(reader.cuts()) == 38


def test_the_file_is_small_and_needs_nothing_else(store: TableStore) -> None:
    text = svg_film(lesson_film(solved("layers", store), "layers"))
    assert len(text) < 700_000
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)
    for word in ("<script", "href", "@import", "url(", "<image", "@font-face"):
        assert word not in text
    assert "prefers-reduced-motion" in text
    assert "prefers-color-scheme" in text


@pytest.fixture(scope="module")
def film() -> Film:
    state = SOLVED_STATE.apply(MoveSequence.parse("R U F2 D' L B U2"))
    return lesson_film(walk(load_method("layers"), state), "layers")


def test_turns_follow_each_other(film: Film) -> None:
    (lane,), clock = film.lanes, clock_of(film)
    (times,) = clock.lanes
    assert len(times.begins) == len(times.changes) == len(lane.frames)
    assert times.begins[1] >= OPENING_S
    ends = {chapter.last for chapter in lane.chapters}
    for number, (one, other) in enumerate(pairwise(times.begins[1:]), start=1):
        rest = other - one - times.turn_s
        assert (rest > 0.5) == (number in ends)
        assert rest > -1e-9
    for begin, change in zip(times.begins[1:], times.changes[1:], strict=True):
        assert begin < change < begin + times.turn_s
    firsts = [0, *(chapter.last for chapter in lane.chapters[:-1])]
    for start, first in zip(times.chapters[1:], firsts[1:], strict=True):
        assert times.begins[first] + times.turn_s < start < times.begins[first + 1]
    assert clock.total_s >= times.end_s + CLOSING_S


@pytest.fixture
def empty() -> Film:
    return lesson_film(Walk("layers", SOLVED_STATE, (), 0.0), "Nothing to do")


def test_an_ending_is_a_kind_and_others_are_refused(empty: Film, tmp_path: Path) -> None:
    for name in ("a.png", "a", "a.svg.gz"):
        for refused in (
            lambda name=name: require_picture(tmp_path / name),
            lambda name=name: write_film(tmp_path / name, empty),
        ):
            with pytest.raises(UsageError, match=r"\.svg.*\.html"):
                refused()
    for name, start in (("a.svg", "<svg"), ("a.HTML", "<!doctype html>")):
        require_picture(tmp_path / name)
        assert not (tmp_path / name).exists()
        write_film(tmp_path / name, empty)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert len(list(tmp_path.iterdir())) == 2
