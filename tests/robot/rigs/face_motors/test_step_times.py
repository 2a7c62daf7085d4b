"""What a search adds up is what a plan takes."""

from itertools import pairwise, product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.metrics import axial_groups
from cube.moves import ALL_MOVES, FACES, MoveSequence
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.corners import PAIR_KEYS, Corners

SINGLE = Corners(cut=33.0, anti_cut=15.0, cut_after_half=32.0, anti_cut_after_half=12.0)
APART = msgspec.structs.replace(SINGLE, opposite=33.0)
PAIRED = msgspec.structs.replace(APART, **dict.fromkeys(PAIR_KEYS, 24.0))
RIGS = [
    msgspec.structs.replace(default_rig(), corners=corners, parallel=parallel)
    for corners in (Corners(), SINGLE, APART, PAIRED)
    for parallel in (True, False)
]


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from(ALL_MOVES), max_size=7).map(MoveSequence.of),
    st.sampled_from(range(len(RIGS))),
    st.sampled_from((2, 4)),
)
def test_ways_and_pauses_add_up_to_the_plan(moves: MoveSequence, rig: int, lanes: int) -> None:
    moves = moves.simplified()
    steps = TIMES[rig, lanes]
    groups = [tuple(sorted(g, key=lambda m: FACES.index(m.face))) for g in axial_groups(moves)]
    sums = [
        sum(way.time_ms for way in chosen)
        + sum(steps.pauses_ms[one.last, other.first] for one, other in pairwise(chosen))
        for chosen in product(*(steps.ways[group] for group in groups))
    ]
    assert min(sums) == pytest.approx(1000 * RIGS[rig].plan(moves, lanes).time_s, abs=1e-6)


TIMES = {
    (number, lanes): rig.step_times(lanes) for number, rig in enumerate(RIGS) for lanes in (2, 4)
}


def test_turns_without_a_motor_have_no_way() -> None:
    whole = default_rig()
    rig = msgspec.structs.replace(whole, motors={face: whole.motors[face] for face in "URFLB"})
    assert {move.face for moves in rig.step_times().ways for move in moves} == set("URFLB")
