"""Films of ways, read back from the file: every sticker is where turns of its pieces carry it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from read_films import FilmReader

from cube.state import CubeState
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import PuzzleTurn, scrambled
from teaching.films.animation import svg_film
from teaching.films.film import Film
from teaching.films.player import html_film
from teaching.films.way_film import apart_film, ends_of, way_film

NAMES = ("3x3x3-slices", "1x2x3", "4x4x4", "phi3", "three-colour", "3x3x3x3", "pyraminx")
NAMES += ("octahedron", "dodecahedron", "balls-cube")
WORDS = ("a puzzle", "from here to there", "made up")


def undone(
    name: str, length: int, seed: int
) -> tuple[AnyPuzzle, Any, tuple[PuzzleTurn, ...], Film]:
    """A scramble, the turns that undo it, and their film."""
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
