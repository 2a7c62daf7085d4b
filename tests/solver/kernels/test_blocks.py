"""Blocks of roots: the nodes that are found side by side."""

from typing import Any

import numpy as np
import pytest
from numba import njit

from cube.random_states import random_state
from solver.coordinates import FLIPS, flip_of, slice_of, twist_of
from solver.cubies import Cubies, of_state
from solver.goal import Goal
from solver.kernels import packed, slots
from solver.kernels.blocks import find_nodes, prepare_directions
from solver.kernels.context import set_slots
from solver.search.engine import context_of
from solver.search.metrics import METRICS
from solver.search.tables.turns import TURN_TABLE_SET
from solver.tables import TableStore


@njit("void(int64, int64, int64)")
def found(ctx: Any, first: Any, last: Any) -> Any:
    prepare_directions(ctx)
    find_nodes(ctx, first, last)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("metric", [Goal.HTM, Goal.AXIAL])
def test_nodes_of_a_block_are_those_of_the_cubes(
    store: TableStore, metric: Goal, seed: int
) -> None:
    """Beside the coordinates of premoves times cube, worked out for each root by itself."""
    tables = dict(store.obtain(TURN_TABLE_SET).arrays)
    for each in (Goal.HTM, metric):
        tables |= store.obtain(METRICS[each].six.tables).arrays
    context, count, rng = context_of(tables), 50 * 6, np.random.default_rng(seed)
    work = {
        slots.ROOT_CACHE: np.zeros(count, np.uint64),
        slots.CHILDREN: np.empty(2 * count, np.int64),
        slots.DIRECTION_TABLES: np.empty(slots.DIRECTION_TABLES_SIZE, np.int64),
    }
    cubes = [of_state(random_state(rng)) for _ in range(6)]
    rows = np.concatenate([cube.row() for cube in cubes])
    set_slots(context, {**work, slots.ROWS: rows, slots.SELVES: np.ones(6, np.int64)})
    first = int(rng.integers(len(tables["premoves"]) - 50))
    context[slots.ROOT_CACHE] -= 8 * 6 * first
    found(context.ctypes.data, 6 * first, 6 * (first + 50))
    for number, node in enumerate(work[slots.ROOT_CACHE].tolist()):
        row = tables["premove_rows"][first + number // 6].astype(np.int64)
        cube = Cubies(row[:8], row[8:16], row[16:28], row[28:]) * cubes[number % 6]
        flip_slice = slice_of(cube) * FLIPS + flip_of(cube)
        cls, symmetry = packed.unpack_entry(int(tables["flip_slices"].reshape(-1)[flip_slice]))
        twist = int(tables["twist_conjugates"][twist_of(cube), symmetry])
        grades = int(tables["phase_one"][cls * slots.PHASE_ONE_ROW + twist // 4])
        grade = packed.unpack_grade(grades, twist)
        assert packed.unpack_node(node) == (twist, symmetry, grade, cls)
