"""Slice moves, wide moves and turns of the whole cube, rewritten as turns of single faces.

A rig holds the cube by its centres: it turns faces and nothing else. M is a turn of L' and R with
the whole cube turned along, so what follows turns other faces than are written. The result does to
the pieces what is written, seen from the centres.
"""

import re

from cube.moves import FACES, Move, MoveSequence, NotationError

_TOKEN = re.compile(r"([URFDLB]w?|[urfdlbMESxyz])(2'|2|')?")
_QUARTERS = {"": 1, "2": 2, "2'": 2, "'": 3}
# what a turn of the whole cube brings to the place of U R F D L B: x like R, y like U, z like F
_WHOLE = {"x": "FRDBLU", "y": "UBRDFL", "z": "LUFRDB"}
_ALONG = {"U": ("y", 1), "R": ("x", 1), "F": ("z", 1), "D": ("y", 3), "L": ("x", 3), "B": ("z", 3)}
# a slice turns with the face named here, that is, both outer faces stay behind
_SLICE = {"M": "L", "E": "D", "S": "F"}


def face_turns(text: str) -> MoveSequence:
    """Read moves of faces, slices (M E S), two layers (Rw or r) and the cube (x y z).

    Raises:
        NotationError: Something in the text is no such move.
    """
    held = FACES
    moves: list[Move] = []
    for token in text.split():
        match = _TOKEN.fullmatch(token)
        if match is None:
            raise NotationError(
                f"{token!r} in {text!r} is no move: write faces such as R', slices M E S, two "
                "layers such as Rw, or x y z"
            )
        name, quarters = match[1], _QUARTERS[match[2] or ""]
        for face, turns in _outer(name):
            moves.append(Move(held[FACES.index(face)], turns * quarters % 4))
        held = _turned(held, name, quarters)
    return MoveSequence(tuple(moves)).simplified()


def _outer(name: str) -> list[tuple[str, int]]:
    """The outer faces that turn against the centres, with quarter turns each."""
    if name in FACES:
        return [(name, 1)]
    if name in _SLICE:
        face = _SLICE[name]
        return [(face, 3), (_opposite(face), 1)]
    if name in _WHOLE:
        return []
    return [(_opposite(name[0].upper()), 1)]


def _turned(held: str, name: str, quarters: int) -> str:
    """Which centres are where after a move."""
    if name in FACES:
        return held
    whole, turns = (name, 1) if name in _WHOLE else _ALONG[_SLICE.get(name, name[0].upper())]
    for _ in range(turns * quarters % 4):
        held = "".join(held[FACES.index(face)] for face in _WHOLE[whole])
    return held


def _opposite(face: str) -> str:
    return FACES[(FACES.index(face) + 3) % 6]
