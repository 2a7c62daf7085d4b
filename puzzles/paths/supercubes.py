"""Paths of the supercube: the cube is solved first, and then words turn its centres only."""

from dataclasses import dataclass
from functools import cache, partial
from operator import itemgetter

from cube.held_moves import read_moves
from cube.moves import FACES, Move, MoveSequence
from cube.orientation import orientations
from puzzles.kinds.orbits import orbit
from puzzles.kinds.puzzle import turns_by_name
from puzzles.kinds.supercubes import Supercube, SuperState
from puzzles.paths.way import TurnPath
from solver.search.anytime import solve
from solver.search.engine import Engine

_WORDS = ("M' E M U' M' E' M U", "R L U2 R' L' U R L U2 R' L' U")
"""A commutator that turns U clockwise and R back, and one that turns U by a half (S3.12)."""
_BUDGET_MS = 100.0

Centres = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SupercubeWays:
    """Paths of the supercube.

    Attributes:
        puzzle: The puzzle.
        tables: The tables of the cube's search.
    """

    puzzle: Supercube
    tables: Engine

    def between(self, one: SuperState, other: SuperState) -> TurnPath:
        """Find a path from one state to another that turns connect."""
        state = other.cube.inverse() * one.cube
        moves = solve(state, tables=self.tables, budget_ms=_BUDGET_MS).moves
        reached = _after(one.centres, moves)
        wrong = tuple((a - b) % 4 for a, b in zip(reached, other.centres, strict=True))
        moves = (moves + words_for(wrong)).simplified()
        turns = turns_by_name(self.puzzle)
        return TurnPath(tuple(turns[str(move)] for move in moves), "the cube's solver, then words")


def words_for(centres: Centres) -> MoveSequence:
    """Return moves that turn centres back and leave everything else as it is.

    Args:
        centres: Clockwise quarter turns of each centre, an even number together.
    """
    moves = MoveSequence()
    while any(centres):
        word = _last_words()[centres]
        moves, centres = moves + word, _after(centres, word)
    return moves


@cache
def _last_words() -> dict[Centres, MoveSequence]:
    """Return the first of the fewest words that turn centres back, breadth first."""
    straight: Centres = (0,) * len(FACES)
    words: dict[Centres, MoveSequence] = {}  # by the centres that each turns back
    for text in _WORDS:
        for made in (read_moves(text), read_moves(text).inverse()):
            for held in orientations():
                seen = (Move(held.face_at(move.face), move.turns) for move in made)
                word = MoveSequence(tuple(seen))
                words.setdefault(_after(straight, word.inverse()), word)
    start = (straight, MoveSequence())
    steps = [partial(_undone_by, turned, word) for turned, word in words.items()]
    return dict(orbit(start, steps, itemgetter(0)))


def _undone_by(
    turned: Centres, word: MoveSequence, last: tuple[Centres, MoveSequence]
) -> tuple[Centres, MoveSequence]:
    """Return the centres that a word turns to those of the last step, and the word."""
    return tuple((a + b) % 4 for a, b in zip(last[0], turned, strict=True)), word


def _after(centres: Centres, moves: MoveSequence) -> Centres:
    """Return the centres after moves."""
    turned = list(centres)
    for move in moves:
        turned[FACES.index(move.face)] += move.turns
    return tuple(quarters % 4 for quarters in turned)
