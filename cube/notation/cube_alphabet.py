"""Single moves of the 3×3×3 as people write them with a cube in hand.

Faces and the whole cube (WCA's ``R``, ``x``, ``[r]``), two or three layers (``Rw``, SiGN's ``r``,
``3Rw``), and slices (``M``, SiGN's ``m``, ``2R`` for the layer next to R). Compact texts such as
``RUR'U2`` are read if every letter can only belong to one move.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from cube.notation.move_grammar import MoveAlphabet, UnreadError

_TURNS = {"": 1, "1": 1, "2": 2, "3": 3, "'": 3, "2'": 2, "'2": 2, "3'": 1}
_SUFFIX = r"(?:2'|'2|3'|[123']|i)?"
_LAST_SUFFIX = rf"(?:-1|-|{_SUFFIX})"
_ALONE = re.compile(
    rf"(?P<name>[23]?[URFDLB]w|[23]?[urfdlb]|2[URFDLB]|[URFDLBTMESmesxyzXYZ])(?P<suffix>{_LAST_SUFFIX})"
)
# a small letter after another letter would read words and names such as Rs, a slice letter before
# a face SSE's MR, and x2 in RUx2 may mean twice
_JOINED = re.compile(
    rf"(?P<name>[URFDLB]w?|(?<![A-Za-z])[urfdlb]|[MES](?![URFDLB])|(?<!.)[xyzXYZ])(?P<suffix>{_SUFFIX})"
)
_SSE = re.compile(r"[CMNSTVW][URFDLB]")
_SLICES = {"R": ("M", 3), "L": ("M", 1), "U": ("E", 3), "D": ("E", 1), "F": ("S", 1), "B": ("S", 3)}
ROTATIONS = {
    "R": ("x", 1),
    "U": ("y", 1),
    "F": ("z", 1),
    "L": ("x", 3),
    "D": ("y", 3),
    "B": ("z", 3),
}
"""The rotation of the whole cube in the direction of each face: its name and quarter turns."""
_STICKERS = 9
FACE_ALIASES = {"T": "U"}
"""The French sources (S1) write T, "top"."""


@dataclass(frozen=True, slots=True)
class CubeMove:
    """One move of a cube in hand.

    Attributes:
        name: A face ``R``, a face with the layer next to it ``Rw``, a slice ``M``, ``E``, ``S``, or
            the whole cube ``x``, ``y``, ``z``.
        turns: Clockwise quarter turns, 1, 2 or 3; a slice turns like L, D or F.
    """

    name: str
    turns: int

    def inverse(self) -> "CubeMove":
        """Return the move that undoes this one."""
        return CubeMove(self.name, 4 - self.turns)

    def __str__(self) -> str:
        return self.name + ("", "2", "'")[self.turns - 1]


def suffix_turns(suffix: str) -> int | None:
    """Return the clockwise quarter turns that the end of a move means, None if it means nothing."""
    return 3 if suffix in {"i", "-", "-1"} else _TURNS.get(suffix)


@lru_cache(1024)
def _split(chunk: str) -> tuple[CubeMove, ...]:
    return tuple(move for _, move in _moves(chunk))


@lru_cache(1024)
def _split_faces(chunk: str) -> tuple[CubeMove, ...]:
    for at, move in _moves(chunk):
        if len(move.name) > 1 or move.name not in ROTATIONS:
            raise UnreadError(
                at,
                len(chunk) - at,
                "turns more than one face, and here only the faces U R F D L B turn; write it as "
                "turns of single faces (M is R L' and a turn of the whole cube)",
            )
    return _split(chunk)


def _moves(chunk: str) -> Iterator[tuple[int, CubeMove]]:
    """Yield the moves of a text without spaces, each with its place."""
    if alone := _ALONE.fullmatch(chunk):
        name, suffix = alone["name"], alone["suffix"]
        if name in "xX" and "3" in suffix:
            why = "may repeat what is before it or turn the cube; write (…)3, or x' for the cube"
            raise UnreadError(0, len(chunk), why)
        yield 0, _move(name, suffix)
        return
    if len(chunk) == 6 * _STICKERS and all(chunk.count(face) == _STICKERS for face in ROTATIONS):
        raise UnreadError(0, len(chunk), "is the stickers of a cube, not moves; use --facelets")
    at = 0
    while at < len(chunk):
        match = _JOINED.match(chunk, at)
        after = chunk[match.end() : match.end() + 1] if match else ""
        if match is None or after.isdigit() or after in {"'", "i"}:
            raise _unread(chunk, at)
        yield at, _move(match["name"], match["suffix"])
        at = match.end()


def _move(name: str, suffix: str) -> CubeMove:
    turns = suffix_turns(suffix)
    assert turns is not None
    depth = int(name[0]) if name[0].isdigit() else 0
    letters = name.lstrip("23")
    letter = letters[0].upper()
    if letter in "MES":
        return CubeMove(letter, turns)
    if letter in "XYZ":
        return CubeMove(letter.lower(), turns)
    face = FACE_ALIASES.get(letter, letter)
    if letters == letter and not depth:
        return CubeMove(face, turns)
    if letters != letter and depth < 3:
        return CubeMove(f"{face}w", turns)
    other, sense = (_SLICES if letters == letter else ROTATIONS)[face]
    return CubeMove(other, turns * sense % 4)


def _rotation(text: str) -> CubeMove | None:
    """Return the rotation of old WCA scrambles that is written in brackets, such as [u2]."""
    turns = suffix_turns(text[1:])
    if text[0] not in "urfdlb" or turns is None:
        return None
    name, sense = ROTATIONS[text[0].upper()]
    return CubeMove(name, turns * sense % 4)


def _unread(chunk: str, at: int) -> UnreadError:
    if _SSE.match(chunk, at):
        return UnreadError(
            at,
            len(chunk) - at,
            "turns several layers in SSE notation; write Rw, M or x, or a space between the moves",
        )
    return UnreadError(
        at,
        len(chunk) - at,
        "is not a move; write faces U R F D L B, slices M E S, two layers such as Rw or r, or the "
        "whole cube x y z, optionally followed by ' or 2, with spaces between moves",
    )


_undone: Callable[[CubeMove], CubeMove] = CubeMove.inverse
CUBE_MOVES = MoveAlphabet(_split, _undone, _rotation)
"""Moves of faces, slices, several layers and the whole cube."""
FACE_TURNS = MoveAlphabet(_split_faces, _undone)
"""Turns of single faces."""
