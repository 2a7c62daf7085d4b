"""Iterative deepening depth-first search (IDDFS) over two coordinates, compiled.

Source: S2's second solver searches each of its stages like this. Pruned are turns that are
redundant because turns about one axis commute, and positions from which the farther of the two
coordinates, each considered alone, cannot be solved with the remaining turns.
"""

import numpy as np
from numba import boolean, int16, int64, uint8, uint32
from numpy.typing import NDArray

from solver.kernels.arrays import Bytes, Longs, Shorts, read, written
from solver.kernels.compiled import compiled

_FRESH = 18


@compiled(
    boolean(
        *(int64, int64, int64, read(int16, 2), read(int16, 2), read(uint8), read(uint8)),
        *(written(uint32), written(int64, 2)),
    )
)
def dive(  # noqa: PLR0917 - compiled functions take their arguments by position
    a: int,
    b: int,
    togo: int,
    a_moves: Shorts,
    b_moves: Shorts,
    a_least: Bytes,
    b_least: Bytes,
    allowed: Longs,
    stack: NDArray[np.int64],
) -> bool:
    """Search for the goal exactly ``togo`` turns away, depth first.

    Rows of the stack: first coordinate, second coordinate, turn made, turns still to try; the first
    ``togo`` places of the third row are the path if it was found.

    Returns:
        Whether the goal was found.
    """
    depth = 0
    stack[0, 0], stack[1, 0], stack[3, 0] = a, b, allowed[_FRESH]
    while depth >= 0:
        if depth == togo:
            return True
        turns = stack[3, depth]
        if turns == 0:
            depth -= 1
            continue
        turn = 0
        while not turns >> turn & 1:
            turn += 1
        stack[3, depth] = turns & (turns - 1)
        new_a = np.int64(a_moves[stack[0, depth], turn])
        new_b = np.int64(b_moves[stack[1, depth], turn])
        rest = togo - depth - 1
        if a_least[new_a] > rest or b_least[new_b] > rest:
            continue
        stack[2, depth] = turn
        depth += 1
        stack[0, depth], stack[1, depth], stack[3, depth] = new_a, new_b, allowed[turn]
    return False


def deepen(
    start: tuple[int, int],
    moves: tuple[Shorts, Shorts],
    least: tuple[Bytes, Bytes],
    allowed: Longs,
    limit: int,
) -> list[int] | None:
    """Return the first of the shortest paths to the goal.

    Args:
        start: The two coordinates.
        moves: Their move tables, shape (n, 18).
        least: For each coordinate alone the number of turns to the goal, at which both are 0.
        allowed: Bit sets of the turns allowed after each turn; `solver.cubies`.
        limit: Maximum number of turns; None is returned if they are not enough.
    """
    stack = np.zeros((4, limit + 1), dtype=np.int64)
    first = max(int(least[0][start[0]]), int(least[1][start[1]]))
    for depth in range(first, limit + 1):
        if dive(*start, depth, *moves, *least, allowed, stack):
            found: list[int] = stack[2, :depth].tolist()
            return found
    return None
