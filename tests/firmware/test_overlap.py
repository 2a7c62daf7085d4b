"""Turns that overlap, on the board: the same cube, sooner, and still right when stopped."""

import random
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from virtual_time import virtual_time_s

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from robot.protocol.frames import ABORT_FRAME, encode_frame
from robot.protocol.messages import (
    NO_MOTOR,
    Event,
    EventKind,
    Fault,
    Flag,
    StallInput,
    State,
    Status,
    StatusRequest,
)
from robot.protocol.settings import Setting
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.corners import PAIR_KEYS, SINGLE_KEYS, Corners
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.simulator.avr_simulator import CYCLES_PER_MS, AvrSimulator, Script, StepReader, Trace
from robot.simulator.motion_bench import solve_time
from robot.virtual.cubes.corner_cutting import DEFAULT_GEOMETRY, CornerGeometry
from robot.virtual.cubes.slipping_cube import SlippingCube
from stepped_cube import SteppedCube
from thistlebot.solving.rig_times import time_model

pytestmark = pytest.mark.avr

MOVES = MoveSequence.parse("R U F' L2 B D' R2 U2 F L' B2 D R U' F2 L B' D2")
PLAIN = default_rig()
BRISK = msgspec.structs.replace(PLAIN, overlap_degrees=12)
WIDE = msgspec.structs.replace(PLAIN, corners=Corners(**dict.fromkeys(SINGLE_KEYS, 45.0)))
"""The next turn begins when a motor is half way through a quarter turn, at full speed."""


def send_program(script: Script, rig: FaceMotors) -> tuple[RigProgram, float]:
    """Send a whole program ahead; the program, and when it was begun."""
    program = rig.plan(MOVES)
    return program, script.play(program, rig.gap_us)


def motion_s(trace: Trace) -> float:
    """From the first step to the last."""
    cycles = [edge.cycle for edge in trace.edges if edge.kind == "step"]
    return (cycles[-1] - cycles[0]) / CYCLES_PER_MS / 1000


def test_a_program_with_overlaps_takes_its_modelled_time(
    simulator: AvrSimulator, script: Script
) -> None:
    program, begun_ms = send_program(script, BRISK)
    trace = simulator.run(script, begun_ms + 1000 * program.time_s + 100)
    edges = StepReader().read(trace.edges)
    cube = SlippingCube(BRISK)
    assert cube.follow(edges) == SOLVED.apply(MOVES)
    assert cube.slips == 0
    exact = SteppedCube(BRISK, tolerance_deg=BRISK.overlap_degrees)
    assert exact.follow(edges) == SOLVED.apply(MOVES)
    assert exact.misaligned == {}
    assert motion_s(trace) == pytest.approx(program.time_s, rel=0.01)
    assert motion_s(trace) < 0.85 * PLAIN.plan(MOVES).time_s


def test_a_frozen_solve_takes_the_time_that_plan_and_objective_say(
    simulator: AvrSimulator,
) -> None:
    solve = solve_time(simulator, 12, seed=1)
    assert any(step.overlap_steps for step in solve.program.steps)
    assert abs(solve.difference_s) < 0.000_3  # 0.15 ms of 1.3 s
    rig = msgspec.structs.replace(PLAIN, overlap_degrees=12)
    objective_ms = time_model(rig).time_ms(solve.program.moves)
    assert objective_ms == pytest.approx(1000 * solve.program.time_s, abs=1e-6)


CORNERS = [
    Corners(cut=33.0, anti_cut=28.0, cut_after_half=33.0, anti_cut_after_half=28.0, opposite=33.0),
    Corners(cut=45.0, anti_cut=1.0, cut_after_half=20.5, anti_cut_after_half=0.0, opposite=45.0),
    Corners(cut=45.0, anti_cut=45.0, cut_after_half=45.0, anti_cut_after_half=45.0, opposite=45.0),
]
"""Within the ramp; beyond it, or hardly there; and as wide as they can be."""
PAIRED = [
    (msgspec.structs.replace(CORNERS[0], **dict.fromkeys(PAIR_KEYS, 24.0)), DEFAULT_GEOMETRY),
    (
        msgspec.structs.replace(CORNERS[2], **dict.fromkeys(PAIR_KEYS, 45.0)),
        CornerGeometry(cut_deg=90.0, anti_cut_deg=90.0),
    ),
]
"""With the cube that allows them."""


@pytest.mark.parametrize(
    ("corners", "board", "seed"),
    [(CORNERS[0], "uno", 0), (CORNERS[1], "mega", 1), (CORNERS[2], "uno", 1)],
)
def test_board_plan_objective_and_virtual_rig_agree_on_the_time_of_cut_corners(
    simulator: AvrSimulator, corners: Corners, board: str, seed: int
) -> None:
    solve = solve_time(simulator, 0, seed=seed, corners=corners, board=board)
    assert abs(solve.difference_s) < 0.000_2
    rig = msgspec.structs.replace(PLAIN, corners=corners)
    objective_ms = time_model(rig).time_ms(solve.program.moves)
    assert objective_ms == pytest.approx(1000 * solve.program.time_s, abs=1e-6)
    assert virtual_time_s(rig, solve.program) == pytest.approx(solve.measured_s, abs=0.000_2)
    assert solve.program.time_s < 0.85 * PLAIN.plan(solve.program.moves).time_s


def test_calibrated_corners_turn_the_cube_and_wider_ones_jam_it(simulator: AvrSimulator) -> None:
    for by_deg, jams in ((0, False), (5, True)):
        rig = msgspec.structs.replace(PLAIN, corners=CORNERS[0].widened(by_deg))
        script = Script()
        program, begun_ms = send_program(script, rig)
        trace = simulator.run(script, begun_ms + 1000 * program.time_s + 100)
        cube = SlippingCube(rig)
        cube.follow(StepReader().read(trace.edges))
        assert (cube.jams > 0) == jams
        assert (cube.state == SOLVED.apply(MOVES)) != jams


@dataclass(frozen=True)
class Overlap:
    """A moment at which two motors turn, when nothing interferes with the program.

    Attributes:
        rig: Whose program it is.
        at_ms: The moment.
        number: Of the step that ends; the next one has begun.
        begun_ms: The first pulse of the next one.
        ending: Motor of the one.
        begun: Motor of the other.
    """

    rig: FaceMotors
    at_ms: float
    number: int
    begun_ms: float
    ending: int
    begun: int


@dataclass(frozen=True)
class Undisturbed:
    """The program, and what the board makes of it."""

    rig: FaceMotors
    tolerance_deg: float
    program: RigProgram
    trace: Trace


@pytest.fixture(scope="module", params=["brisk", "wide"])
def undisturbed(request: pytest.FixtureRequest, build: Path) -> Undisturbed:
    rig, tolerance_deg = (BRISK, 12.0) if request.param == "brisk" else (WIDE, 45.0)
    script = Script()
    program, begun_ms = send_program(script, rig)
    trace = AvrSimulator(build).run(script, begun_ms + 1000 * program.time_s + 50)
    return Undisturbed(rig, tolerance_deg, program, trace)


def overlap(undisturbed: Undisturbed, number: int, share: float) -> Overlap:
    """Find a moment in the overlap after one of the program's steps."""
    program, trace = undisturbed.program, undisturbed.trace
    spans = []
    made = dict.fromkeys(range(6), 0)
    for step in program.steps:
        turn = step.turns[0]
        first = made[turn.channel]
        made[turn.channel] += 400 * abs(turn.quarter_turns)
        pulses = trace.steps(turn.channel)
        spans.append(
            (pulses[first] / CYCLES_PER_MS, pulses[made[turn.channel] - 1] / CYCLES_PER_MS)
        )
    (_, end_ms), (begun_ms, _) = spans[number : number + 2]
    assert begun_ms < end_ms
    ending, begun = (program.steps[place].turns[0].channel for place in (number, number + 1))
    at_ms = begun_ms + share * (end_ms - begun_ms)
    return Overlap(undisturbed.rig, at_ms, number, begun_ms, ending, begun)


def interfere(
    simulator: AvrSimulator, moment: Overlap, command: str, stall: StallInput, board: str = "uno"
) -> tuple[Trace, Status]:
    """Do something to the board at a moment, and ask it how it is a while later."""
    script = Script()
    # As long as the other setting, so that the program begins when it begins undisturbed.
    script.now_ms -= 15.0
    script.set(Setting.STALL_INPUT, stall)
    send_program(script, moment.rig)
    script.at(moment.at_ms, command)
    script.at(moment.at_ms + 110, f"send {encode_frame(StatusRequest()).hex()}")
    trace = simulator.run(script, moment.at_ms + 130, board)
    (status,) = trace.messages(Status)
    assert isinstance(status, Status)
    assert status.accepted == status.executed
    return trace, status


def last_step_ms(trace: Trace) -> float:
    return max(edge.cycle for edge in trace.edges if edge.kind == "step") / CYCLES_PER_MS


MOMENTS = [(5, 0.9), (6, 0.5)]
"""After quarter turns and half turns, before quarter turns and half turns."""


@pytest.mark.parametrize(("number", "share"), MOMENTS)
def test_an_abort_in_an_overlap_ends_both_turns_at_their_detents(
    simulator: AvrSimulator, undisturbed: Undisturbed, number: int, share: float
) -> None:
    moment = overlap(undisturbed, number, share)
    trace, status = interfere(simulator, moment, f"send {ABORT_FRAME.hex()}", StallInput.NONE)
    assert (status.state, status.fault) == (State.ABORTED, Fault.HOST_ABORT)
    assert not status.flags & Flag.ALIGNMENT_UNKNOWN
    cube = SteppedCube(undisturbed.rig, tolerance_deg=undisturbed.tolerance_deg)
    cube.follow(StepReader().read(trace.edges))
    assert cube.misaligned == {}
    # The turn that was ending is whole; the one just begun makes a quarter, which may be all of it.
    expected = SOLVED.apply(MoveSequence(MOVES.moves[: status.executed]))
    move = MOVES.moves[moment.number + 1]
    if abs(move.quarter_turns) == 2:
        assert (status.executed, status.done_0) == (moment.number + 1, 1)
        expected = expected.apply(MoveSequence.parse(move.face))
    else:
        assert (status.executed, status.done_0) == (moment.number + 2, 0)
    assert cube.state == expected
    assert last_step_ms(trace) < moment.begun_ms + 1000 * BRISK.turn_time_s(move.face, 1) + 0.1


def test_an_emergency_stop_in_an_overlap_stops_both_lanes(
    simulator: AvrSimulator, undisturbed: Undisturbed
) -> None:
    moment = overlap(undisturbed, 5, 0.9)
    trace, status = interfere(simulator, moment, "estop 1", StallInput.NONE)
    assert (status.state, status.fault) == (State.ESTOP, Fault.ESTOP)
    assert status.flags & Flag.ALIGNMENT_UNKNOWN
    assert status.executed == moment.number
    assert last_step_ms(trace) <= moment.at_ms + 0.1
    off_ms = trace.of("enable", level=1)[-1] / CYCLES_PER_MS
    assert moment.at_ms <= off_ms <= moment.at_ms + 0.1


@pytest.mark.parametrize("which", ["any", "ending", "begun"])
def test_a_stall_in_an_overlap_stops_both_lanes_and_a_mega_tells_motors_apart(
    simulator: AvrSimulator, undisturbed: Undisturbed, which: str
) -> None:
    """No further step; the board says whose motor it was and that it knows no position."""
    moment = overlap(undisturbed, 2, 0.5)
    motor = {"any": NO_MOTOR, "ending": moment.ending, "begun": moment.begun}[which]
    if which == "any":
        trace, status = interfere(simulator, moment, "stall 1", StallInput.SHARED)
    else:
        trace, status = interfere(simulator, moment, f"stall 1 {motor}", StallInput.EACH, "mega")
    assert (status.state, status.fault) == (State.ABORTED, Fault.STALL)
    assert status.flags & Flag.ALIGNMENT_UNKNOWN
    assert status.executed == moment.number
    assert last_step_ms(trace) <= moment.at_ms + 0.3
    told = [(event.kind, event.arg) for event in trace.messages(Event)]
    assert told == [(EventKind.STALL, motor), (EventKind.ABORTED, Fault.STALL)]


@pytest.mark.parametrize(("corners", "geometry", "seed"), [(*PAIRED[0], 0), (*PAIRED[1], 1)])
def test_pairs_overlap_on_a_mega_in_their_planned_time(
    simulator: AvrSimulator, corners: Corners, geometry: CornerGeometry, seed: int
) -> None:
    rig = msgspec.structs.replace(PLAIN, corners=corners)
    rng = random.Random(seed)
    moves = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(40)).simplified()[:32]
    program = rig.plan(moves, lanes=4)
    pairs = [step for step in program.steps[1:] if len(step.turns) == 2]
    assert any(step.overlap_steps for step in pairs)
    script = Script()
    script.play(program, rig.gap_us)
    trace = simulator.run(script, script.now_ms + 1000 * program.time_s + 60, "mega")
    assert motion_s(trace) == pytest.approx(program.time_s, abs=0.000_3)
    cube = SlippingCube(rig, geometry=geometry)
    assert cube.follow(StepReader().read(trace.edges)) == SOLVED.apply(moves)
    assert cube.jams == cube.slips == 0
