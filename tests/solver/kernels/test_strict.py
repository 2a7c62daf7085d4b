"""The compiled search along the stages turns cubes as moves do."""

from typing import Any

import numpy as np
import pytest
from numba import njit

from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from solver.cubies import move_cubies, of_state
from solver.kernels import slots
from solver.kernels.context import PATH_BYTES, ROW_BYTES, set_slots
from solver.kernels.strict import STAGE_ROWS, STRICT_CONTEXT_SIZE, turn_stage


@njit("void(int64, int64, int64, int64)")
def turned(ctx: Any, stage: Any, first: Any, last: Any) -> None:
    turn_stage(ctx, stage, first, last)


@pytest.mark.parametrize(("first", "last"), [(0, 10), (3, 7), (5, 5)])
def test_a_stage_begins_where_the_turns_of_the_one_before_lead(first: int, last: int) -> None:
    rng = np.random.default_rng(last)
    moves = MoveSequence.of(ALL_MOVES[number] for number in rng.integers(0, 18, 10))
    state = random_state(rng)
    rows, path = np.zeros((5, ROW_BYTES), np.uint8), np.zeros(PATH_BYTES, np.uint8)
    rows[0], path[:10] = of_state(state).row(), [move.index for move in moves]
    context = np.zeros(STRICT_CONTEXT_SIZE, np.int64)
    turns = np.stack([cubies.row() for cubies in move_cubies()])
    set_slots(context, {slots.PATH: path, slots.MOVE_ROWS: turns, STAGE_ROWS: rows})
    turned(context.ctypes.data, 0, first, last)
    after = of_state(state.apply(MoveSequence(moves.moves[first:last]))).row()
    assert (rows[1, :28] == after[:28]).all()  # flips are looked at before the first stage only
