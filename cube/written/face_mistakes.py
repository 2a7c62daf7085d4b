"""Faces that were written rotated, exchanged or mirrored.

Each of these mistakes is tried on 54 stickers that are not a solvable cube. Photos of faces have
the same mistakes, but they need likelihoods (`vision.decoding.mistakes`); letters are exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS

_TURNS = 4


@dataclass(frozen=True, slots=True)
class FaceMistake:
    """A mistake after whose correction the stickers are a solvable cube.

    Attributes:
        kind: The kind, named as in readings of pictures.
        faces: The faces concerned.
        turns: Quarter turns clockwise that bring each of them upright; empty unless turned.
        facelets: The corrected stickers.
    """

    kind: Literal["turned", "exchanged", "mirrored"]
    faces: tuple[str, ...]
    turns: tuple[int, ...]
    facelets: Facelets

    @property
    def text(self) -> str:
        """Return what went wrong."""
        match self.kind:
            case "turned":
                ways = {1: "rotated to the left", 2: "upside down", 3: "rotated to the right"}
                pairs = zip(self.faces, self.turns, strict=True)
                return " and ".join(f"face {face} is {ways[turn]}" for face, turn in pairs)
            case "exchanged":
                return f"faces {' and '.join(self.faces)} are exchanged"
            case "mirrored":
                faces = f"face {self.faces[0]} is" if len(self.faces) == 1 else "all faces are"
                return f"{faces} mirrored left to right"


def find_mistakes(facelets: Facelets) -> tuple[FaceMistake, ...]:
    """Find every mistake that explains why stickers are not a solvable cube.

    If faces are rotated, only those explanations count that rotate the fewest faces.
    """
    turned = list(turned_faces(facelets))
    fewest = min((len(each.faces) for each in turned), default=0)
    return (
        *(each for each in turned if len(each.faces) == fewest),
        *_exchanged(facelets),
        *_mirrored(facelets),
    )


def turned_faces(facelets: Facelets) -> Iterator[FaceMistake]:
    """Yield all rotations of faces in their planes that make a solvable cube, each cube once.

    Args:
        facelets: The stickers; the 4096 rotations include that of no face.
    """
    labels = np.array([FACES.index(letter) for letter in facelets.text])
    possible = np.ones((_TURNS,) * len(FACES), dtype=np.bool_)
    for number, letter in enumerate(FACES):  # a symmetrical face looks alike after some turns
        ways = [_turned(facelets.face(letter), turn) for turn in range(_TURNS)]
        alike = [turn for turn in range(_TURNS) if ways[turn] in ways[:turn]]
        possible[(slice(None),) * number + (alike,)] = False
    for places in (CORNER_FACELETS, EDGE_FACELETS):
        used = np.zeros_like(possible, dtype=np.intp)
        for place in places:
            shown = np.zeros((1,) * len(FACES), dtype=np.intp)
            for facelet in place:
                face, cell = divmod(facelet, 9)
                axis = [_TURNS if other == face else 1 for other in range(len(FACES))]
                at_turns = labels[9 * face + _upright()[:, cell]].reshape(axis)
                shown = shown * len(FACES) + at_turns
            piece = _pieces(places)[shown]
            possible &= piece >= 0
            used = used | (1 << np.maximum(piece, 0))
        possible &= used == (1 << len(places)) - 1
    for turns in map(tuple, np.argwhere(possible).tolist()):
        faces = tuple(face for face, turn in zip(FACES, turns, strict=True) if turn)
        upright = Facelets(
            "".join(
                _turned(facelets.face(face), turn) for face, turn in zip(FACES, turns, strict=True)
            )
        )
        if examine(upright).solvable:
            yield FaceMistake("turned", faces, tuple(filter(None, turns)), upright)


def _exchanged(facelets: Facelets) -> Iterator[FaceMistake]:
    for pair in combinations(FACES, 2):
        swap = dict(zip(pair, reversed(pair), strict=True))
        letters = "".join(facelets.face(swap.get(face, face)) for face in FACES)
        corrected = Facelets("".join(swap.get(letter, letter) for letter in letters))
        if examine(corrected).solvable:
            yield FaceMistake("exchanged", pair, (), corrected)


def _mirrored(facelets: Facelets) -> Iterator[FaceMistake]:
    for faces in (*((face,) for face in FACES), tuple(FACES)):
        rows = {face: facelets.face(face) for face in FACES}
        for face in faces:
            rows[face] = "".join(rows[face][start : start + 3][::-1] for start in (0, 3, 6))
        corrected = Facelets("".join(rows.values()))
        if examine(corrected).solvable:
            yield FaceMistake("mirrored", faces, (), corrected)


def _turned(stickers: str, turn: int) -> str:
    return "".join(stickers[cell] for cell in _upright()[turn])


@cache
def _upright() -> NDArray[np.intp]:
    """Return (4, 9) the cell that each cell shows after 0 to 3 clockwise quarter turns."""
    cells = np.arange(9).reshape(3, 3)
    return np.stack([np.rot90(cells, -turn).ravel() for turn in range(_TURNS)])


@cache
def _pieces(places: tuple[tuple[int, ...], ...]) -> NDArray[np.intp]:
    """Return the piece for each combination of colours, read as a number to base 6; -1 for none."""
    found = np.full(len(FACES) ** len(places[0]), -1, dtype=np.intp)
    for number, piece in enumerate(places):
        colours = [facelet // 9 for facelet in piece]
        for turn in range(len(piece)):
            code = 0
            for colour in colours[turn:] + colours[:turn]:
                code = code * len(FACES) + colour
            found[code] = number
    return found
