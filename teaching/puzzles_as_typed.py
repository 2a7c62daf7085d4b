"""Text input for any puzzle: moves, words of them, and paths from one state to another.

Any turn of a cube makes a state of each of its relatives: `R` for the half-turn cube is the
question whether half turns can undo it. Slices move the centres of the box 3×3×3, which has them;
on a cube with fixed centres a slice is a turn of the two neighbouring faces, relative to the
centres (`cube.held_moves`).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any

import numpy as np

from cube import held_moves
from cube.errors import ThistlebotError
from cube.held_moves import read_moves
from cube.moves import MoveSequence, NotationError, plain_primes
from cube.state import SOLVED, CubeState
from puzzles.algebra.cycles import Element
from puzzles.algebra.notation import Letters, read_word
from puzzles.groups.analysis import Analysis, Difference
from puzzles.groups.searches import Failed, shortest, solutions
from puzzles.groups.word_ways import WordWays
from puzzles.groups.words import Alphabet
from puzzles.kinds.box import SLICES, Box
from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.puzzle import Puzzle, PuzzleTurn
from puzzles.kinds.supercubes import Supercube, ThreeColourCube
from puzzles.paths.large.cube_turns import wide_count
from puzzles.paths.large.frames import BUDGET_MS, is_big_cube
from puzzles.paths.way import MEMORY
from solver.tables import TableStore
from thistlebot.errors import UsageError

_INVERSE = {"": "'", "2": "2", "'": ""}


@dataclass(frozen=True, slots=True)
class Made:
    """The result of moves on a solved puzzle.

    Attributes:
        state: The state.
        moves: The moves by the names of turns.
        foreign: Those that the puzzle itself cannot make.
    """

    state: Any
    moves: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


def made_by(puzzle: AnyPuzzle, text: str) -> Made:
    """Apply moves.

    Args:
        puzzle: The puzzle.
        text: Names of its turns; for cubes moves of faces, slices, two layers and the whole cube.

    Raises:
        UsageError: They are not moves of this puzzle.
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
    """Return the moves by the names of faces, or of the layers of a box with middle ones."""
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
    """Return a slice by the name of its layer."""
    layer, sense = SLICES.get(word[:1], (word[:1], 1))
    suffix = word[1:]
    return layer + (suffix if sense > 0 else _INVERSE.get(suffix, suffix))


_MOST_MOVES = 10_000
_MOST_NAMED = 24
_BOX_WITH_SLICES = "3×3×3"


@dataclass(frozen=True, slots=True)
class Combined:
    """Two words A and B combined.

    Attributes:
        name: Its name: ``product``, ``commutator`` …
        formula: Its notation with A and B.
        word: Its text.
    """

    name: str
    formula: str
    word: str


def combined(one: str, other: str) -> tuple[Combined, ...]:
    """Return the combinations of two words."""
    a, b = f"({one})", f"({other})"
    return (
        Combined("product", "A B", f"{a} {b}"),
        Combined("product", "B A", f"{b} {a}"),
        Combined("conjugate", "[A: B] = A B A'", f"{a} {b} {a}'"),
        Combined("conjugate", "[B: A] = B A B'", f"{b} {a} {b}'"),
        Combined("commutator", "[A, B] = A B A' B'", f"{a} {b} {a}' {b}'"),
    )


@dataclass(frozen=True, slots=True)
class Word:
    """A parsed word.

    Attributes:
        text: As typed.
        moves: Its moves by the names of turns, one by one.
        foreign: Those that the puzzle itself cannot make.
        state: Its result on the solved puzzle.
        element: Its effect.
        holds: Whether the cube has its original orientation afterwards; otherwise the same letters
            turn other faces when repeated.
    """

    text: str
    moves: tuple[str, ...]
    foreign: tuple[str, ...]
    state: Any
    element: Element
    holds: bool

    @property
    def cube(self) -> CubeState | None:
        """Return the state, for a puzzle whose states are those of the 3×3×3 cube."""
        return self.state if isinstance(self.state, CubeState) else None


class WordReader:
    """Parses words of one puzzle."""

    def __init__(self, puzzle: AnyPuzzle) -> None:
        self.puzzle = puzzle
        self._turns = {turn.name: turn for turn in puzzle.turns}
        self._held = isinstance(puzzle, (CubePuzzle, Supercube, ThreeColourCube))
        shown = [*self._turns][:_MOST_NAMED] + ["…"] * (len(self._turns) > _MOST_NAMED)
        also = " and M E S, Rw, x y z" if self._held else ""
        self._letters = Letters(puzzle.name, self._known, self._undoing, " ".join(shown) + also)
        self._alphabet = Alphabet(puzzle.turns, puzzle.pieces.turns)

    def read(self, text: str) -> Word:
        """Parse a word.

        Raises:
            WordError: It is not a word of this puzzle; the message names the place of the error.
        """
        typed = " ".join(read_word(text, self._letters, _MOST_MOVES))
        made = made_by(self.puzzle, typed)
        if made.foreign:  # only cubes accept foreign moves, and their states identify each piece
            done = self.puzzle.arrangement(made.state)
        else:
            done = self.puzzle.pieces.solved
            for move in made.moves:
                done = done[self.puzzle.pieces.turns[move]]
        holds = True
        if self._held and not set(typed.split()) <= set(self._turns):
            once, twice = (held_moves.read_moves(typed * n) for n in (1, 2))
            holds = twice == once + once
        element = Element(self.puzzle.pieces, done)
        return Word(text, made.moves, made.foreign, made.state, element, holds)

    def shortened(self, word: Word) -> tuple[str, ...]:
        """Return the moves of a word, with those of one layer merged where they meet."""
        if word.foreign:
            return tuple(map(str, MoveSequence.parse(" ".join(word.moves)).simplified()))
        numbers = {turn.name: number for number, turn in enumerate(self._alphabet.turns)}
        simple = self._alphabet.simple(tuple(numbers[move] for move in word.moves))
        return tuple(self._alphabet.turns[letter].name for letter in simple)

    def inverse(self, word: Word) -> tuple[str, ...]:
        """Return the moves that undo a word, merged in the same way."""
        return tuple(self._undoing(move) for move in reversed(self.shortened(word)))

    def _known(self, text: str) -> bool:
        if text in self._turns or (self._held and held_moves.is_move(text)):
            return True
        slices = isinstance(self.puzzle, Box) and self.puzzle.name == _BOX_WITH_SLICES
        return slices and text[:1] in SLICES and text[1:] in {"", "2", "'"}

    def _undoing(self, move: str) -> str:
        turn = self._turns.get(move)
        return held_moves.undoing(move) if turn is None else turn.inverse


class PuzzleMethod(StrEnum):
    """The methods of solving a puzzle."""

    AUTO = "auto"
    WORDS = "words"
    BIDIRECTIONAL = "bidirectional"
    BACKTRACKING = "backtracking"


SEARCHES = (PuzzleMethod.BIDIRECTIONAL, PuzzleMethod.BACKTRACKING)
"""The methods that search for a shortest path, up to a limit."""


@dataclass(frozen=True, slots=True)
class FoundPath:
    """The result of a search between two states.

    Attributes:
        moves: A path, or None if none was found.
        method: The method.
        shortest: Whether no path has fewer moves.
        differences: The invariants in which the states differ: then there is no path.
        solutions: Every solution within the limit, the shortest first, if all were requested.
        failed: The failed paths that backtracking keeps: turns made, and the number of further
            turns that do not lead home from there.
        counts: The number of states at each distance from the end, if a table knows all of them.
        wide: The number of turns of a large cube if layers that turn together from one side on
            count once; None for other puzzles.
    """

    moves: tuple[PuzzleTurn, ...] | None
    method: str
    shortest: bool = False
    differences: tuple[Difference, ...] = ()
    solutions: tuple[tuple[PuzzleTurn, ...], ...] = ()
    failed: tuple[tuple[tuple[PuzzleTurn, ...], int], ...] = ()
    counts: tuple[int, ...] = ()
    wide: int | None = None


def connect(
    analysis: Analysis[Any],
    one: Any,
    other: Any,
    way: PuzzleMethod,
    *,
    limit: int,
    memory: int = MEMORY,
    store: TableStore,
    rng: np.random.Generator,
    every: bool = False,
    quarters: bool = False,
    budget_ms: float = BUDGET_MS,
    wide: bool = False,
) -> FoundPath:
    """Find turns from one state to another.

    Args:
        analysis: The puzzle's analysis.
        one: The start.
        other: The end; None for solved, in any orientation.
        way: The method; AUTO uses the one with the shortest paths for this puzzle.
        limit: Maximum number of moves of backtracking and of the search from both ends.
        memory: Maximum memory of a search in bytes.
        store: The storage of the solvers' tables.
        rng: Random generator of the words to try.
        quarters: Let backtracking make single steps only, as S5 does.
        every: Let backtracking continue to all longer solutions within the limit.
        budget_ms: Processor time for a path of a cube with more than three layers.
        wide: Let layers of such a cube that turn together from one side on count once.

    Raises:
        SolverError: A state is not a re-assembly of the puzzle.
        UsageError: Backtracking is requested for another end than the solved puzzle.
    """
    puzzle = analysis.puzzle
    if way is PuzzleMethod.BACKTRACKING:
        if other is not None:
            raise UsageError("backtracking can only search for the solved puzzle; leave --to out")
        failed: Failed = {}
        ways = solutions(puzzle, one, limit, longer=every, failed=failed, quarters=quarters)
        found = tuple(ways if every else islice(ways, 1))
        best = found[0] if found else None
        connection = _searched(analysis, best, way, one, _solved(puzzle))
        kept = tuple((made, togo) for (_, _, togo), made in failed.items())
        connection = replace(connection, failed=kept)
        return replace(connection, solutions=found) if every else connection
    end = puzzle.solved if other is None else other
    if way is PuzzleMethod.BIDIRECTIONAL:
        goals = _solved(puzzle) if other is None else (end,)
        try:
            moves = shortest(puzzle, one, limit, goals)
        except MemoryError as error:
            raise ThistlebotError(f"{limit} moves reach too many states: lower --limit") from error
        return _searched(analysis, moves, way, one, goals)
    differences = analysis.differences(one, end)
    if differences:
        return FoundPath(None, way, differences=differences)
    if way is PuzzleMethod.WORDS:
        return FoundPath(WordWays(analysis, rng).between(one, end), way)
    from puzzles.paths.finder import PathFinder

    finder = PathFinder(analysis, store, rng, memory, budget_ms=budget_ms, wide=wide)
    led = finder.between(one, end)
    if led is None:
        return FoundPath(None, way)
    turned_wide = None
    if isinstance(puzzle, Box) and is_big_cube(puzzle):
        turned_wide = wide_count(puzzle, led.turns)
    return FoundPath(led.turns, led.method, led.shortest, counts=led.counts, wide=turned_wide)


def _solved(puzzle: Puzzle[Any]) -> tuple[Any, ...]:
    """Return the solved state in every orientation."""
    return puzzle.solved_states if isinstance(puzzle, Box) else (puzzle.solved,)


def _searched(
    analysis: Analysis[Any],
    moves: tuple[PuzzleTurn, ...] | None,
    way: PuzzleMethod,
    one: Any,
    goals: tuple[Any, ...],
) -> FoundPath:
    """Return the result of a limited search; without one, whether a longer one could succeed."""
    if moves is not None:
        return FoundPath(moves, way, shortest=True)
    differences = [analysis.differences(one, goal) for goal in goals]
    return FoundPath(None, way, differences=differences[0] if all(differences) else ())
