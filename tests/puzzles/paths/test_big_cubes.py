"""How big cubes are reduced to a 3×3×3: macros, chains of links, beams, and the peephole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.laws import orbit_of
from cube.moves import MoveSequence
from cube.state import SOLVED
from puzzles.groups.words import Alphabet
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.pieces import Arrangement, Pieces
from puzzles.kinds.puzzle import turned
from puzzles.paths.big_cubes import exchange_names, reduced, reducing_frames
from puzzles.paths.chained import Peephole
from puzzles.paths.frames import LinkFrame, orbits_of, placing_frames
from puzzles.paths.macros import Macros, Recipe, macro_tables, macros_of

FACE_TURNS = st.lists(st.sampled_from(["R", "U'", "F2", "D", "L'", "B"]), min_size=1, max_size=12)
SIDES = (4, 5, 7)


@pytest.mark.parametrize("side", SIDES)
@settings(max_examples=2)
@given(names=FACE_TURNS)
def test_face_turns_leave_a_reduced_cube_reduced(side: int, names: list[str]) -> None:
    """It goes as the 3×3×3 goes, and fulfils every check of both frames."""
    box = Box(side, side, side)
    state = turned(box, box.solved, " ".join(names))
    assert reduced(state, side) == SOLVED.apply(MoveSequence.parse(" ".join(names)))
    for frame in reducing_frames(box.pieces, side):
        labels = frame.labels(box.arrangement(state))
        assert frame.checks.score(labels[None]) == [len(frame.checks.pairs)]


@pytest.mark.parametrize("side", SIDES)
@settings(max_examples=2)
@given(data=st.data())
def test_labels_follow_turns(side: int, data: st.DataObject) -> None:
    """What a turn does to a frame's slots is what it does to the stickers in them."""
    box = Box(side, side, side)
    numbers = data.draw(st.lists(st.integers(0, len(box.turns) - 1), max_size=8))
    state, frames = box.solved, reducing_frames(box.pieces, side)
    rows = [frame.labels(box.arrangement(state)) for frame in frames]
    done = box.pieces.solved
    for number in numbers:
        turn = box.turns[number]
        done = done[box.pieces.turns[turn.name]]
        rows = [row[frame.turns[number]] for row, frame in zip(rows, frames, strict=True)]
    for row, frame in zip(rows, frames, strict=True):
        assert np.array_equal(row, frame.labels(done))


@pytest.mark.parametrize("side", [4, 6])
def test_the_exchange_is_what_no_face_turns_make(side: int) -> None:
    box = Box(side, side, side)
    state = turned(box, box.solved, " ".join(exchange_names(side)))
    assert orbit_of(reduced(state, side)).number == 1
    labels = [
        frame.labels(box.arrangement(state))[None] for frame in reducing_frames(box.pieces, side)
    ]
    for frame, row in zip(reducing_frames(box.pieces, side), labels, strict=True):
        assert frame.checks.score(row) == [len(frame.checks.pairs)]
    assert exchange_names(side + 1) == []


PUZZLE = puzzle_named("RUF")
ALPHABET = Alphabet(PUZZLE.turns, PUZZLE.pieces.turns)
WORDS = st.lists(st.integers(0, len(PUZZLE.turns) - 1), max_size=30).map(tuple)


@pytest.fixture(scope="module")
def links() -> list[tuple[LinkFrame, Macros]]:
    inverse = [ALPHABET.inverse((letter,))[0] for letter in range(len(PUZZLE.turns))]
    recipe = Recipe(words=100, inner=50, tries=200_000, most=3000)
    frames = placing_frames(PUZZLE.pieces, orbits_of(PUZZLE.pieces))
    tables = [macro_tables(frame, inverse, recipe) for frame in frames]
    made = [macros_of(table.build(lambda _share: None)) for table in tables]
    return list(zip(frames, made, strict=True))


def test_macros_do_what_their_words_do_and_keep_what_was_brought_about(
    links: list[tuple[LinkFrame, Macros]],
) -> None:
    for frame, macros in links:
        for number in np.random.default_rng(1).integers(0, len(macros.costs), 60).tolist():
            word = macros.word(number)
            effect = np.arange(frame.turns.shape[1])
            for letter in word:
                effect = effect[frame.turns[letter]]
            assert len(word) == macros.costs[number]
            assert np.array_equal(effect, macros.effects[number])
        assert not frame.kept.parted(macros.effects).any()


@settings(max_examples=10)
@given(word=WORDS)
def test_the_peephole_shortens_and_changes_nothing(word: tuple[int, ...]) -> None:
    peephole = Peephole(ALPHABET)
    shorter = peephole.shortened(word)
    assert np.array_equal(ALPHABET.effect(shorter), ALPHABET.effect(word))
    assert len(shorter) <= len(word)
    assert peephole.shortened((*word, *ALPHABET.inverse(word))) == ()


NAMES = ("3x3x3", "RUF", "megaminx", "3x3x5", "balls-cube", "3x3x3x3")


def _at_home(frame: LinkFrame, arrangement: Arrangement) -> bool:
    labels = frame.labels(arrangement)[None]
    return all(
        checks.score(labels)[0] == len(checks.pairs) for checks in (frame.checks, frame.kept)
    )


def _laid(pieces: Pieces) -> list[tuple[int, Arrangement]]:
    """The solved puzzle with one piece laid otherwise in its place, with its orbit's number."""
    found = []
    for number, orbit in enumerate(orbits_of(pieces)):
        kind = next(k for k in pieces.kinds if orbit.slots[0, 0] in k.slots)
        for rotation in kind.rotations[1:]:
            state = pieces.solved
            state[kind.slots[0]] = kind.slots[0][list(rotation)]
            found.append((number, state))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_what_a_chain_brings_about_is_the_solved_puzzle(name: str) -> None:
    """All stickers that turns move are at home when all checks of the last frame are fulfilled.

    A piece that lies otherwise is not at home, whichever way that is: those of the 3x3x3x3 may have
    their first sticker there.
    """
    pieces = puzzle_named(name).pieces
    frames = placing_frames(pieces, orbits_of(pieces))
    for number, state in _laid(pieces):
        assert not _at_home(frames[number], state)
        assert all(_at_home(frame, state) for frame in frames[:number])
    assert all(_at_home(frame, pieces.solved) for frame in frames)
    last, turns = frames[-1], list(pieces.turns.values())
    rng = np.random.default_rng(1)
    for _ in range(20):
        state = pieces.solved
        for turn in rng.integers(len(turns), size=int(rng.integers(4))):
            state = state[turns[turn]]
        assert _at_home(last, state) == np.array_equal(state, pieces.solved)
