"""What symmetry spares the search in single turns."""

from typing import Any

import numpy as np
import pytest
from numba import njit

from solver.cubies import conjugate_moves, symmetry_inverses
from solver.kernels import slots
from solver.kernels.context import set_slots
from solver.kernels.single.first_turns import first_turns
from solver.turns import allowed_turns

INVOLUTIONS = [number for number in range(1, 16) if symmetry_inverses()[number] == number]


@njit("int64(int64, int64)")
def begun_with(ctx: Any, number: Any) -> Any:
    return first_turns(ctx, number)


@pytest.mark.parametrize(
    "own", [(0,), tuple(range(16)), *((0, number) for number in INVOLUTIONS)], ids=str
)
def test_of_turns_alike_by_a_symmetry_of_the_cube_the_first_begins(own: tuple[int, ...]) -> None:
    context, allowed = np.zeros(slots.CONTEXT_SIZE, np.int64), allowed_turns()
    images = conjugate_moves()[:16].astype(np.uint8)
    selves = np.full(6, sum(1 << number for number in own), np.int64)
    set_slots(context, {slots.ALLOWED: allowed, slots.FRAME_TURNS: images, slots.SELVES: selves})
    alike = [{int(images[number, turn]) for number in own} for turn in range(18)]
    for direction in range(6):
        mask = begun_with(context.ctypes.data, direction)
        assert mask == sum(1 << turn for turn in {min(turns) for turns in alike})
    assert begun_with(context.ctypes.data, 6) == 2**18 - 1  # premoves have broken the symmetry
