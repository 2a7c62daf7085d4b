"""Soft starts on a Mega, as the host plans them."""

import msgspec
import pytest
from benches import virtual_time_s, with_motors
from firmware_motion import complete

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.protocol.settings import SOFT_START_STEPS, Setting
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import MOST_CORNER_DEG, PAIR_KEYS, Corners
from robot.rigs.motor import Trapezoid
from robot.simulator.avr_simulator import CYCLES_PER_S, AvrSimulator, Script, StepReader
from robot.virtual.cubes.slipping_cube import DEFAULT_GEOMETRY, CornerGeometry, SlippingCube
from thistlebot.solving.rig_times import time_model

pytestmark = pytest.mark.avr

SINGLE = Corners(
    cut=33.0, anti_cut=28.0, cut_after_half=33.0, anti_cut_after_half=28.0, opposite=33.0
)
PAIRED = msgspec.structs.replace(SINGLE, **dict.fromkeys(PAIR_KEYS, 24.0))
WIDE = Corners(**dict.fromkeys(Corners.__struct_fields__, float(MOST_CORNER_DEG)))
MOVES = MoveSequence.parse("R U F' L2 B D' R2 U2 F L' B2 D R U'")


def soft_rig(soft_steps: int, corners: Corners) -> FaceMotors:
    soft = with_motors(default_rig(), lambda _: {"soft_start_steps": soft_steps})
    return msgspec.structs.replace(soft, corners=corners)


@pytest.mark.parametrize(
    ("soft_start", "steps", "rate", "acceleration"),
    [
        (1, 400, 17_391, 1_023_018),
        (2, 400, 17_391, 2_160_000),
        (3, 400, 17_391, 1_023_018),
        (2, 1600, 30_000, 4_000_000),
        (3, 400, 50_000, 1_000_000),  # never reaches its rate
    ],
)
def test_a_soft_turn_has_the_planned_intervals(
    simulator: AvrSimulator, soft_start: int, steps: int, rate: int, acceleration: int
) -> None:
    script = Script()
    script.motors(steps, rate, acceleration, 1)
    script.set(Setting.SOFT_START, soft_start, (1,))
    script.enable()
    script.move(1, 1)
    script.now_ms += 120
    script.move(1, -2)
    trace = simulator.run(script, script.now_ms + 200, "mega")
    made = complete(trace, 1, 3 * steps)
    for pulses in (made[:steps], made[steps:]):
        motion = Trapezoid(len(pulses), rate, acceleration, SOFT_START_STEPS[soft_start])
        planned = motion.pulse_times_s()
        real = [(cycle - pulses[0]) / CYCLES_PER_S for cycle in pulses]
        assert real[-1] == pytest.approx(motion.duration_s, rel=0.000_5)
        # Part of a tick is lost with each interval of a ramp; the flat part is rounded, too.
        assert real == pytest.approx(planned, abs=20e-6)


@pytest.mark.parametrize(("soft_start", "corners"), [(1, PAIRED), (2, WIDE), (3, SINGLE)])
def test_board_plan_objective_and_virtual_rig_agree_on_soft_turns_that_overlap(
    simulator: AvrSimulator, script: Script, soft_start: int, corners: Corners
) -> None:
    rig = soft_rig(SOFT_START_STEPS[soft_start], corners)
    program = rig.plan(MOVES, lanes=4)
    assert any(step.overlap_steps for step in program.steps)
    script.set(Setting.SOFT_START, soft_start, tuple(range(6)))
    begun_ms = script.play(program, rig.gap_us)
    trace = simulator.run(script, begun_ms + 1000 * program.time_s + 60, "mega")
    pulses = [edge.cycle for edge in trace.edges if edge.kind == "step"]
    taken_s = (pulses[-1] - pulses[0]) / CYCLES_PER_S
    assert taken_s == pytest.approx(program.time_s, abs=0.000_3)
    assert virtual_time_s(rig, program, lanes=4) == pytest.approx(taken_s, abs=0.000_3)
    if corners is SINGLE:
        two_lanes = rig.plan(MOVES)
        objective_ms = time_model(rig).time_ms(two_lanes.moves)
        assert objective_ms == pytest.approx(1000 * two_lanes.time_s, abs=1e-6)
    geometry = CornerGeometry(90.0, 90.0) if corners is WIDE else DEFAULT_GEOMETRY
    cube = SlippingCube(rig, geometry=geometry)
    assert cube.follow(StepReader().read(trace.edges)) == SOLVED.apply(MOVES)
    assert (cube.slips, cube.jams) == (0, 0)
