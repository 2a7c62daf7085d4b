"""Words of moves of any puzzle, as people type them: what they do, and what combines two."""

from dataclasses import dataclass
from typing import Any

from cube import held_moves
from cube.moves import MoveSequence
from cube.state import CubeState
from puzzles.algebra.cycles import Element
from puzzles.algebra.notation import Letters, read_word
from puzzles.groups.words import Alphabet
from puzzles.kinds.box import SLICES, Box
from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.supercubes import Supercube, ThreeColourCube
from teaching.puzzles.moves import made_by

_MOST_MOVES = 10_000
_MOST_NAMED = 24
_BOX_WITH_SLICES = "3×3×3"


@dataclass(frozen=True, slots=True)
class Combined:
    """Two words A and B combined.

    Attributes:
        name: What it is called: ``product``, ``commutator`` …
        formula: How it is written with A and B.
        word: How it is typed.
    """

    name: str
    formula: str
    word: str


def combined(one: str, other: str) -> tuple[Combined, ...]:
    """What two words make together."""
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
    """A word that was read.

    Attributes:
        text: As it was typed.
        moves: Its moves by the names of turns, one by one.
        foreign: Those that the puzzle itself does not make.
        state: What it makes of the solved puzzle.
        element: What it does.
        holds: Whether the cube is held afterwards as before; else, repeated, the same letters turn
            other faces.
    """

    text: str
    moves: tuple[str, ...]
    foreign: tuple[str, ...]
    state: Any
    element: Element
    holds: bool

    @property
    def cube(self) -> CubeState | None:
        """The state, of a puzzle whose states are those of the 3×3×3 cube."""
        return self.state if isinstance(self.state, CubeState) else None


class WordReader:
    """Reads words of one puzzle.

    Args:
        puzzle: The puzzle.
    """

    def __init__(self, puzzle: AnyPuzzle) -> None:
        self.puzzle = puzzle
        self._turns = {turn.name: turn for turn in puzzle.turns}
        self._held = isinstance(puzzle, (CubePuzzle, Supercube, ThreeColourCube))
        shown = [*self._turns][:_MOST_NAMED] + ["…"] * (len(self._turns) > _MOST_NAMED)
        also = " and M E S, Rw, x y z" if self._held else ""
        self._letters = Letters(puzzle.name, self._known, self._undoing, " ".join(shown) + also)
        self._alphabet = Alphabet(puzzle.turns, puzzle.pieces.turns)

    def read(self, text: str) -> Word:
        """Read a word.

        Raises:
            WordError: It is none of this puzzle; the message says where it goes wrong.
        """
        typed = " ".join(read_word(text, self._letters, _MOST_MOVES))
        made = made_by(self.puzzle, typed)
        if made.foreign:  # only cubes make others' moves, and their states tell each piece
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
        """The moves of a word, those of one layer merged where they meet."""
        if word.foreign:
            return tuple(map(str, MoveSequence.parse(" ".join(word.moves)).simplified()))
        numbers = {turn.name: number for number, turn in enumerate(self._alphabet.turns)}
        simple = self._alphabet.simple(tuple(numbers[move] for move in word.moves))
        return tuple(self._alphabet.turns[letter].name for letter in simple)

    def inverse(self, word: Word) -> tuple[str, ...]:
        """The moves that undo a word, as short."""
        return tuple(self._undoing(move) for move in reversed(self.shortened(word)))

    def _known(self, text: str) -> bool:
        if text in self._turns or (self._held and held_moves.is_move(text)):
            return True
        slices = isinstance(self.puzzle, Box) and self.puzzle.name == _BOX_WITH_SLICES
        return slices and text[:1] in SLICES and text[1:] in {"", "2", "'"}

    def _undoing(self, move: str) -> str:
        turn = self._turns.get(move)
        return held_moves.undoing(move) if turn is None else turn.inverse
