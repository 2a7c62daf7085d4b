"""Iterative deepening depth-first search (IDDFS) over two coordinates, compiled.

Source: S2's second solver searches each of its stages so. What is pruned: turns that the order of
turns about one axis makes superfluous, and positions from which the farther of the two
coordinates, each looked at alone, cannot be solved any more by the turns that are left.
"""

import numpy as np
from numba import int16, int64, uint8, uint32
from numpy.typing import NDArray

from solver.kernels.compiled import compiled
from solver.kernels.memory import Bytes, Longs, Shorts, read, written

_FRESH = 18


@compiled(
    int64(
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
) -> int:
    """Look for the goal exactly ``togo`` turns away, depth first.

    Rows of the stack: first coordinate, second coordinate, turn made, turns yet to be tried; its
    first ``togo`` places of the third row are the way when it was found.

    Returns:
        How many positions were looked at, negative when the goal was not found.
    """
    nodes, depth = 1, 0
    stack[0, 0], stack[1, 0], stack[3, 0] = a, b, allowed[_FRESH]
    while depth >= 0:
        if depth == togo:
            return nodes
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
        nodes += 1
        stack[2, depth] = turn
        depth += 1
        stack[0, depth], stack[1, depth], stack[3, depth] = new_a, new_b, allowed[turn]
    return -nodes


def deepen(
    start: tuple[int, int],
    moves: tuple[Shorts, Shorts],
    least: tuple[Bytes, Bytes],
    allowed: Longs,
    limit: int,
) -> tuple[list[int], int] | None:
    """The first of the shortest ways to the goal, and how many positions were looked at.

    Args:
        start: The two coordinates.
        moves: Their move tables, shape (n, 18).
        least: For each coordinate alone the turns to the goal; the goal is where both are 0.
        allowed: Bit sets of the turns that may follow each turn; `solver.turns`.
        limit: Turns at most; None is returned when they do not suffice.
    """
    stack = np.zeros((4, limit + 1), dtype=np.int64)
    nodes = 0
    first = max(int(least[0][start[0]]), int(least[1][start[1]]))
    for depth in range(first, limit + 1):
        found = dive(*start, depth, *moves, *least, allowed, stack)
        nodes += abs(found)
        if found > 0:
            return stack[2, :depth].tolist(), nodes
    return None
