"""Turns by their numbers: which may follow which, and as moves of the cube itself."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES, Move, MoveSequence
from solver.cubies import MOVES


def allowed_turns(faces: str = FACES) -> NDArray[np.uint32]:
    """Bit sets of the turns that may follow each turn (18: any turn; 19 + face: not that face).

    A face is not turned twice in a row, and of two opposite faces U, R or F is turned first.
    """
    masks = [0] * 25
    for turn in range(MOVES):
        if FACES[turn // 3] not in faces:
            continue
        for last in range(MOVES):
            before, after = last // 3, turn // 3
            if before != after and before != after + 3:
                masks[last] |= 1 << turn
        masks[18] |= 1 << turn
        for face in range(6):
            if turn // 3 != face:
                masks[19 + face] |= 1 << turn
    return np.array(masks, dtype=np.uint32)


def moves_seen(
    turns: Iterable[int], seen: NDArray[np.int64], *, inverse: bool = False
) -> MoveSequence:
    """The moves of the cube itself of turns of a cube seen through a symmetry.

    Args:
        turns: Their numbers.
        seen: What each turn of the cube is when seen so: a row of `cubies.conjugate_moves`.
        inverse: Whether it was the inverse cube that was seen.
    """
    back = np.argsort(seen[:MOVES]).tolist()
    moves = MoveSequence(tuple(Move.from_index(back[turn]) for turn in turns))
    return moves.inverse() if inverse else moves
