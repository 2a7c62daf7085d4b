"""Moves as people write them with a cube in hand: faces, slices, wide moves, rotations.

A machine holds the cube by its centres and can only turn faces. M equals L' and R plus a rotation
of the whole cube, so the moves after it turn other faces than those written. The functions here
rewrite all moves relative to the centres: the pieces move as written, and the cube ends as it was
held at the beginning, with U's centre up and F's in front.
"""

from collections.abc import Iterable

from cube.moves import FACES, OPPOSITE_FACE, Move, MoveSequence
from cube.notation.cube_alphabet import CUBE_MOVES, ROTATIONS, CubeMove
from cube.notation.move_grammar import parse_moves
from cube.orientation import Orientation

# a slice turns in the direction of the face named here: both outer faces stay behind
_SLICE = {"M": "L", "E": "D", "S": "F"}


def read_moves(text: str) -> MoveSequence:
    """Read moves of faces, slices, several layers and the whole cube.

    `cube.notation.move_grammar` describes the texts.

    Raises:
        NotationError: Part of the text is not understood; the message names its place.
    """
    return seen_from_centres(parse_moves(text, CUBE_MOVES))


def seen_from_centres(moves: Iterable[CubeMove]) -> MoveSequence:
    """Return the face turns that moves of a cube in hand are, two for a slice."""
    held, turned = Orientation(), list[Move]()
    for move in moves:
        made = [held.move_of(face, move.turns * quarters) for face, quarters in _outer(move.name)]
        turned += sorted(made, key=lambda each: FACES.index(each.face))
        held = _turned(held, move)
    return MoveSequence(tuple(turned))


def _outer(name: str) -> list[tuple[str, int]]:
    """Return the outer faces that turn relative to the centres, with their quarter turns."""
    if name in FACES:
        return [(name, 1)]
    if name in _SLICE:
        face = _SLICE[name]
        return [(face, 3), (OPPOSITE_FACE[face], 1)]
    if name in "xyz":
        return []
    return [(OPPOSITE_FACE[name[0]], 1)]


def _turned(held: Orientation, move: CubeMove) -> Orientation:
    """Return how the centres are held after a move."""
    if move.name in FACES:
        return held
    name = move.name
    whole, turns = (name, 1) if name in "xyz" else ROTATIONS[_SLICE.get(name, name[0])]
    for _ in range(turns * move.turns % 4):
        held = held.turned(whole)
    return held
