"""Moves as people write them with a cube in hand: faces, slices, wide moves, rotations.

A machine holds the cube by its centres and can only turn faces. M equals L' and R plus a rotation
of the whole cube, so the moves after it turn other faces than those written. The functions here
rewrite all moves relative to the centres: the pieces move as written, and the cube ends as it was
held at the beginning, with U's centre up and F's in front.
"""

import re

from cube.moves import (
    FACE_ALIASES,
    FACES,
    OPPOSITE_FACE,
    PASSED_OVER,
    SUFFIX_TURNS,
    Move,
    MoveSequence,
    NotationError,
    plain_primes,
)

_TOKEN = re.compile(r"(?P<name>[A-Z]w|[A-Za-z])(?P<suffix>[123]?['’´`′]?2?)")
# the faces that a rotation brings to the places U R F D L B: x like R, y like U, z like F
_WHOLE = {"x": "FRDBLU", "y": "UBRDFL", "z": "LUFRDB"}
_ALONG = {"U": ("y", 1), "R": ("x", 1), "F": ("z", 1), "D": ("y", 3), "L": ("x", 3), "B": ("z", 3)}
# a slice turns in the direction of the face named here: both outer faces stay behind
_SLICE = {"M": "L", "E": "D", "S": "F"}


def read_moves(text: str) -> MoveSequence:
    """Read moves of faces, slices (M E S), two layers (Rw or r) and the whole cube (x y z).

    Faces are read as `MoveSequence.parse` reads them, with or without spaces; the others become
    face turns, two for a slice.

    Raises:
        NotationError: Part of the text is not such a move; the message names it.
    """
    held, moves, position = FACES, list[Move](), 0
    while position < len(text):
        if text[position] in PASSED_OVER:
            position += 1
            continue
        match = _TOKEN.match(text, position)
        name = FACE_ALIASES.get(match["name"], match["name"]) if match else ""
        turns = SUFFIX_TURNS.get(plain_primes(match["suffix"])) if match else None
        if match is None or turns is None or not _known(name):
            token = match.group() if match else text[position]
            raise NotationError(
                f"{token!r} at character {position + 1} of {text!r} is not a move; write "
                f"faces {' '.join(FACES)}, slices M E S, two layers such as Rw or r, or the "
                "whole cube x y z, optionally followed by ' or 2"
            )
        made = [
            Move(held[FACES.index(face)], turns * quarters % 4) for face, quarters in _outer(name)
        ]
        moves += sorted(made, key=lambda move: FACES.index(move.face))
        held = _turned(held, name, turns)
        position = match.end()
    return MoveSequence(tuple(moves))


def is_move(text: str) -> bool:
    """Return whether a text is one move that `read_moves` reads."""
    match = _TOKEN.fullmatch(text)
    if match is None or plain_primes(match["suffix"]) not in SUFFIX_TURNS:
        return False
    return _known(FACE_ALIASES.get(match["name"], match["name"]))


def undoing(move: str) -> str:
    """Return the move that undoes another; both are texts."""
    match = _TOKEN.fullmatch(move)
    if match is None or not is_move(move):
        raise NotationError(f"{move!r} is not a move; write one such as R, M2 or x'")
    return match["name"] + {1: "'", 2: "2", 3: ""}[SUFFIX_TURNS[plain_primes(match["suffix"])]]


def _known(name: str) -> bool:
    wide = name.endswith("w") and name[0] in FACES
    return wide or name in {*FACES, *_SLICE, *_WHOLE, *FACES.lower()}


def _outer(name: str) -> list[tuple[str, int]]:
    """Return the outer faces that turn relative to the centres, with their quarter turns."""
    if name in FACES:
        return [(name, 1)]
    if name in _SLICE:
        face = _SLICE[name]
        return [(face, 3), (OPPOSITE_FACE[face], 1)]
    if name in _WHOLE:
        return []
    return [(OPPOSITE_FACE[name[0].upper()], 1)]


def _turned(held: str, name: str, quarters: int) -> str:
    """Return where each centre is after a move."""
    if name in FACES:
        return held
    whole, turns = (name, 1) if name in _WHOLE else _ALONG[_SLICE.get(name, name[0].upper())]
    for _ in range(turns * quarters % 4):
        held = "".join(held[FACES.index(face)] for face in _WHOLE[whole])
    return held
