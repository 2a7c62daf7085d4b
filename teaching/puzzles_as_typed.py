"""Text input for any puzzle: moves, words of them, and paths from one state to another.

Any turn of a cube makes a state of each of its relatives: `R` for the half-turn cube is the
question whether half turns can undo it. Slices move the centres of the box 3×3×3, which has them;
on a cube with fixed centres a slice is a turn of the two neighbouring faces, relative to the
centres (`cube.held_moves`).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from cube.notation.move_grammar import parse_moves
from cube.state import SOLVED, CubeState
from puzzles.algebra.cycles import Element
from puzzles.algebra.notation import notation_of
from puzzles.groups.analysis import Analysis, Difference
from puzzles.groups.searches import Failed, shortest, solutions
from puzzles.groups.word_ways import WordWays
from puzzles.groups.words import Alphabet
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.puzzle import Puzzle, PuzzleTurn, turned, turns_by_name
from puzzles.paths.way import MEMORY, check_path
from solver.tables import TableStore
from thistlebot.errors import UsageError


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
        text: Moves, as `puzzles.algebra.notation` describes them.

    Raises:
        NotationError: They are not moves of this puzzle; the message names the place of the error.
    """
    notation = notation_of(puzzle)
    return _made(puzzle, notation.turns(parse_moves(text, notation.alphabet)))


def _made(puzzle: AnyPuzzle, moves: tuple[str, ...]) -> Made:
    turns = turns_by_name(puzzle)
    foreign = tuple(move for move in dict.fromkeys(moves) if move not in turns)
    if foreign:  # only cubes have foreign moves, and their states identify each piece
        return Made(SOLVED.apply(MoveSequence.parse(" ".join(moves))), moves, foreign)
    return Made(turned(puzzle, puzzle.solved, " ".join(moves)), moves)


@dataclass(frozen=True, slots=True)
class Word:
    """A parsed word.

    Attributes:
        text: As typed.
        typed: Its single moves, as the notation of the puzzle reads them.
        moves: Its moves by the names of turns, one by one.
        foreign: Those that the puzzle itself cannot make.
        state: Its result on the solved puzzle.
        element: Its effect.
        holds: Whether the puzzle has its original orientation afterwards; otherwise the same
            letters turn other faces when repeated.
    """

    text: str
    typed: tuple[Any, ...]
    moves: tuple[str, ...]
    foreign: tuple[str, ...]
    state: Any
    element: Element
    holds: bool

    @property
    def cube(self) -> CubeState | None:
        """Return the state, for a puzzle whose states are those of the 3×3×3 cube."""
        return self.state if isinstance(self.state, CubeState) else None


class Combined(NamedTuple):
    """Two words combined: a name such as ``commutator``, the notation with A and B, the result."""

    name: str
    formula: str
    word: Word


class WordReader:
    """Parses words of one puzzle."""

    def __init__(self, puzzle: AnyPuzzle) -> None:
        self.puzzle = puzzle
        self._notation = notation_of(puzzle)
        self._alphabet = Alphabet(puzzle.turns, puzzle.pieces.turns)
        self._numbers = {turn.name: number for number, turn in enumerate(puzzle.turns)}

    def read(self, text: str) -> Word:
        """Parse a word.

        Raises:
            NotationError: It is not a word of this puzzle; the message names the place of the
                error.
        """
        return self._word(text, parse_moves(text, self._notation.alphabet))

    def combined(self, one: Word, other: Word) -> tuple[Combined, ...]:
        """Return the combinations of two words."""
        a, b = ((f"({word.text})", word.typed) for word in (one, other))
        undo_a, undo_b = ((f"{text}'", self._undone(typed)) for text, typed in (a, b))

        def made(*parts: tuple[str, tuple[Any, ...]]) -> Word:
            typed = tuple(move for _, each in parts for move in each)
            return self._word(" ".join(text for text, _ in parts), typed)

        return (
            Combined("product", "A B", made(a, b)),
            Combined("product", "B A", made(b, a)),
            Combined("conjugate", "[A: B] = A B A'", made(a, b, undo_a)),
            Combined("conjugate", "[B: A] = B A B'", made(b, a, undo_b)),
            Combined("commutator", "[A, B] = A B A' B'", made(a, b, undo_a, undo_b)),
        )

    def _undone(self, typed: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(map(self._notation.alphabet.undone, reversed(typed)))

    def _word(self, text: str, typed: tuple[Any, ...]) -> Word:
        made = _made(self.puzzle, self._notation.turns(typed))
        if made.foreign:
            done = self.puzzle.arrangement(made.state)
        else:
            done = self._alphabet.effect(self._letters(made.moves))
        holds = self._notation.turns(typed * 2) == made.moves * 2
        element = Element(self.puzzle.pieces, done)
        return Word(text, typed, made.moves, made.foreign, made.state, element, holds)

    def both_ways(self, word: Word) -> tuple[str, str]:
        """Return its moves, those of one layer merged where they meet, and those that undo them."""
        if word.foreign:
            moves = MoveSequence.parse(" ".join(word.moves)).simplified()
            return str(moves), str(moves.inverse())
        simple = self._alphabet.simple(self._letters(word.moves))
        forth, back = (
            " ".join(self._alphabet.turns[letter].name for letter in letters)
            for letters in (simple, self._alphabet.inverse(simple))
        )
        return forth, back

    def _letters(self, moves: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self._numbers[move] for move in moves)


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
    """

    moves: tuple[PuzzleTurn, ...] | None
    method: str
    shortest: bool = False
    differences: tuple[Difference, ...] = ()
    solutions: tuple[tuple[PuzzleTurn, ...], ...] = ()
    failed: tuple[tuple[tuple[PuzzleTurn, ...], int], ...] = ()
    counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PathSearch:
    """How to search for a path.

    Attributes:
        method: The method; AUTO uses the one with the shortest paths for the puzzle.
        limit: Maximum number of moves of backtracking and of the search from both ends.
        memory: Maximum memory of a search in bytes.
        every: Let backtracking continue to all longer solutions within the limit.
        quarters: Let backtracking make single steps only, as S5 does.
    """

    method: PuzzleMethod = PuzzleMethod.AUTO
    limit: int = 6
    memory: int = MEMORY
    every: bool = False
    quarters: bool = False


def connect(
    analysis: Analysis[Any],
    one: Any,
    other: Any,
    search: PathSearch,
    *,
    store: TableStore,
    rng: np.random.Generator,
) -> FoundPath:
    """Find turns from one state to another.

    Args:
        analysis: The puzzle's analysis.
        one: The start.
        other: The end; None for solved, in any orientation.
        search: The method and its limits.
        store: The storage of the solvers' tables.
        rng: Random generator of the words to try.

    Raises:
        SolverError: A state is not a re-assembly of the puzzle.
        UsageError: Backtracking is requested for another end than the solved puzzle.
        WrongPathError: A path leads elsewhere, which is a bug in Thistlebot.
    """
    puzzle, way = analysis.puzzle, search.method
    if way is PuzzleMethod.BACKTRACKING:
        if other is not None:
            raise UsageError("backtracking can only search for the solved puzzle; leave --to out")
        failed: Failed = {}
        ways = solutions(
            puzzle,
            one,
            search.limit,
            longer=search.every,
            failed=failed,
            quarters=search.quarters,
        )
        found = tuple(ways if search.every else islice(ways, 1))
        for turns in found:
            check_path(puzzle, one, turns, _solved(puzzle))
        connection = _searched(analysis, next(iter(found), None), way, one, _solved(puzzle))
        kept = tuple((made, togo) for (_, _, togo), made in failed.items())
        return replace(connection, failed=kept, solutions=found if search.every else ())
    end = puzzle.solved if other is None else other
    if way is PuzzleMethod.BIDIRECTIONAL:
        goals = _solved(puzzle) if other is None else (end,)
        try:
            moves = shortest(puzzle, one, search.limit, goals)
        except MemoryError as error:
            raise ThistlebotError(
                f"{search.limit} moves reach too many states: lower --limit"
            ) from error
        if moves is not None:
            check_path(puzzle, one, moves, goals)
        return _searched(analysis, moves, way, one, goals)
    differences = analysis.differences(one, end)
    if differences:
        return FoundPath(None, way, differences=differences)
    if way is PuzzleMethod.WORDS:
        words = WordWays(analysis, rng).between(one, end)
        if words is not None:
            check_path(puzzle, one, words, (end,))
        return FoundPath(words, way)
    from puzzles.paths.finder import PathFinder

    led = PathFinder(analysis, store, rng, search.memory).between(one, end)
    if led is None:
        return FoundPath(None, way)
    return FoundPath(led.turns, led.method, led.shortest, counts=led.counts)


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
