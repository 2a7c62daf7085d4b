"""Which pieces a chain of links looks at, and how it knows that they are at home."""

import numpy as np
import pytest

from solver.puzzles.catalogue import puzzle_named
from solver.puzzles.pieces import Arrangement, Pieces
from solver.ways.frames import Frame
from solver.ways.placing import orbits_of, placing_frames

NAMES = ("3x3x3", "RUF", "megaminx", "3x3x5", "balls-cube", "3x3x3x3")


def _at_home(frame: Frame, arrangement: Arrangement) -> bool:
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
