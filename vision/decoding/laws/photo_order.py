"""Which picture shows which face, and how far it is turned.

A placement says where in the pictures each facelet of the cube is found, and which picture's middle
has the colour of each face.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """Where the facelets are.

    Attributes:
        order: (6,) the picture, 0 to 5, of each face in URFDLB.
        turns: (6,) quarter turns clockwise that bring each face's picture upright.
        cells: (54,) the sticker, 9 · picture + cell, that shows each facelet.
        mirrored: The pictures are mirror images.
    """

    order: tuple[int, ...]
    turns: tuple[int, ...]
    cells: Labels
    mirrored: bool = False

    def to_cube(self, costs: Array) -> Array:
        """(stickers, colours) of pictures to (facelets, faces)."""
        return np.asarray(costs[self.cells][:, list(self.order)])

    def to_pictures(self, labels: Labels) -> Labels:
        """Labels of the facelets to labels of the stickers."""
        placed = np.empty_like(labels)
        placed[self.cells] = np.array(self.order, dtype=np.intp)[labels]
        return placed

    def from_pictures(self, labels: Labels) -> Labels:
        """Labels of the stickers to labels of the facelets."""
        return np.argsort(self.order)[labels[self.cells]]


@lru_cache(maxsize=8)
def upright_cells(turns: int, *, mirrored: bool) -> NDArray[np.intp]:
    """(9,) cell of a picture that shows each cell of its face, once it is turned clockwise."""
    cells = np.rot90(np.arange(9).reshape(3, 3), -turns)
    upright = (cells[:, ::-1] if mirrored else cells).ravel()
    upright.setflags(write=False)  # it is kept
    return upright


def make_placement(
    order: Sequence[int] = range(6), turns: Sequence[int] = (0,) * 6, *, mirrored: bool = False
) -> Placement:
    """Build a placement; without arguments every face is where the usual net has it."""
    cells = np.concatenate(
        [
            9 * picture + upright_cells(turn, mirrored=mirrored)
            for picture, turn in zip(order, turns, strict=True)
        ]
    )
    return Placement(tuple(order), tuple(turns), cells.astype(np.intp), mirrored)


UPRIGHT = make_placement()


def arrangements(first: int, rank: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """List the 30 different orders, with one picture as U and the lowest ranked possible as F.

    Args:
        first: The picture of face U.
        rank: The other pictures, the one that F shall be first.
    """
    orders = []
    for down in rank:
        front, *others = (picture for picture in rank if picture != down)
        for right, left, back in permutations(others):
            orders.append((first, right, front, down, left, back))
    return tuple(orders)
