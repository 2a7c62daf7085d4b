"""What a unit of cost is worth when turns are measured by their time."""

import numpy as np

from solver.kernels import slots
from solver.search.axial import timed_by
from solver.search.engine import Engine, Kernel, Tuning
from solver.search.tables.axial_turns import Prices
from solver.search.time_model import TimeModel

KERNEL = Kernel(*3 * (lambda _: 0,))
QUARTER_MS, HALF_MS, GAP_MS = 40.0, 64.0, 2.0


def engine(half: int) -> Engine:
    arrays = {"axis_turns": np.arange(18)[None].repeat(3, axis=0)}
    context = np.zeros(slots.CONTEXT_SIZE, dtype=np.int64)
    return Engine(arrays, context, KERNEL, Tuning(20, 9, ()), (), Prices(1, half))


def test_a_unit_of_cost_is_what_turns_take_or_a_guess_between_them() -> None:
    for half in (1, 2):
        model = TimeModel((QUARTER_MS,) * 6, (half * QUARTER_MS + (half - 1) * GAP_MS,) * 6, GAP_MS)
        timed = timed_by(engine(half), model)
        assert timed.units == (42_000_000, 42_000_000)
        assert timed.tuning.first_bound == 20 * (42_000_000 * 6 // 5)
        assert timed.context[slots.START] == 2_000_000
    usual, least = timed_by(engine(1), TimeModel((QUARTER_MS,) * 6, (HALF_MS,) * 6, GAP_MS)).units
    assert least == 42_000_000
    assert least < usual < 66_000_000
