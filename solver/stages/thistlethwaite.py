"""Thistlethwaite's method: four short descents, each from one subgroup into the next.

Source: M. Thistlethwaite's 52-move algorithm as described in S3; with complete tables the stages
need at most 7, 10, 13 and 15 moves, 45 in total.

This module also contains the descent along the four tables, in Python that numba can compile.

Interpreted it takes milliseconds, so the first answer need not wait until the compiler is loaded,
which takes almost a second and longer on a small computer; `compiled_descent` is the compiled form.

Finally, it contains the four distance tables of the chain with everything needed for the descent.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cube.errors import InvalidCubeError
from cube.laws import examine_state
from cube.moves import MoveSequence, htm
from cube.state import SOLVED, CubeState
from solver import coordinates
from solver.clock import thread_clock_ns
from solver.coordinates import pair_distances
from solver.cubies import conjugate_moves, move_cubies, moves_seen
from solver.errors import TableError
from solver.stages.solution import ALL_CHAINS, Chain, Solution
from solver.table_files import Arrays
from solver.tables import Obtained, Progress, TableSet, TableStore

STATES = (2048, 1_082_565, 29_400, 663_552)
MAX_DEPTHS = (7, 10, 13, 15)
STAGE_TURNS = (
    tuple(range(18)),
    (0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 16),
    (0, 1, 2, 4, 7, 9, 10, 11, 13, 16),
    coordinates.HALF_TURNS,
)

Table = NDArray[Any]
Pair = tuple[NDArray[np.int16], NDArray[np.int16]]


@dataclass(frozen=True, slots=True)
class StageTables:
    """Distances (one byte per state) and move tables of the four stages, in the kernels' form.

    The frame is Kociemba's: stage one drops quarter turns of F and B, stage two those of R and L,
    stage three those of U and D. ``source`` tells whether the tables were stored or built.
    """

    distances: tuple[NDArray[np.uint8], ...]
    a_moves: tuple[NDArray[np.int16], ...]
    b_moves: tuple[NDArray[np.int16], ...]
    turns: tuple[NDArray[np.int64], ...]
    lookups: tuple[NDArray[np.int16], ...]
    move_rows: NDArray[np.uint8]
    source: Obtained


def load_stage_tables(store: TableStore | None = None) -> StageTables:
    """Load the four tables from the store (by default the user's cache); build missing ones.

    Raises:
        TableError: The tables could not be built.
    """
    obtained = (store or TableStore()).obtain(STAGE_TABLE_SET)
    stored = obtained.arrays
    pairs = _move_pairs(stored["corner_coset_moves"], stored["square_corner_moves"])
    return StageTables(
        distances=tuple(obtained.arrays[f"stage{number}"] for number in range(1, 5)),
        a_moves=tuple(np.ascontiguousarray(a) for a, _ in pairs),
        b_moves=tuple(np.ascontiguousarray(b) for _, b in pairs),
        turns=tuple(np.array(turns, dtype=np.int64) for turns in STAGE_TURNS),
        lookups=(
            coordinates.subset_numbers(12, coordinates.E_EDGES),
            coordinates.subset_numbers(8, coordinates.M_EDGES),
            stored["corner_cosets"],
            stored["square_corners"],
        ),
        move_rows=np.stack([cubies.row() for cubies in move_cubies()]),
        source=obtained,
    )


def _product(a: NDArray[np.int16], b: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the move table of a pair, ``a * size_b + b``; undefined turns are -1."""
    both = a[:, None, :].astype(np.int64) * len(b) + b[None]
    both[:, :, (a[0] < 0) | (b[0] < 0)] = -1
    return np.ascontiguousarray(both.reshape(-1, a.shape[1]).astype(np.int16))


def _move_pairs(
    corner_coset_moves: NDArray[np.int16], square_corner_moves: NDArray[np.int16]
) -> tuple[Pair, ...]:
    """Return the two move tables of each stage; those of the corners come from the store."""
    single = np.zeros((1, 18), dtype=np.int16)
    permuted = coordinates.slice_permutation_moves
    return (
        (coordinates.flip_moves(), single),
        (coordinates.twist_moves(), coordinates.slice_moves()),
        (corner_coset_moves, coordinates.middle_moves()),
        (
            _product(square_corner_moves, permuted(coordinates.M_EDGES)),
            _product(permuted(coordinates.S_EDGES), permuted(coordinates.E_EDGES)),
        ),
    )


def _parities() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the parity of stage four's coordinates; the 96 corner permutations are even."""
    rows = coordinates.all_permutations(4)
    after = rows[:, None, :] < rows[:, :, None]
    odd = (np.triu(after, 1).sum(axis=(1, 2)) % 2).astype(np.uint8)
    return np.tile(odd, 96), (odd[:, None] ^ odd[None]).reshape(-1)


def _build(progress: Progress) -> Arrays:
    arrays: dict[str, Table] = {
        "corner_cosets": coordinates.corner_cosets(),
        "square_corners": coordinates.square_corners(),
        "corner_coset_moves": coordinates.corner_coset_moves(),
        "square_corner_moves": coordinates.square_corner_moves(),
    }
    pairs = _move_pairs(arrays["corner_coset_moves"], arrays["square_corner_moves"])
    for stage, moves in enumerate(pairs):
        parities = _parities() if stage == len(STATES) - 1 else None
        arrays[f"stage{stage + 1}"] = pair_distances(*moves, STAGE_TURNS[stage], parities)
        progress((stage + 1) / len(STATES))
    return arrays


STAGE_TABLE_SET = TableSet("stages", 2, _build)


Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Four = tuple[Any, ...]


def rank(row: Bytes, start: int, step: int, count: int) -> int:
    """Return the lexicographic rank of the count numbers at start, start + step, … of a row."""
    number = 0
    for i in range(count):
        smaller = 0
        for j in range(i + 1, count):
            if row[start + j * step] < row[start + i * step]:
                smaller += 1
        number = number * (count - i) + smaller
    return number


def coordinates_of(row: Bytes, stage: int, lookups: Four) -> tuple[int, int]:
    """Return the two coordinates of a cube in a stage."""
    a, b, mask = 0, 0, 0
    if stage == 0:
        for i in range(28, 39):
            a = a * 2 + int(row[i])
    elif stage == 1:
        for i in range(8, 15):
            a = a * 3 + int(row[i])
        for i in range(12):
            if row[16 + i] >= 8:
                mask |= 1 << i
        b = int(lookups[0][mask])
    elif stage == 2:
        for i in range(8):
            if row[16 + i] & 1:
                mask |= 1 << i
        a = int(lookups[2][rank(row, 0, 1, 8)])
        b = int(lookups[1][mask])
    else:
        a = int(lookups[3][rank(row, 0, 1, 8)]) * 24 + rank(row, 17, 2, 4)
        b = rank(row, 16, 2, 4) * 24 + rank(row, 24, 1, 4)
    return a, b


def turn_row(row: Bytes, move: Bytes, after: Bytes) -> None:
    """Turn a cube; ``after`` is overwritten."""
    for i in range(8):
        after[i] = row[move[i]]
        after[8 + i] = (row[8 + move[i]] + move[8 + i]) % 3
    for i in range(16, 28):
        after[i] = row[16 + move[i]]
        after[12 + i] = row[28 + move[i]] ^ move[12 + i]
    row[:] = after


def descend(  # noqa: PLR0917 - compiled functions take their arguments by position
    row: Bytes,
    move_rows: Bytes,
    a_moves: Four,
    b_moves: Four,
    distances: Four,
    turns: Four,
    lookups: Four,
    moves: Ints,
) -> int:
    """Descend along the four tables, always with the first turn that reduces the distance.

    Args:
        row: A cube of forty bytes (corners, twists, edges, flips); modified by the turns.
        move_rows: The eighteen turns, likewise, shape (18, 40).
        a_moves: Move tables of each stage's first coordinate.
        b_moves: Move tables of each stage's second coordinate.
        distances: Distance to each stage's goal at ``a * (size_b >> fold) + (b >> fold)``.
        turns: The turns that each stage allows.
        lookups: Slice numbers by mask, middle numbers by mask, corner cosets, square corners.
        moves: Array of 45 places for the turns.

    Returns:
        The number of turns.
    """
    count = 0
    after = np.empty(40, np.uint8)
    for stage in range(4):
        a, b = coordinates_of(row, stage, lookups)
        fold = 1 if stage == 3 else 0
        size = b_moves[stage].shape[0] >> fold
        togo = int(distances[stage][a * size + (b >> fold)])
        while togo > 0:
            for turn in turns[stage]:
                next_a, next_b = int(a_moves[stage][a, turn]), int(b_moves[stage][b, turn])
                if distances[stage][next_a * size + (next_b >> fold)] == togo - 1:
                    a, b = next_a, next_b
                    moves[count] = turn
                    turn_row(row, move_rows[turn], after)
                    break
            count += 1
            togo -= 1
    return count


MAX_MOVES = sum(MAX_DEPTHS)


def require_solvable(state: CubeState) -> None:
    """Refuse a state that face turns cannot solve.

    Raises:
        InvalidCubeError: The message names the broken laws.
    """
    problems = examine_state(state).problems
    if problems:
        raise InvalidCubeError(
            "face turns cannot solve this cube: " + "; ".join(p.text for p in problems)
        )


def _compiled_descend() -> Callable[..., int] | None:
    """Return the compiled descent if its module is loaded already; loading it takes long."""
    module = sys.modules.get("solver.stages.compiled_descent")
    return None if module is None else cast("Callable[..., int] | None", module.descend)


class ThistlethwaiteSolver:
    """Solves any cube in at most 45 moves, in well under a millisecond.

    Each stage is as short as possible; of the six orientations of the chain, the one with the
    shortest simplified solution is taken.
    """

    def __init__(self, tables: StageTables) -> None:
        self._tables = tables

    def solve(self, state: CubeState, chain: Chain | None = None) -> Solution:
        """Solve a state, in one orientation of the chain or in the best of the six.

        Raises:
            InvalidCubeError: Face turns cannot solve the state.
            TableError: The tables are wrong (an internal check).
        """
        require_solvable(state)
        started = thread_clock_ns()
        chains = ALL_CHAINS if chain is None else (chain,)
        found = [(self._walk(state, each), each) for each in chains]
        moves, best = min(found, key=lambda pair: len(pair[0]))
        if state.apply(moves) != SOLVED or len(moves) > MAX_MOVES:
            raise TableError("the stage tables gave a wrong solution: remove and rebuild them")
        cpu_ms = (thread_clock_ns() - started) / 1e6
        proven = len(moves) <= 1
        return Solution(
            state, moves, chain=best, value=htm(moves), proven_optimal=proven, cpu_ms=cpu_ms
        )

    def _walk(self, state: CubeState, chain: Chain) -> MoveSequence:
        walk_down = _compiled_descend() or descend
        tables = self._tables
        turns = np.zeros(MAX_MOVES, dtype=np.int64)
        count = walk_down(
            chain.seen(state).row(),
            tables.move_rows,
            tables.a_moves,
            tables.b_moves,
            tables.distances,
            tables.turns,
            tables.lookups,
            turns,
        )
        seen = conjugate_moves()[chain.symmetry]
        return moves_seen(turns[:count].tolist(), seen).simplified()
