"""Films of lessons: every frame is the cube and its gauges; and a still picture read back."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from cubes import cube_after, sequences
from hypothesis import given, settings
from sticker_cube import SOLVED, Cube, after, colours

from cube.moves import MoveSequence
from cube.state import SOLVED as SOLVED_STATE
from solver.stages.subgroup_chain import S2_CHAIN, TABLE_CHAIN
from solver.tables import TableStore
from teaching.films.film import Film, FilmFrame
from teaching.films.lesson_film import cube_levels, lesson_film
from teaching.films.stills import stills_svg
from teaching.films.writing import require_picture, write_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import Walk, walk
from teaching.methods.worked_example import WorkedExample
from thistlebot.errors import UsageError
from thistlebot.words.words import DEFAULT, load_words

ENGLISH = load_words(DEFAULT)
SCRAMBLE = "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'"


def solved(name: str, store: TableStore, scramble: str = SCRAMBLE) -> Walk:
    return walk(load_method(name, store), cube_after(scramble))


def fills(frame: FilmFrame) -> dict[int, str]:
    return {slot: look.fill for slot, look in frame.looks.items()}


def states(scramble: str, made: Walk) -> list[Cube]:
    """The cube before the first turn and after each, by stickers in space."""
    found = [after(SOLVED, scramble)]
    for step in made.steps:
        for move in step.moves:
            found.append(after(found[-1], str(move)))
    return found


@pytest.mark.parametrize("name", ["layers", "thistlethwaite", "thistlethwaite-five", "two-phase"])
@settings(max_examples=2)
@given(scramble=sequences(25))
def test_every_frame_is_the_cube_with_its_gauges(
    name: str, store: TableStore, scramble: MoveSequence
) -> None:
    made = solved(name, store, str(scramble))
    film, wanted = lesson_film(made, ENGLISH, name), states(str(scramble), made)
    assert [fills(frame) for frame in film.frames] == list(map(colours, wanted))
    chain = made.chain or TABLE_CHAIN
    state = SOLVED_STATE.apply(scramble)
    for frame, before, cube in zip(film.frames, [wanted[0], *wanted], wanted, strict=False):
        state = state.apply(MoveSequence.parse(frame.move))
        assert frame.levels == cube_levels(state, chain, ENGLISH)
        assert frame.moved >= {slot for slot in range(54) if before[slot] != cube[slot]}
    assert [level.left for level in film.frames[-1].levels] == [0] * 7
    assert [kept.said(film.words) for kept in film.kept] == ["0°", "0°", "+1"]


def test_s2s_example_is_told_in_s2s_orientation() -> None:
    example = WorkedExample()
    made = walk(example, example.state)
    assert made.chain == S2_CHAIN
    assert len(lesson_film(made, ENGLISH, "S2").frames) == 38


def test_a_still_picture_shows_the_puzzle_before_and_after_each_stage(store: TableStore) -> None:
    made = solved("layers", store)
    text = stills_svg(lesson_film(made, ENGLISH, 'layers <&">'))
    stills = [each for each in ET.fromstring(text).iter() if each.get("data-frame")]
    wanted = states(SCRAMBLE, made)
    assert int(stills[0].attrib["data-frame"]) == 0
    assert len(stills) == 1 + len(made.steps)
    for each in stills:
        cells = (cell.attrib for cell in each if cell.get("data-slot"))
        shown = {int(cell["data-slot"]): cell["fill"] for cell in cells}
        assert shown == colours(wanted[int(each.attrib["data-frame"])])
    assert int(stills[-1].attrib["data-frame"]) == len(wanted) - 1
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)
    for word in ("<script", "href", "@import", "url(", "<image", "@font-face", "@keyframes"):
        assert word not in text
    assert "prefers-color-scheme" in text


@pytest.fixture
def empty() -> Film:
    return lesson_film(Walk("layers", SOLVED_STATE, (), 0.0), ENGLISH, "Nothing to do")


def test_an_ending_is_a_kind_and_others_are_refused(empty: Film, tmp_path: Path) -> None:
    for name in ("a.png", "a", "a.svg.gz"):
        for refused in (
            lambda name=name: require_picture(tmp_path / name),
            lambda name=name: write_film(tmp_path / name, empty),
        ):
            with pytest.raises(UsageError, match=r"\.svg.*\.html"):
                refused()
    for name, start in (("a.svg", "<svg"), ("a.HTML", "<!DOCTYPE html>")):
        require_picture(tmp_path / name)
        assert not (tmp_path / name).exists()
        write_film(tmp_path / name, empty)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert len(list(tmp_path.iterdir())) == 2
