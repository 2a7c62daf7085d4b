"""The driver over the virtual rig: settings, the motors' current, the button, the buzzer."""

import tomllib
from typing import Any

import msgspec
import pytest
from benches import SEQUENCE, Bench, machine
from faulty_rig import Faults, Impostor

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot import errors
from robot.protocol.messages import NO_MOTOR, Fault, OutputMode, State
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.actions import Act
from robot.rigs.catalogue import default_rig, default_rig_text, named_rig, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import ProgramStep, RigProgram
from robot.running.buzz import BEEP_MS, beep, buzz
from robot.virtual.virtual_board import VirtualBoard


def test_impostors_are_told_apart_and_nothing_is_sent_to_motors_that_a_board_lacks(
    rig: FaceMotors,
) -> None:
    for impostor, error in (
        (Impostor.SILENT, errors.NoAnswerError),
        (Impostor.NOISE, errors.NoiseError),
        (Impostor.OTHER_VERSION, errors.ProtocolVersionError),
    ):
        bench = Bench(rig, Faults(impostor=impostor))
        with pytest.raises(error):
            bench.driver.connect()
        assert not any("STEP" in line or "ENABLE" in line for line in bench.packets)
    bench = Bench(rig)
    bench.virtual.board = VirtualBoard(lambda *_: None, motors=3)
    bench.driver.connect()
    with pytest.raises(errors.NotPossibleError, match="3"):
        bench.driver.prepare()
    assert not any(" SET " in line or "ENABLE" in line for line in bench.packets)


@pytest.mark.parametrize("restarted", [False, True])
def test_nothing_is_done_without_a_connection(rig: FaceMotors, restarted: bool) -> None:
    bench = Bench(rig)
    if restarted:
        bench.ready()
        bench.virtual.board.reset(boot_id=4)
        with pytest.raises(errors.BoardResetError):
            bench.driver.release()
    for action in (
        bench.driver.prepare,
        bench.driver.release,
        bench.driver.status,
        lambda: bench.driver.run(bench.program),
        lambda: bench.driver.wait_for_button(1.0),
    ):
        with pytest.raises(errors.NoAnswerError):
            action()
    assert bench.virtual.moves == ()


def test_a_pressed_stop_is_one_after_a_reset(rig: FaceMotors) -> None:
    """The button does not know that the board restarted."""
    bench = Bench(rig)
    bench.virtual.board.press_estop()
    bench.virtual.board.reset(boot_id=4)
    bench.driver.connect()
    assert bench.driver.status().state is State.ESTOP
    with pytest.raises(errors.EmergencyStopError):
        bench.driver.prepare()
    bench.virtual.board.release_estop()
    bench.driver.prepare()
    assert bench.driver.status().state is State.IDLE


def test_the_button_is_waited_for_and_motors_switched_off_by_rest_are_prepared_again(
    rig: FaceMotors,
) -> None:
    bench = Bench(rig).ready()
    assert not bench.driver.wait_for_button(2.0)
    bench.virtual.press_button()
    assert bench.driver.wait_for_button(2.0)
    assert not bench.driver.wait_for_button(120.0)
    assert bench.driver.status().state is State.DISABLED
    with pytest.raises(errors.AbortedError):
        bench.driver.run(bench.program)
    assert bench.virtual.state == SOLVED
    bench.driver.prepare()
    bench.driver.run(bench.program)
    assert bench.virtual.state == SOLVED.apply(SEQUENCE)


def test_a_board_of_older_firmware_wants_to_be_flashed_and_a_silent_one_is_asked_for_two_seconds(
    rig: FaceMotors, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(rig).ready()
    with pytest.raises(errors.RigError, match="thistlebot flash"):
        bench.driver.set(NO_MOTOR, {max(Setting) + 1: 1})
    monkeypatch.setattr(bench.virtual, "write", lambda _: None)
    begun_s = bench.clock.now_s()
    with pytest.raises(errors.NoAnswerError):
        bench.driver._connection._ask_status(mend=False)
    assert bench.clock.now_s() - begun_s == pytest.approx(2.0, abs=0.1)


def test_a_setting_that_the_board_has_been_told_is_not_sent_again(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()

    def sent() -> list[str]:
        before = len(bench.packets)
        bench.driver.prepare()
        return [line for line in bench.packets[before:] if line.startswith("→") and " SET " in line]

    assert sent() == []
    bench.driver.use(msgspec.structs.replace(rig, gap_us=rig.gap_us + 1))
    (line,) = sent()
    assert f"key={Setting.GAP_US:d} " in line
    bench.driver.set(0, {Setting.RATE_STEPS_S: 900})  # as `buzz` does
    (line,) = sent()
    assert f"key={Setting.RATE_STEPS_S:d} " in line
    bench.driver.connect()
    assert len(sent()) == len(bench.driver.settings())


def test_nothing_that_a_board_remembers_of_another_rig_is_left() -> None:
    bench = Bench(named_rig("cubotino"))
    settings = bench.virtual.board._settings
    stale = {Setting.STALL_INPUT: NO_MOTOR, Setting.GAP_US: NO_MOTOR, Setting.DRIVER_ADDRESS: 3}
    for key, motor in stale.items():
        assert settings.change(key, motor, 16 if key is Setting.GAP_US else 1) is None
    bench.ready()
    for key, motor in stale.items():
        assert settings.value(key, motor) == SETTING_BY_KEY[key].default


def test_a_buzz_keeps_the_position_of_a_stepper_that_counts_its_steps() -> None:
    bench = Bench(named_rig("claws")).ready()
    name, variable = next((n, v) for n, v in machine("claws").variables.items() if v.steps)
    assert variable.motor is not None
    buzz(bench.driver, bench.rig.buzz(name, 12.0))
    away = next(number for number, steps in enumerate(variable.steps) if steps)
    there = Act.move_to(variable.motor.channel, variable.steps[away], name)
    bench.driver.run(RigProgram((ProgramStep((there,), MoveSequence(), 0.0, 0.0),)))
    assert bench.driver.status().fault is Fault.NONE


def test_a_request_to_stop_does_not_leave_the_buzzer_on() -> None:
    bench = Bench(msgspec.structs.replace(default_rig(), buzzer=2)).ready()
    ends_s = bench.clock.now_s() + BEEP_MS / 2000
    bench.driver.stop_wanted = lambda: bench.clock.now_s() > ends_s
    with pytest.raises(KeyboardInterrupt):
        beep(bench.driver, 2)
    assert bench.virtual.parts.outputs[2] is OutputMode.OFF


def test_a_board_that_restarts_during_a_buzz_is_told_about(rig: FaceMotors) -> None:
    """Nothing that is tried afterwards hides that a face may be between detents."""
    bench = Bench(rig, Faults(reset_at_move=2)).ready()
    with pytest.raises(errors.BoardResetError):
        buzz(bench.driver, rig.buzz("U", 10.0))


def test_the_buzzer_sounds_once_and_nothing_else_moves() -> None:
    output = 1
    rig: Mechanism = msgspec.structs.replace(named_rig("claws"), buzzer=output)
    bench = Bench(rig)
    virtual, driver = bench.virtual, bench.driver
    modes: list[tuple[float, OutputMode]] = []

    class Watch(list[OutputMode]):
        def __setitem__(self, at: Any, mode: Any) -> None:
            if at == output:
                modes.append((virtual.board.now_s, mode))
            super().__setitem__(at, mode)

    virtual.parts.outputs = Watch(virtual.parts.outputs)
    bench.ready()
    pose = driver.pose
    modes.clear()
    beep(driver, output)
    (on_s, on), (off_s, off) = modes
    assert (on, off) == (OutputMode.ON, OutputMode.OFF)
    assert off_s - on_s == pytest.approx(BEEP_MS / 1000, abs=0.02)
    assert driver.pose == pose


def test_an_output_that_cannot_be_the_buzzers_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="buzzer"):
        msgspec.convert(tomllib.loads("buzzer = -1\n" + default_rig_text()), FaceMotors)
    machine = tomllib.loads(rig_text("cubotino")) | {"buzzer": 1}
    machine["variables"]["light"] = {"places": ["off", "on"], "output": 1}
    with pytest.raises(msgspec.ValidationError, match=r"1.*light"):
        msgspec.convert(machine, ActionMachine)
