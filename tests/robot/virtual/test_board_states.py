"""The virtual board's states, where they must be those of the firmware (firmware/tests)."""

import msgspec
import pytest
from benches import Bench, machine

from cube.moves import MoveSequence
from robot.errors import AbortedError
from robot.protocol.messages import ActionKind, Fault, Reason, State
from robot.rigs.actions import Act
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import ProgramStep, RigProgram


def run(bench: Bench, *parts: Act) -> None:
    steps = (ProgramStep((part,), MoveSequence(), 0.0, 0.0) for part in parts)
    bench.driver.run(RigProgram(tuple(steps)))


def test_enable_is_refused_while_stopping_and_has_two_values(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    link = bench.driver._connection.link
    link.send(rig.plan(MoveSequence.parse("R2")).steps[0].message())
    bench.driver._connection.pump(bench.clock.now_s() + 0.01)
    board = bench.virtual.board
    assert board.enable(1) is None
    board.stop(Fault.HOST_ABORT)
    assert board.state is State.STOPPING
    assert board.enable(1) is Reason.BUSY
    assert board.enable(2) is Reason.OUT_OF_RANGE


def test_idle_motors_are_released_after_a_stop_too(rig: FaceMotors) -> None:
    bench = Bench(msgspec.structs.replace(rig, idle_timeout_ms=500)).ready()
    assert bench.driver.stop().state is State.ABORTED
    bench.clock.sleep(1.0)
    status = bench.driver.status()
    assert (status.state, status.fault) == (State.DISABLED, Fault.HOST_ABORT)


def test_a_position_beyond_what_can_be_counted_is_unknown(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    run(bench, *(Act.move_by(5, steps, "the carriage") for steps in (32767, 30)))
    with pytest.raises(AbortedError) as caught:
        run(bench, Act.move_to(5, 0, "the carriage"))
    assert caught.value.fault == "not_found"


@pytest.mark.parametrize("name", ["cubotino", "four-claws"])
def test_a_stop_holds_a_planned_servo_on_its_way(name: str) -> None:
    bench = Bench(machine(name)).ready()
    step = next(
        step
        for step in bench.rig.plan(MoveSequence.parse("R")).steps
        if step.actions[0].kind is ActionKind.POSITION and step.duration_s >= 0.4
    )
    moves = [each for each in step.actions if each.kind is ActionKind.POSITION]
    servos = bench.virtual.parts.servos
    before = [servos[each.channel].pulse_us for each in moves]
    assert all(each.value != pulse for each, pulse in zip(moves, before, strict=True))
    begun_s = bench.clock.now_s()
    bench.driver.stop_wanted = lambda: bench.clock.now_s() > begun_s + step.duration_s / 4
    with pytest.raises(KeyboardInterrupt):
        bench.driver.run(RigProgram((step,)))
    bench.clock.sleep(1.0)
    assert bench.virtual.stands({}) is not None  # brings the arms up to date
    for each, pulse in zip(moves, before, strict=True):
        arm = servos[each.channel]
        assert min(pulse, each.value) < arm.pulse_us < max(pulse, each.value)
        assert arm.at_us == pytest.approx(arm.pulse_us)
