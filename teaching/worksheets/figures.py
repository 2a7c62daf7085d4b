"""The mathematical results behind the answers of worksheets: computed here, not stored."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np

from cube.laws import permutation_parity
from cube.moves import MoveSequence, qtm
from cube.state import CubeState
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.orbits import orbit
from puzzles.kinds.pieces import Arrangement
from teaching.puzzles_as_typed import Word, WordReader
from teaching.worksheets.worksheet import CUBE


@cache
def analysis(puzzle: str = CUBE) -> Analysis[Any]:
    """Return the analysis of a puzzle."""
    return Analysis(puzzle_named(puzzle))


@cache
def reader(puzzle: str = CUBE) -> WordReader:
    """Return the parser for words of a puzzle."""
    return WordReader(puzzle_named(puzzle))


def word(text: str, puzzle: str = CUBE) -> Word:
    """Parse a word of a puzzle.

    Raises:
        NotationError: It is not a word of this puzzle.
    """
    return reader(puzzle).read(text)


def cube(text: str) -> CubeState:
    """Return the state that a word of the 3×3×3 cube makes of the solved one."""
    state = word(text).cube
    assert state is not None
    return state


def corners_odd(state: CubeState) -> bool:
    """Return whether a state permutes the corners oddly."""
    return permutation_parity(state.corner_permutation) == 1


def quarter_turns(text: str) -> int:
    """Return the number of quarter turns of a word."""
    return qtm(MoveSequence.parse(" ".join(word(text).moves)))


def quarters_said(text: str) -> dict[str, object]:
    """Return a word and its number of quarter turns, as values of a text."""
    return {"word": text, "quarters": quarter_turns(text)}


@cache
def orbit_sizes(puzzle: str) -> tuple[int, ...]:
    """Return the sizes of a small puzzle's orbits, found by turning alone.

    Its pieces have no twists: swaps of two of a kind lead from each re-assembly to all.
    """
    pieces = analysis(puzzle).pieces
    turns, changes = list(pieces.turns.values()), []
    for kind in pieces.kinds:
        for row in kind.slots[1:]:
            made = pieces.solved
            made[kind.slots[0]], made[row] = row, kind.slots[0]
            changes.append(made)
    reassembled = orbit(pieces.solved.tobytes(), map(_on_bytes, changes))
    return sizes_of_orbits(reassembled, list(map(_on_bytes, turns)))


def _on_bytes(change: Arrangement) -> Callable[[bytes], bytes]:
    """Return what a change makes of an arrangement, both as bytes."""
    return lambda here: bytes(np.frombuffer(here, dtype=np.int64)[change].tobytes())


Where = TypeVar("Where", bound=Hashable)


def sizes_of_orbits(
    everything: Iterable[Where], steps: Sequence[Callable[[Where], Where]]
) -> tuple[int, ...]:
    """Return the sizes of the orbits into which steps that can be undone divide something."""
    left, sizes = set(everything), list[int]()
    while left:
        one = orbit(next(iter(left)), steps)
        left.difference_update(one)
        sizes.append(len(one))
    return tuple(sizes)
