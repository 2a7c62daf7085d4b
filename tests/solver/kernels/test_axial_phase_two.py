"""The compiled search measures what it finds as the time model does."""

from typing import Any

import numpy as np
import pytest
from numba import njit

from cube.moves import ALL_MOVES, MoveSequence
from solver.cubies import conjugate_moves
from solver.kernels import slots
from solver.kernels.axial_phase_two import measure
from solver.kernels.context import PATH_BYTES, set_slots
from solver.search.axial import timed_by
from solver.search.axial_turns import Prices
from solver.search.engine import Engine, Tuning, context_of
from solver.search.time_model import TimeModel


@njit("int64(int64, int64)")
def measured(ctx: Any, length: Any) -> Any:
    return measure(ctx, length)


@pytest.mark.parametrize("direction", range(6))
def test_a_path_takes_as_long_as_the_rig_needs_for_it(direction: int) -> None:
    """Every face has a time of its own; a path begins with a pause, too."""
    model = TimeModel(
        (31.0, 37.0, 41.0, 43.0, 47.0, 53.0), (61.0, 67.0, 71.0, 73.0, 79.0, 83.0), gap_ms=5.0
    )
    turns = conjugate_moves()[[0, 16, 32]].astype(np.uint8)
    arrays = {"axis_turns": turns}
    tuning = Tuning(1000, 1000, ())
    engine = timed_by(
        Engine(arrays, context_of(arrays), lambda _: 0, tuning, (), Prices(1, 1)), model
    )
    context, path = engine.context.copy(), np.zeros(PATH_BYTES, np.uint8)
    set_slots(context, {slots.PATH: path, slots.DIRECTION: direction, slots.TOGETHER: True})
    rng = np.random.default_rng(direction)
    for _ in range(20):
        drawn = MoveSequence.of(ALL_MOVES[number] for number in rng.integers(0, 18, 15))
        moves = drawn.simplified()
        path[: len(moves)] = [turns[direction % 3, move.index] for move in moves]
        took_us = measured(context.ctypes.data, len(moves))
        assert took_us == 1000 * (model.time_ms(moves) + model.gap_ms)
