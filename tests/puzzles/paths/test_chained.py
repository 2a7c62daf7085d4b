"""Chains of links, and the peephole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from puzzles.groups.peephole import Peephole
from puzzles.groups.words import Alphabet
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.pieces import Arrangement, Pieces
from puzzles.paths.frames import Checks, Labels, LinkFrame, orbits_of, placing_frames

PUZZLE = puzzle_named("RUF")


def frames_of(pieces: Pieces) -> list[LinkFrame]:
    orbits = orbits_of(pieces)
    even = [orbit for orbit in orbits if not orbit.alike]
    return placing_frames(pieces, [(orbit,) for orbit in orbits], even)


ALPHABET = Alphabet(PUZZLE.turns, PUZZLE.pieces.turns)
WORDS = st.lists(st.integers(0, len(PUZZLE.turns) - 1), max_size=30).map(tuple)


@settings(max_examples=10)
@given(word=WORDS)
def test_the_peephole_shortens_and_changes_nothing(word: tuple[int, ...]) -> None:
    peephole = Peephole(ALPHABET)
    shorter = peephole.shortened(word)
    assert np.array_equal(ALPHABET.effect(shorter), ALPHABET.effect(word))
    assert len(shorter) <= len(word)
    assert peephole.shortened((*word, *ALPHABET.inverse(word))) == ()


NAMES = ("3x3x3", "RUF", "megaminx", "3x3x5", "balls-cube", "3x3x3x3")


def fulfilled(checks: Checks, labels: Labels) -> NDArray[np.bool_]:
    """Return which checks a state fulfils."""
    one, other = labels[checks.pairs].T
    return np.asarray(checks.mates[one] == other)


def _at_home(frames: list[LinkFrame], arrangement: Arrangement) -> bool:
    """Whether the goals of all frames are achieved."""
    return all(fulfilled(frame.checks, frame.labels(arrangement)).all() for frame in frames)


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
    """All stickers that turns move are at home when the checks of all frames are fulfilled.

    A piece that lies otherwise is not at home, whichever way that is: those of the 3x3x3x3 may have
    their first sticker there.
    """
    pieces = puzzle_named(name).pieces
    frames, turns = frames_of(pieces), list(pieces.turns.values())
    for number, state in _laid(pieces):
        assert not _at_home(frames[number : number + 1], state)
        assert _at_home(frames[:number], state)
    assert _at_home(frames, pieces.solved)
    rng = np.random.default_rng(1)
    for _ in range(20):
        state = pieces.solved
        for turn in rng.integers(len(turns), size=int(rng.integers(4))):
            state = state[turns[turn]]
        assert _at_home(frames, state) == (pieces.looks(state) == pieces.looks(pieces.solved))
