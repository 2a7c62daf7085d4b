"""Pieces that look alike: the rearrangements of a kind that are invisible."""

from math import factorial

import numpy as np

from puzzles.kinds.orbits import orbit
from puzzles.kinds.pieces import Arrangement, PieceKind, Pieces


def unseen(pieces: Pieces, kind: PieceKind) -> tuple[int, list[Arrangement]]:
    """Return the invisible rearrangements of a kind: their number, and generators."""
    looks = [tuple(pieces.colours[slot] for slot in row) for row in kind.slots]
    same = [r for r in kind.rotations if tuple(looks[0][j] for j in r) == looks[0]]
    generators = []
    for rotation in same[1:]:
        generators.append(pieces.solved)
        generators[-1][kind.slots[0]] = kind.slots[0][list(rotation)]
    classes: list[list[int]] = []
    for piece, look in enumerate(looks):
        for others in classes:
            first = others[0]
            fit = [r for r in kind.rotations if tuple(look[j] for j in r) == looks[first]]
            if fit:
                swap = pieces.solved
                swap[kind.slots[first]] = kind.slots[piece][list(fit[0])]
                swap[kind.slots[piece][list(fit[0])]] = kind.slots[first]
                generators.append(swap)
                others.append(piece)
                break
        else:
            classes.append([piece])
    number = len(same) ** len(looks)
    for others in classes:
        number *= factorial(len(others))
    return number, generators


def closed(pieces: Pieces, generators: list[Arrangement]) -> list[Arrangement]:
    """Return all products of rearrangements."""
    return orbit(
        pieces.solved, [generator.__getitem__ for generator in generators], np.ndarray.tobytes
    )
