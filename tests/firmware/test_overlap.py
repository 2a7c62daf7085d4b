"""Turns that overlap: the same cube, sooner, right when stopped; and each board turns all."""

import random
import re
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from avr_simulator import (
    CYCLES_PER_MS,
    CYCLES_PER_US,
    FINE_STEPS,
    FLOODS,
    STEEP,
    AvrSimulator,
    Script,
    Trace,
)
from benches import Bench

from benchmarks.faults.pin_edges import CYCLES_PER_S, StepReader
from benchmarks.faults.stepped_cube import SteppedCube
from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from prepared import build_board
from robot.protocol import messages
from robot.protocol.frames import ABORT_FRAME, encode_frame
from robot.protocol.messages import Clear, Event, Fault, Flag, Hello, StallInput, State, Status
from robot.protocol.settings import Setting
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import SINGLE_KEYS, Corners
from robot.rigs.program import RigProgram
from robot.virtual.cubes.slipping_cube import CornerGeometry
from robot.virtual.virtual_board import FIRMWARE_VERSION
from thistlebot.solving.rig_times import time_model

pytestmark = pytest.mark.avr

MOVES = MoveSequence.parse("R U F' L2 B D' R2 U2 F L'")
PLAIN = default_rig()
NARROW = Corners(cut=12.0, anti_cut=12.0)
BRISK = msgspec.structs.replace(PLAIN, corners=NARROW)
WIDE = msgspec.structs.replace(PLAIN, corners=Corners(**dict.fromkeys(SINGLE_KEYS, 45.0)))
"""The next turn begins when a motor is half way through a quarter turn, at full speed."""
ALL_KEYS = (*SINGLE_KEYS, "opposite")
WITHIN_RAMP = Corners(**dict(zip(ALL_KEYS, (33.0, 28.0, 33.0), strict=True)))
UNEVEN = Corners(**dict(zip(ALL_KEYS, (45.0, 1.0, 45.0), strict=True)))
WIDEST = Corners(**dict.fromkeys(ALL_KEYS, 45.0))


@pytest.mark.parametrize(
    ("corners", "board", "seed"),
    [
        (Corners(), "uno", 0),
        (NARROW, "mega", 0),
        (WITHIN_RAMP, "uno", 0),
        (UNEVEN, "uno", 1),
        (WIDEST, "mega", 0),
    ],
)
def test_board_plan_objective_and_virtual_rig_agree_on_the_time_of_a_solve(
    simulator: AvrSimulator, script: Script, corners: Corners, board: str, seed: int
) -> None:
    rig = msgspec.structs.replace(PLAIN, corners=corners)
    chance = random.Random(seed)
    drawn = MoveSequence.of(chance.choice(ALL_MOVES) for _ in range(40)).simplified()
    program = rig.plan(MoveSequence(drawn.moves[:20]))
    assert any(step.overlap_steps for step in program.steps) == (rig.corners.widest_deg > 0)
    script.play(program, rig.gap_us)
    trace = simulator.run(script, script.now_ms + 1000 * program.time_s + 30, board)
    steps = sorted(cycle for motor in range(6) for cycle in trace.steps(motor))
    assert len(steps) == 400 * sum(abs(move.quarter_turns) for move in program.moves)
    measured_s = (steps[-1] - steps[0]) / CYCLES_PER_S
    assert measured_s == pytest.approx(program.time_s, abs=0.000_2)
    objective_ms = time_model(rig).time_ms(program.moves)
    assert objective_ms == pytest.approx(1000 * program.time_s, abs=1e-6)
    virtual = Bench(rig, geometry=CornerGeometry(90.0, 90.0)).ready()  # one that never jams
    virtual_s = virtual.driver.run(program).elapsed_s
    assert virtual_s == pytest.approx(measured_s, abs=0.000_2)
    if rig.corners.widest_deg > 0:
        assert program.time_s < 0.9 * PLAIN.plan(program.moves).time_s


@dataclass(frozen=True)
class Undisturbed:
    """A program, and what the board makes of it when nothing interferes."""

    rig: FaceMotors
    tolerance_deg: float
    program: RigProgram
    trace: Trace

    def overlap(self, number: int, share: float) -> tuple[float, float]:
        """Find a moment in the overlap after a step; it, and when the next step begins, in ms."""
        spans = []
        made = dict.fromkeys(range(6), 0)
        for step in self.program.steps[: number + 2]:
            turn = step.turns[0]
            first = made[turn.channel]
            made[turn.channel] += 400 * abs(turn.value)
            pulses = self.trace.steps(turn.channel)
            last = pulses[made[turn.channel] - 1]
            spans.append((pulses[first] / CYCLES_PER_MS, last / CYCLES_PER_MS))
        (_, end_ms), (begun_ms, _) = spans[number:]
        assert begun_ms < end_ms
        return begun_ms + share * (end_ms - begun_ms), begun_ms


@pytest.fixture(scope="module", params=["brisk", "wide"])
def undisturbed(request: pytest.FixtureRequest, firmware_build: Path) -> Undisturbed:
    rig, tolerance_deg = (BRISK, 12.0) if request.param == "brisk" else (WIDE, 45.0)
    script = Script()
    program = rig.plan(MOVES)
    begun_ms = script.play(program, rig.gap_us)
    trace = AvrSimulator(firmware_build).run(script, begun_ms + 1000 * program.time_s + 50)
    return Undisturbed(rig, tolerance_deg, program, trace)


def test_a_program_with_overlaps_makes_the_same_cube_sooner(undisturbed: Undisturbed) -> None:
    rig, edges = undisturbed.rig, StepReader().read(undisturbed.trace.edges)
    exact = SteppedCube(rig, tolerance_deg=undisturbed.tolerance_deg)
    assert exact.follow(edges) == SOLVED.apply(MOVES)
    assert exact.misaligned == {}
    cycles = [edge.cycle for edge in undisturbed.trace.edges if edge.kind == "step"]
    motion_ms = (cycles[-1] - cycles[0]) / CYCLES_PER_MS
    assert motion_ms < 0.85 * 1000 * PLAIN.plan(MOVES).time_s


def interfere(
    simulator: AvrSimulator, rig: FaceMotors, at_ms: float, command: str, stall: StallInput
) -> tuple[Trace, Status]:
    """Do something to the board at a moment, and ask it how it is a while later."""
    script = Script()
    # As long as the other setting, so that the program begins when it begins undisturbed.
    script.now_ms -= 15.0
    script.set(Setting.STALL_INPUT, stall)
    script.play(rig.plan(MOVES), rig.gap_us)
    script.at(at_ms, command)
    script.at(at_ms + 110, f"send {encode_frame(messages.StatusRequest()).hex()}")
    trace = simulator.run(script, at_ms + 130)
    (status,) = trace.messages(Status)
    assert status.accepted == status.executed
    return trace, status


def last_step_ms(trace: Trace) -> float:
    return max(edge.cycle for edge in trace.edges if edge.kind == "step") / CYCLES_PER_MS


MOMENTS = [(0, 0.1), (2, 0.5), (5, 0.9), (6, 0.5)]
"""After quarter turns and half turns, before quarter turns and half turns."""


@pytest.mark.parametrize(("number", "share"), MOMENTS)
def test_an_abort_in_an_overlap_ends_both_turns_at_their_detents(
    simulator: AvrSimulator, undisturbed: Undisturbed, number: int, share: float
) -> None:
    rig = undisturbed.rig
    at_ms, begun_ms = undisturbed.overlap(number, share)
    trace, status = interfere(simulator, rig, at_ms, f"send {ABORT_FRAME.hex()}", StallInput.NONE)
    assert (status.state, status.fault) == (State.ABORTED, Fault.HOST_ABORT)
    assert not status.flags & Flag.ALIGNMENT_UNKNOWN
    cube = SteppedCube(rig, tolerance_deg=undisturbed.tolerance_deg)
    cube.follow(StepReader().read(trace.edges))
    assert cube.misaligned == {}
    # The turn that was ending is whole; the one just begun makes a quarter, which may be all of it.
    expected = SOLVED.apply(MoveSequence(MOVES.moves[: status.executed]))
    move = MOVES.moves[number + 1]
    if abs(move.quarter_turns) == 2:
        assert (status.executed, status.flags) == (number + 1, Flag.CUT_SHORT)
        expected = expected.apply(MoveSequence.parse(move.face))
    else:
        assert (status.executed, status.flags) == (number + 2, Flag(0))
    assert cube.state == expected
    assert last_step_ms(trace) < begun_ms + 1000 * BRISK.turn_time_s(move.face, 1) + 0.1


@pytest.mark.parametrize("what", ["estop", "stall"])
def test_an_emergency_stop_or_a_stall_in_an_overlap_stops_both_lanes(
    simulator: AvrSimulator, undisturbed: Undisturbed, what: str
) -> None:
    """No further step; the board says that it knows no position."""
    for number, share in MOMENTS[1:3]:
        at_ms, _ = undisturbed.overlap(number, share)
        wired = StallInput.SHARED if what == "stall" else StallInput.NONE
        trace, status = interfere(simulator, undisturbed.rig, at_ms, f"{what} 1", wired)
        assert status.flags & Flag.ALIGNMENT_UNKNOWN
        assert status.executed == number
        told = [(event.kind, event.arg) for event in trace.messages(Event)]
        if what == "stall":
            assert (status.state, status.fault) == (State.ABORTED, Fault.STALL)
            assert told == [
                (messages.EventKind.STALL, messages.NO_MOTOR),
                (messages.EventKind.ABORTED, Fault.STALL),
            ]
            assert last_step_ms(trace) <= at_ms + 0.3
        else:
            assert (status.state, status.fault) == (State.ESTOP, Fault.ESTOP)
            assert last_step_ms(trace) <= at_ms + 0.1
            off_ms = trace.of("enable", level=1)[-1] / CYCLES_PER_MS
            assert at_ms <= off_ms <= at_ms + 0.1


FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
HEADERS = FIRMWARE / "thistlebot" / "src" / "boards"
MOTORS = {"uno": 6, "nano": 6, "cnc-shield": 4, "mega": 6, "ramps": 6, "mks-gen-l": 5}


@pytest.mark.parametrize(
    "board",
    [
        each if each in {"uno", "mega"} else pytest.param(each, marks=pytest.mark.exhaustive)
        for each in MOTORS
    ],
)
def test_a_board_says_what_it_is_turns_each_motor_and_stops_within_15_us(
    simulator: AvrSimulator, script: Script, board: str
) -> None:
    build_board(board)
    script.motors(400, 50_000, 4_000_000, *range(MOTORS[board]))
    script.at(20, f"send {encode_frame(Hello(2, 1), 0).hex()}")
    script.enable()
    for motor in range(MOTORS[board]):
        script.move(motor, 1 if motor % 2 else -2)
    trace = simulator.run(script, script.now_ms + 40 * MOTORS[board], board)
    (reply,) = trace.messages(messages.HelloReply)
    assert reply.board is messages.BoardKind[board.replace("-", "_").upper()]
    assert reply.motors == MOTORS[board]
    version = reply.firmware_major, reply.firmware_minor, reply.firmware_patch
    assert (reply.protocol, version) == (messages.PROTOCOL_VERSION, FIRMWARE_VERSION)
    turned = [trace.position(motor) for motor in range(MOTORS[board])]
    assert turned == [-800, 400, -800, 400, -800, 400][: MOTORS[board]]
    assert trace.of("enable", level=0)
    times = 10 if board == "uno" else 2
    assert estop_latency_us(simulator, times, board) <= 15


def estop_latency_us(simulator: AvrSimulator, times: int, board: str) -> float:
    """Return the longest time from the emergency stop to the drivers' enable pin.

    It is pressed at random moments of fast turns, while noise fills the line.
    """
    chance, script, pressed = random.Random(1), Script(), []
    script.motors(FINE_STEPS, 40_000, STEEP, 0, 3)
    for _ in range(times):
        script.send(Clear())
        script.enable()
        sent_ms = script.move(0, 2, 3, -2)
        at_ms = round(sent_ms + chance.uniform(1, 80), 4)
        script.at(sent_ms, f"send {FLOODS['noise']} 20")
        script.at(at_ms, "estop 1")
        script.at(at_ms + 8, "estop 0")
        pressed.append(at_ms * CYCLES_PER_MS)
        script.now_ms = sent_ms + 120
        script.number = 0  # a move that was stopped does not count as accepted
    off = simulator.run(script, script.now_ms, board).of("enable", level=1)
    return max(cycle - at for cycle, at in zip(off, pressed, strict=True)) / CYCLES_PER_US


def test_every_board_has_its_row_and_its_place_in_platformio() -> None:
    wiring = (FIRMWARE / "README.md").read_text(encoding="utf-8")
    platformio = ConfigParser(interpolation=None)
    platformio.read(FIRMWARE / "platformio.ini")
    for header in HEADERS.glob("*.h"):
        name = re.search(r'THISTLEBOT_BOARD_NAME "(.+)"', header.read_text(encoding="utf-8"))
        if name is None or name[1] == "host":
            continue
        assert header.stem == name[1].replace("-", "_")
        assert f"| `{name[1]}` |" in wiring
        assert f"env:{name[1]}" in platformio
        assert name[1] in MOTORS
