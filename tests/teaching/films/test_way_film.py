"""Films of ways: every sticker is where turns of its pieces carry it."""

from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from cubes import TWISTED
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import PuzzleTurn, scrambled
from teaching.films.film import Film
from teaching.films.player import html_film
from teaching.films.stills import stills_svg
from teaching.films.way_film import kept_of, still_film, way_film
from thistlebot.words.words import DEFAULT, load_words

ENGLISH = load_words(DEFAULT)
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
    kept = kept_of(Analysis(puzzle), state, puzzle.solved, ENGLISH)
    return puzzle, state, back, way_film(puzzle, state, back, WORDS, ENGLISH, kept=kept)


def shown(film: Film) -> list[dict[int, tuple[str, str]]]:
    """Colour and letter of each slot, frame by frame."""
    return [
        {slot: (look.fill, look.label) for slot, look in frame.looks.items()}
        for frame in film.frames
    ]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=2)
@given(length=st.integers(0, 6), seed=st.integers(0, 1000))
def test_every_sticker_is_where_turns_carry_it(name: str, length: int, seed: int) -> None:
    puzzle, state, back, film = undone(name, length, seed)
    frames, pieces = shown(film), puzzle.pieces
    looks = {pieces.colours[slot]: look for slot, look in frames[-1].items()}
    assert len(set(looks.values())) == len(looks)
    told = [np.array(pieces.looks(puzzle.arrangement(state)))]
    for turn in back:
        told.append(told[-1][pieces.turns[turn.name]])
    assert frames == [{slot: looks[colours[slot]] for slot in frames[-1]} for colours in told]
    unlike = [
        sum(any(colours[list(p.slots)] != told[-1][list(p.slots)]) for p in pieces.places)
        for colours in told
    ]
    levels = [frame.levels for frame in film.frames]
    assert [sum(level.left for level in each) for each in levels] == (unlike if back else [0])


def test_what_no_turns_can_change_is_told_for_both_states() -> None:
    puzzle = puzzle_named("3x3x3")
    ends = kept_of(Analysis(puzzle), TWISTED, puzzle.solved, ENGLISH)
    (kept,) = [kept for kept in ends if kept.differs]
    assert (kept.here, kept.there) == ("1", "0")
    film = still_film(puzzle, TWISTED, WORDS, ENGLISH, ends)
    told = f"{kept.name}: {ENGLISH('film.both', here='1', there='0')}"
    assert told in html_film(film)
    assert told in " ".join(ET.fromstring(stills_svg(film)).itertext())
