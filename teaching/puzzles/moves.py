"""Moves of puzzles as people write them, other moves than the puzzle's own among them.

Any way to turn a cube makes a state of each of its relatives: `R` asks of half turns whether they
can undo it. Slices move the centres of the box 3×3×3, which has them; where the centres stand
still a slice is a turn of the two faces beside it, seen from the centres (`cube.held_moves`).
"""

from dataclasses import dataclass
from typing import Any

from cube.held_moves import read_moves
from cube.moves import NotationError, plain_primes
from cube.state import SOLVED
from puzzles.kinds.box import SLICES, Box
from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.supercubes import Supercube, ThreeColourCube
from thistlebot.errors import UsageError

_INVERSE = {"": "'", "2": "2", "'": ""}


@dataclass(frozen=True, slots=True)
class Made:
    """What moves make of a solved puzzle.

    Attributes:
        state: The state.
        moves: The moves by the names of turns.
        foreign: Those that the puzzle itself does not make.
    """

    state: Any
    moves: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


def made_by(puzzle: AnyPuzzle, text: str) -> Made:
    """Make moves.

    Args:
        puzzle: Whose state they make.
        text: Names of its turns; for cubes moves of faces, slices, two layers and the whole cube.

    Raises:
        UsageError: These are no moves of this puzzle.
    """
    turns = {turn.name: turn for turn in puzzle.turns}
    words = tuple(plain_primes(text).split())
    if not set(words) <= set(turns):
        words = _rewritten(puzzle, text, words)
    foreign = tuple(word for word in dict.fromkeys(words) if word not in turns)
    if isinstance(puzzle, CubePuzzle) and foreign:
        return Made(SOLVED.apply(read_moves(" ".join(words))), words, foreign)
    if foreign:
        raise UsageError(f"{puzzle.name} has no turn {foreign[0]}; its turns are {' '.join(turns)}")
    state = puzzle.solved
    for word in words:
        state = puzzle.apply(state, turns[word])
    return Made(state, words)


def _rewritten(puzzle: AnyPuzzle, text: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The moves by the names of faces, or of the layers of a box with middle ones."""
    if isinstance(puzzle, Box):
        return tuple(map(_of_box, words)) if puzzle.name == "3×3×3" else words
    if not isinstance(puzzle, (CubePuzzle, Supercube, ThreeColourCube)):
        return words
    try:
        return tuple(map(str, read_moves(text)))
    except NotationError as error:
        own = " ".join(turn.name for turn in puzzle.turns)
        raise UsageError(f"{error}; the turns of {puzzle.name} are {own}") from error


def _of_box(word: str) -> str:
    """A slice by the name of its layer."""
    layer, sense = SLICES.get(word[:1], (word[:1], 1))
    suffix = word[1:]
    return layer + (suffix if sense > 0 else _INVERSE.get(suffix, suffix))
