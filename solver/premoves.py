"""Which turns may follow which, and the premoves of the two-phase search."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from solver.cubies import MOVES, move_cubies, symmetries

SIDE_TURNS = (3, 6, 12, 15)
MOST_PREMOVES = 4

Table = NDArray[Any]


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


def premoves(allowed: NDArray[np.uint32]) -> tuple[Table, Table, tuple[int, ...]]:
    """Premove sequences up to four turns that start with a clockwise turn of a side.

    Returns:
        The cubes they make, uint8 (n, 40); ``length | side << 3 | turns << 8``, uint32 (n,); and
        how many there are of at most 0, 1, … turns.
    """
    level: list[tuple[tuple[int, ...], Table]] = [((), symmetries()[0].row())]
    found, counts = list(level), [1]
    moves = [cubies.row() for cubies in move_cubies()]
    for _ in range(MOST_PREMOVES):
        following = []
        for turns, row in level:
            for turn in SIDE_TURNS if not turns else range(MOVES):
                if not _may_follow(turns, turn, allowed):
                    continue
                following.append(((*turns, turn), _row_product(row, moves[turn])))
        level = following
        found += level
        counts.append(len(found))
    words = [
        len(turns)
        | (SIDE_TURNS.index(turns[0]) << 3 if turns else 0)
        | sum(turn << 8 + 5 * place for place, turn in enumerate(turns))
        for turns, _ in found
    ]
    rows = np.stack([row for _, row in found])
    return rows, np.array(words, dtype=np.uint32), tuple(counts)


def _may_follow(turns: tuple[int, ...], turn: int, allowed: NDArray[np.uint32]) -> bool:
    """Whether a turn may come next.

    A half turn opposite to the first premove could as well be made before it, in phase two.
    """
    if not turns:
        return bool(allowed[MOVES] >> turn & 1)
    if len(turns) == 1 and turn % 3 == 1 and turn // 3 % 3 == turns[0] // 3 % 3:
        return False
    return bool(allowed[turns[-1]] >> turn & 1)


def _row_product(first: Table, second: Table) -> Table:
    corners, edges = second[:8], second[16:28]
    return np.concatenate(
        [
            first[:8][corners],
            (first[8:16][corners] + second[8:16]) % 3,
            first[16:28][edges],
            first[28:][edges] ^ second[28:],
        ]
    ).astype(np.uint8)
