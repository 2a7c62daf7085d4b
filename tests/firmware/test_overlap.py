"""Turns that overlap, on the board: the same cube, sooner, and still right when stopped."""

from __future__ import annotations

import msgspec
import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.avr_simulator import CYCLES_PER_MS, AvrSimulator, Script, Trace, step_edges
from robot.edges import SteppedCube
from robot.firmware_bench import solve_time
from robot.packets import step_message
from robot.planner import plan
from robot.program import RigProgram
from robot.protocol.frames import ABORT_FRAME, encode_frame
from robot.protocol.messages import State, Status, StatusRequest
from robot.protocol.settings import Setting
from robot.rig import Rig, default_rig
from robot.slipping_cube import SlippingCube
from thistlebot.solving import time_model

pytestmark = pytest.mark.avr

MOVES = MoveSequence.parse("R U F' L2 B D' R2 U2 F L' B2 D R U' F2 L B' D2")
PLAIN = default_rig()
BRISK = msgspec.structs.replace(PLAIN, overlap_degrees=12)


def send_program(script: Script, rig: Rig) -> tuple[RigProgram, float]:
    """Send a whole program ahead; the program, and when it was begun."""
    program = plan(MOVES, rig)
    script.set(Setting.GAP_US, rig.gap_us)
    script.enable()
    begun_ms = script.now_ms
    for step in program.steps:
        message = step_message(step, 1)
        script.move(
            *(message.motor_a, message.quarters_a, message.motor_b, message.quarters_b),
            overlap=message.overlap,
        )
    return program, begun_ms


def motion_s(trace: Trace) -> float:
    """From the first step to the last."""
    cycles = [edge.cycle for edge in trace.edges if edge.kind == "step"]
    return (cycles[-1] - cycles[0]) / CYCLES_PER_MS / 1000


@pytest.mark.parametrize("board", ["uno", "mega"])
def test_a_program_with_overlaps_takes_its_modelled_time(
    simulator: AvrSimulator, script: Script, board: str
) -> None:
    program, begun_ms = send_program(script, BRISK)
    trace = simulator.run(script, begun_ms + 1000 * program.time_s + 100, board)
    edges = list(step_edges(trace.edges))
    cube = SlippingCube(BRISK)
    assert cube.follow(edges) == SOLVED.apply(MOVES)
    assert cube.slips == 0
    exact = SteppedCube(BRISK, tolerance_deg=BRISK.overlap_degrees)
    assert exact.follow(edges) == SOLVED.apply(MOVES)
    assert exact.misaligned == {}
    assert motion_s(trace) == pytest.approx(program.time_s, rel=0.01)
    assert motion_s(trace) < 0.85 * plan(MOVES, PLAIN).time_s


@pytest.mark.parametrize("overlap_degrees", [0, 5, 12])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_frozen_solve_takes_the_time_that_plan_and_objective_say(
    simulator: AvrSimulator, overlap_degrees: float, seed: int
) -> None:
    solve = solve_time(simulator, overlap_degrees, seed=seed)
    assert any(step.overlap_steps for step in solve.program.steps) == (overlap_degrees > 0)
    assert abs(solve.difference_s) < 0.000_3  # 0.15 ms of 1.3 s
    rig = msgspec.structs.replace(PLAIN, overlap_degrees=overlap_degrees)
    objective_ms = time_model(rig).time_ms(solve.program.moves)
    assert objective_ms == pytest.approx(1000 * solve.program.time_s, abs=1e-6)


def test_an_abort_ends_overlapping_turns_at_their_detents(simulator: AvrSimulator) -> None:
    for abort_ms in (3, 38, 71, 104, 160, 240):
        script = Script()
        _, begun_ms = send_program(script, BRISK)
        script.at(begun_ms + abort_ms, f"send {ABORT_FRAME.hex()}")
        script.at(begun_ms + abort_ms + 120, f"send {encode_frame(StatusRequest()).hex()}")
        trace = simulator.run(script, begun_ms + abort_ms + 150)
        cube = SteppedCube(BRISK, tolerance_deg=BRISK.overlap_degrees)
        cube.follow(step_edges(trace.edges))
        assert cube.misaligned == {}
        status = trace.messages(Status)[-1]
        assert isinstance(status, Status)
        assert status.state is State.ABORTED
        whole = MoveSequence(MOVES.moves[: status.executed])
        expected = SOLVED.apply(whole)
        if status.partial_a:
            face = MOVES.moves[status.executed].face
            expected = expected.apply(MoveSequence.parse(face + ("'" * (status.partial_a < 0))))
        assert cube.state == expected


def test_an_emergency_stop_stops_both_lanes(simulator: AvrSimulator, script: Script) -> None:
    _, begun_ms = send_program(script, BRISK)
    script.at(begun_ms + 34, "estop 1")
    trace = simulator.run(script, begun_ms + 200)
    last = max(edge.cycle for edge in trace.edges if edge.kind == "step")
    assert last <= (begun_ms + 34.1) * CYCLES_PER_MS
