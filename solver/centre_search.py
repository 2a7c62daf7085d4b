"""Solves cubes with oriented centres: supercubes and cubes with pictures (S3.12).

Every turn also turns the centre of its face. About one solution in two thousand leaves the centres
straight, so the search includes the centres: along G0>G2>G4, with the centres in the tables.

This module also contains the distance tables for it.

Phase one ends in G2, with the four side centres turned by half turns only; phase two solves the
rest.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.errors import InvalidCubeError
from cube.moves import FACES, MoveSequence
from cube.state import SOLVED, CubeState
from solver import coordinates
from solver.centre_turns import STRAIGHT, Centres
from solver.clock import thread_clock_ns
from solver.coordinates import pair_distances
from solver.cubies import (
    MOVES,
    allowed_turns,
    conjugate_moves,
    move_cubies,
    moves_seen,
    of_state,
    symmetries,
)
from solver.errors import SolverError
from solver.kernels import slots
from solver.kernels.slots import (
    PATH_BYTES,
    PHASE_TWO_TURNS,
    ROW_BYTES,
    found_turns,
    set_clock,
    set_slots,
    shared_array,
)
from solver.search.tables.symmetry_coordinates import phase_two_edge_moves
from solver.stages.solution import Solution
from solver.stages.thistlethwaite import require_solvable
from solver.table_files import Arrays
from solver.tables import Obtained, Progress, TableSet, TableStore

PARITIES, ANGLES = 16, 256
PHASE_TWO = tuple(turn for turn in range(MOVES) if PHASE_TWO_TURNS >> turn & 1)
SIDES = (1, 2, 4, 5)  # R, F, L, B in the order of the faces

Table = NDArray[Any]


def parity_moves() -> NDArray[np.uint16]:
    """Return how turns change the parities of the side centres' quarter turns, shape (16, 18)."""
    table = np.empty((PARITIES, MOVES), dtype=np.uint16)
    for turn in range(MOVES):
        face, quarters = turn // 3, turn % 3 + 1
        odd = face in SIDES and quarters % 2 == 1
        table[:, turn] = np.arange(PARITIES) ^ (1 << SIDES.index(face) if odd else 0)
    return table


def angle_moves() -> NDArray[np.uint16]:
    """Return how turns of phase two turn the centres, shape (256, 18).

    A value is U | D << 2 | sides << 4: quarter turns of U and D, half turns of R, F, L and B.
    """
    values = np.arange(ANGLES)
    table = np.zeros((ANGLES, MOVES), dtype=np.uint16)
    for turn in PHASE_TWO:
        face, quarters = turn // 3, turn % 3 + 1
        if face == 0:
            table[:, turn] = values & ~3 | (values + quarters) & 3
        elif face == 3:
            table[:, turn] = values & ~12 | ((values >> 2) + quarters & 3) << 2
        else:
            table[:, turn] = values ^ 16 << SIDES.index(face)
    return table


def order_moves() -> NDArray[np.uint16]:
    """Return how turns of phase two permute the four edges of the middle slice, shape (24, 18)."""
    rows = coordinates.all_permutations(4)
    table = np.zeros((len(rows), MOVES), dtype=np.uint16)
    for turn in PHASE_TWO:
        table[:, turn] = coordinates.rank_permutations(rows[:, move_cubies()[turn].edges[8:] - 8])
    return table


def _build(progress: Progress) -> Arrays:
    progress(0.0)
    every = tuple(range(MOVES))
    moves: dict[str, Table] = {
        "twist_moves": coordinates.twist_moves().astype(np.uint16),
        "flip_moves": coordinates.flip_moves().astype(np.uint16),
        "slice_moves": coordinates.slice_moves().astype(np.uint16),
        "parity_moves": parity_moves(),
        "corner_moves": coordinates.corner_permutation_moves(),
        "edge_moves": phase_two_edge_moves(),
        "order_moves": order_moves(),
        "angle_moves": angle_moves(),
    }
    pairs = (
        ("twist", "slice", every),
        ("flip", "slice", every),
        ("twist", "parity", every),
        ("flip", "parity", every),
        ("corner", "order", PHASE_TWO),
        ("edge", "order", PHASE_TWO),
        ("corner", "angle", PHASE_TWO),
        ("edge", "angle", PHASE_TWO),
    )
    made = {}
    for number, (first, second, turns) in enumerate(pairs, start=1):
        made[f"{first}_{second}"] = pair_distances(
            moves[f"{first}_moves"], moves[f"{second}_moves"], turns
        )
        progress(number / len(pairs))
    return moves | made


CENTRE_TABLE_SET = TableSet("centres", 1, _build)


_LONGEST, _PHASE_TWO = 40, 16
_ROTATIONS = (0, 16, 32)


@dataclass(frozen=True, slots=True)
class CentreSolver:
    """Finds short solutions that leave the centres straight.

    Attributes:
        source: The tables, and whether they were stored or built.
    """

    source: Obtained

    def solve(self, state: CubeState, centres: Centres, budget_ms: float = 100.0) -> Solution:
        """Solve the cube with straight centres, in as few turns as the budget allows.

        Args:
            state: Corners and edges.
            centres: The orientations of the centres.
            budget_ms: Processor time; the first answer may take longer.

        Raises:
            InvalidCubeError: Turns cannot solve the state, or not with these centres.
            SolverError: The budget is not above zero.
        """
        if not budget_ms > 0:
            raise SolverError(f"the budget must be above 0 ms, not {budget_ms:g}")
        require_solvable(state)
        if not centres.fits(state):
            raise InvalidCubeError(
                f"the centres cannot stand as {centres} on this cube: each quarter turn of a face "
                "changes the parity of the corners and turns one centre, so here the centres' "
                f"quarter turns must have an {'even' if sum(centres.turns) % 2 else 'odd'} sum"
            )
        started = thread_clock_ns()
        search = _Search(self.source, state, centres)
        while not search.run(started + int(budget_ms * 1e6)):
            budget_ms = 2 * budget_ms + 1
        moves = search.moves()
        if state.apply(moves) != SOLVED or centres.apply(moves) != STRAIGHT:
            raise SolverError("the search gave a wrong solution: remove and rebuild the tables")
        return Solution(
            state,
            moves,
            value=len(moves),
            proven_optimal=len(moves) <= 1,
            cpu_ms=(thread_clock_ns() - started) / 1e6,
            nodes=search.nodes,
        )


class _Search:
    """The search for one cube in six directions: three axes of it and of its inverse."""

    def __init__(self, source: Obtained, state: CubeState, centres: Centres) -> None:
        from solver.kernels import centres as kernel

        self._kernel = kernel
        self._move_rows = np.stack([cubies.row() for cubies in move_cubies()])
        self._allowed = allowed_turns()
        self._shared, self._clock = shared_array(_LONGEST), np.zeros(2, dtype=np.int64)
        self._shared[slots.CAP] = _PHASE_TWO
        self._row, self._end = np.zeros(ROW_BYTES, np.uint8), np.zeros(ROW_BYTES, np.uint8)
        self._centres, self._path = np.zeros(6, np.uint8), np.zeros(PATH_BYTES, np.uint8)
        self._context = np.zeros(kernel.CENTRE_CONTEXT_SIZE, dtype=np.int64)
        tables = enumerate(kernel.CENTRE_TABLES, start=kernel.TWISTS_BY)
        set_slots(self._context, {slot: source.arrays[name] for slot, name in tables})
        work = {slots.ROOT: self._end, slots.PATH: self._path, slots.ROWS: self._row}
        turns = {slots.ALLOWED: self._allowed, slots.MOVE_ROWS: self._move_rows}
        own = {kernel.CENTRES: self._centres, slots.SHARED: self._shared, slots.UNIT: 1}
        set_slots(self._context, {**work, **turns, **own})
        back = Centres(tuple(-turns % 4 for turns in centres.turns))
        self._roots = [
            _root(cube, turned, rotation)
            for cube, turned in ((state, centres), (state.inverse(), back))
            for rotation in _ROTATIONS
        ]
        self._tasks = [(length, number) for length in range(_LONGEST) for number in range(6)]
        self._tasks.reverse()

    @property
    def nodes(self) -> int:
        """Number of positions searched so far."""
        return int(self._context[slots.NODES])

    def run(self, deadline_ns: int) -> bool:
        """Search until the deadline or the end, and return whether there is a solution."""
        set_clock(self._context, self._clock, deadline_ns)
        self._context[slots.NEXT_CHECK] = self.nodes + slots.CHECK_EVERY
        self._shared[slots.STOP] = 0
        while self._tasks and self._tasks[-1][0] < self._shared[slots.BEST]:
            length, number = self._tasks[-1]
            self._row[:], self._centres[:], start = self._roots[number]
            self._context[slots.DIRECTION] = number
            if self._kernel.search_length(self._context.ctypes.data, *start, length):
                break
            self._tasks.pop()
        return bool(self._shared[slots.FOUND])

    def moves(self) -> MoveSequence:
        """The best solution so far, as turns of the original cube."""
        number = int(self._shared[slots.FOUND_DIRECTION])
        seen = conjugate_moves()[_ROTATIONS[number % 3]]
        inverse = number >= len(_ROTATIONS)
        return moves_seen(found_turns(self._shared), seen, inverse=inverse).simplified()


def _root(
    state: CubeState, centres: Centres, rotation: int
) -> tuple[NDArray[np.uint8], list[int], tuple[int, int, int, int]]:
    """Return the cube seen through a rotation: row, centres, and phase one's coordinates."""
    symmetry = symmetries()[rotation]
    cubies = symmetry * of_state(state) * symmetry.inverse()
    seen = [0] * len(FACES)
    for face, turns in zip(conjugate_moves()[rotation, ::3] // 3, centres.turns, strict=True):
        seen[face] = turns
    odd = sum((seen[face] & 1) << place for place, face in enumerate(SIDES))
    start = (
        coordinates.twist_of(cubies),
        coordinates.flip_of(cubies),
        coordinates.slice_of(cubies),
    )
    return cubies.row(), seen, (*start, odd)


def load_centres(store: TableStore | None = None, progress: Progress | None = None) -> CentreSolver:
    """Load the solver with its tables (26 MB); missing ones are built within some seconds.

    Raises:
        TableError: The tables could not be built.
    """
    return CentreSolver((store or TableStore()).obtain(CENTRE_TABLE_SET, progress))
