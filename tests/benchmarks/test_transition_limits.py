"""What knowing the transitions can save at most, by the growth of sequences with their time."""

import math
import random

import msgspec
import numpy as np
import pytest

from benchmarks.transition_limits import STATES, Ends, _ends, following, limits_ms
from calibration.corner_benchmark import random_moves
from cube.metrics import axial_groups
from cube.moves import FACES
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.corners import SINGLE_KEYS, Corners
from solver.search.step_costs import StepCosts
from solver.search.tables.axial_turns import AXIAL_TURNS
from solver.search.time_model import NS_PER_MS
from thistlebot.solving.rig_times import step_costs, time_model

STEEP = Corners(**{key: 45.0 if key.startswith("cut") else 15.0 for key in SINGLE_KEYS})


@pytest.fixture(scope="module")
def steep() -> StepCosts:
    return step_costs(msgspec.structs.replace(default_rig(), corners=STEEP), 2)


def test_turns_that_all_cost_alike_grow_by_the_thirty_that_may_follow() -> None:
    """Of 45 axial turns, 15 share the axis of the one before."""
    alike = StepCosts.even([20 * NS_PER_MS] * len(AXIAL_TURNS))
    turns = following(alike)
    rate, shares = turns.growth(turns.added_ms)
    assert rate == pytest.approx(math.log(30) / 20, rel=1e-6)
    assert shares == pytest.approx(np.full(len(shares), 1 / len(shares)))
    mean_ms = 20 * math.log(STATES) / math.log(30)
    assert limits_ms(alike, alike) == pytest.approx((mean_ms, mean_ms), rel=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_what_turns_add_is_the_time_of_the_plan(steep: StepCosts, seed: int) -> None:
    rig = msgspec.structs.replace(default_rig(), corners=STEEP)
    moves = random_moves(random.Random(seed), 20)
    ends: Ends = ()
    time_ns = 0
    for group in axial_groups(moves):
        turned = {move.face: move.turns for move in group}
        axis = FACES.index(group[0].face) % 3
        quarters = (turned.get(FACES[face], 0) for face in (axis, axis + 3))
        ends, added_ns = _ends(steep, AXIAL_TURNS.index((axis, *quarters)), ends)
        time_ns += added_ns
    rounded_ms = 0.01 * len(moves)
    assert time_ns / NS_PER_MS == pytest.approx(1000 * rig.plan(moves).time_s, abs=rounded_ms)


def test_knowing_the_transitions_saves_more_where_pairs_wait(steep: StepCosts) -> None:
    ignoring = time_model(default_rig()).costs()
    blind_ms, best_ms = limits_ms(steep, ignoring)
    assert 0.14 < 1 - best_ms / blind_ms < 0.17
    assert limits_ms(ignoring, ignoring)[0] == pytest.approx(limits_ms(ignoring, ignoring)[1])
