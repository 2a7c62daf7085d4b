"""Moves and move sequences in Singmaster notation, and their lengths in the metrics of the field.

A metric counts the sequence as given; simplify it first if neighbouring turns of one face should
merge.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import overload

from cube.errors import NotationError
from cube.notation.cube_alphabet import FACE_TURNS
from cube.notation.move_grammar import parse_moves

FACES = "URFDLB"
"""The six faces in Kociemba's order; faces three places apart are opposite."""

OPPOSITE_FACE = {"U": "D", "R": "L", "F": "B", "D": "U", "L": "R", "B": "F"}

_SUFFIXES = ("", "2", "'")


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One turn of one face, seen from outside the cube.

    Attributes:
        face: One of ``URFDLB``.
        turns: Clockwise quarter turns, 1, 2 or 3.
    """

    face: str
    turns: int

    def __post_init__(self) -> None:
        if len(self.face) != 1 or self.face not in FACES or self.turns not in (1, 2, 3):
            raise NotationError(
                f"no such move: face {self.face!r} by {self.turns} quarter turns; "
                f"faces are {' '.join(FACES)}, quarter turns 1 to 3"
            )

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Read one move such as ``R``, ``U2``, ``F'``.

        Raises:
            NotationError: The text is not exactly one move.
        """
        moves = MoveSequence.parse(text).moves
        if len(moves) != 1:
            raise NotationError(f"{text!r} is not a single move; write one such as R, U2 or F'")
        return moves[0]

    @classmethod
    def from_index(cls, index: int) -> "Move":
        """Return the move with an index, 0 to 17; see `Move.index`."""
        return ALL_MOVES[index]

    @property
    def index(self) -> int:
        """The move's place in the order U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'."""
        return 3 * FACES.index(self.face) + self.turns - 1

    @property
    def axis(self) -> int:
        """The axis of the turn: 0 for U and D, 1 for R and L, 2 for F and B."""
        return FACES.index(self.face) % 3

    @property
    def quarter_turns(self) -> int:
        """The shortest signed turn: 1 clockwise, 2, or -1 anticlockwise."""
        return -1 if self.turns == 3 else self.turns

    def inverse(self) -> "Move":
        """Return the move that undoes this one."""
        return Move(self.face, 4 - self.turns)

    def __str__(self) -> str:
        return self.face + _SUFFIXES[self.turns - 1]


ALL_MOVES: tuple[Move, ...] = tuple(Move(face, turns) for face in FACES for turns in (1, 2, 3))


@dataclass(frozen=True, slots=True)
class MoveSequence:
    """Moves in the order of execution."""

    moves: tuple[Move, ...] = ()

    @classmethod
    def of(cls, moves: Iterable[Move]) -> "MoveSequence":
        """Put moves into a sequence."""
        return cls(tuple(moves))

    @classmethod
    def parse(cls, text: str) -> "MoveSequence":
        """Read turns of faces: what `cube.held_moves.read_moves` reads, without other moves.

        Raises:
            NotationError: Part of the text is not a face turn; the message names its place.
        """
        return cls(tuple(Move(move.name, move.turns) for move in parse_moves(text, FACE_TURNS)))

    def inverse(self) -> "MoveSequence":
        """Return the sequence that undoes this one."""
        return MoveSequence(tuple(move.inverse() for move in reversed(self.moves)))

    def simplified(self) -> "MoveSequence":
        """Merge turns of one face that are separated only by turns of the opposite face.

        The result leads to the same state. On each axis, neighbouring turns are in the order of
        ``FACES``, so equivalent sequences are written alike.
        """
        runs: list[tuple[int, dict[str, int]]] = []
        for move in self.moves:
            if not runs or runs[-1][0] != move.axis:
                runs.append((move.axis, {}))
            turns = runs[-1][1]
            turns[move.face] = (turns.get(move.face, 0) + move.turns) % 4
            if not any(turns.values()):
                runs.pop()
        return MoveSequence(
            tuple(
                Move(face, turns[face])
                for _, turns in runs
                for face in sorted(turns, key=FACES.index)
                if turns[face]
            )
        )

    def __add__(self, other: "MoveSequence") -> "MoveSequence":
        return MoveSequence(self.moves + other.moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    @overload
    def __getitem__(self, key: int) -> Move: ...
    @overload
    def __getitem__(self, key: slice) -> "MoveSequence": ...
    def __getitem__(self, key: int | slice) -> "Move | MoveSequence":
        return MoveSequence(self.moves[key]) if isinstance(key, slice) else self.moves[key]

    def __str__(self) -> str:
        return " ".join(map(str, self.moves))


def htm(sequence: MoveSequence) -> int:
    """Count in the half-turn metric: every turn of a face counts as one."""
    return len(sequence)


def qtm(sequence: MoveSequence) -> int:
    """Count in the quarter-turn metric: a half turn counts as two."""
    return sum(abs(move.quarter_turns) for move in sequence)


def axial_groups(sequence: MoveSequence) -> tuple[tuple[Move, ...], ...]:
    """Group neighbouring turns that can run at the same time.

    Two turns share a group if they are neighbours and turn opposite faces.
    """
    groups: list[tuple[Move, ...]] = []
    for move in sequence:
        last = groups[-1] if groups else ()
        if len(last) == 1 and last[0].axis == move.axis and last[0].face != move.face:
            groups[-1] = (last[0], move)
        else:
            groups.append((move,))
    return tuple(groups)


def axial_htm(sequence: MoveSequence) -> int:
    """Count in the axial metric: opposite faces turned together count as one."""
    return len(axial_groups(sequence))


def axial_qtm(sequence: MoveSequence) -> int:
    """Count in the axial quarter-turn metric: a group counts as much as its longest turn."""
    return sum(max(abs(move.quarter_turns) for move in group) for group in axial_groups(sequence))
