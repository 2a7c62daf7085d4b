"""The compiled search measures what it finds as the time model does."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from numba import njit

from cube.moves import ALL_MOVES, FACES, MoveSequence, axial_groups
from solver.cubies import conjugate_moves
from solver.kernels import slots
from solver.kernels.slots import PATH_BYTES, set_slots
from solver.search.engine import Engine, context_of
from solver.search.metrics import METRICS, timed_by
from solver.search.step_costs import StepCosts
from solver.search.tables.axial_turns import AXIAL_TURNS, turns_themselves
from solver.search.time_model import PlannedTimes, TimeModel


@cache
def compiled_measure() -> Callable[[int, int], int]:
    """`measure` of the search, for Python; compiled here, for it is part of no cache."""
    from solver.kernels.axial.costs import measure  # noqa: PLC0415 it compiles for seconds

    @njit("int64(int64, int64)")
    def measured(ctx: Any, length: Any) -> Any:
        return measure(ctx, length)

    return measured


def each_found(direction: int, model: TimeModel) -> Iterator[tuple[MoveSequence, int]]:
    """Solutions as the search finds them in a direction, and what it thinks they take, in ns."""
    measured = compiled_measure()
    turns = conjugate_moves()[[0, 16, 32]].astype(np.uint8)
    arrays = {"itself": turns_themselves(turns)}
    search = METRICS["axial"].six
    untimed = Engine(search, arrays, context_of(arrays), lambda _: 0, (), first_bound=1000)
    engine = timed_by(untimed, model)
    context, path = engine.context.copy(), np.zeros(PATH_BYTES, np.uint8)
    ends, axial = np.zeros(32, np.int64), np.zeros(PATH_BYTES, np.uint8)
    work = {slots.PATH: path, slots.ENDS: ends, slots.AXIAL_PATH: axial}
    set_slots(context, {**work, slots.DIRECTION: direction})
    rng = np.random.default_rng(direction)
    for _ in range(20):
        drawn = MoveSequence.of(ALL_MOVES[number] for number in rng.integers(0, 18, 20))
        moves = drawn.simplified()
        path[: len(moves)] = [turns[direction % 3, move.index] for move in moves]
        took_ns = measured(context.ctypes.data, len(moves)) - 1e6 * model.gap_ms
        yield moves if direction < 3 else moves.inverse(), took_ns


@pytest.mark.parametrize("direction", range(6))
def test_every_transition_counts_in_its_order(direction: int) -> None:
    """A pause of its own between any two turns, and two ways to make each half turn."""
    rng = np.random.default_rng(1)
    ways, steps = [], 0
    for _, a, b in AXIAL_TURNS:
        count = 2 if 2 in (a, b) else 1
        ways.append([(steps + i, steps + i, int(rng.integers(10, 90))) for i in range(count)])
        steps += count
    pauses = rng.integers(-5, 1, (steps, steps))
    model = TimeModel(planned=PlannedTimes(lambda _: 0.0, lambda: StepCosts(ways, pauses)))
    number = {turn: index for index, turn in enumerate(AXIAL_TURNS)}
    for moves, took in each_found(direction, model):
        turns = []
        for group in axial_groups(moves):
            quarters, axis = {FACES.index(move.face): move.turns for move in group}, group[0].axis
            turns.append(number[axis, quarters.get(axis, 0), quarters.get(axis + 3, 0)])
        costs = [
            sum(cost for _, _, cost in chosen)
            + sum(pauses[one[1], two[0]] for one, two in pairwise(chosen))
            for chosen in product(*(ways[turn] for turn in turns))
        ]
        assert took == min(costs)
