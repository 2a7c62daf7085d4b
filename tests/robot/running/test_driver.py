"""The driver over the virtual rig: connecting, settings, the motors' current, the button."""

import msgspec
import pytest
from benches import SEQUENCE, Bench

from cube.state import SOLVED
from robot.errors import (
    AbortedError,
    BoardResetError,
    NoAnswerError,
    NoiseError,
    NotPossibleError,
    ProtocolVersionError,
    RigError,
)
from robot.protocol.messages import NO_MOTOR, State
from robot.protocol.settings import Setting
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.virtual.faults import Faults, Impostor
from robot.virtual.virtual_board import VirtualBoard


@pytest.mark.parametrize(
    ("impostor", "error"),
    [
        (Impostor.SILENT, NoAnswerError),
        (Impostor.NOISE, NoiseError),
        (Impostor.OTHER_VERSION, ProtocolVersionError),
    ],
)
def test_impostors_are_told_apart(
    rig: FaceMotors, impostor: Impostor, error: type[Exception]
) -> None:
    bench = Bench(rig, Faults(impostor=impostor))
    with pytest.raises(error):
        bench.driver.connect()
    assert not any("STEP" in line or "ENABLE" in line for line in bench.packets)


def test_nothing_is_sent_to_motors_that_the_board_does_not_have(rig: FaceMotors) -> None:
    bench = Bench(rig)
    bench.virtual.board = VirtualBoard(lambda *_: None, motors=3)
    bench.driver.connect()
    with pytest.raises(NotPossibleError, match="3"):
        bench.driver.prepare()
    assert not any(" SET " in line or "ENABLE" in line for line in bench.packets)


@pytest.mark.parametrize("restarted", [False, True])
def test_nothing_is_done_without_a_connection(rig: FaceMotors, restarted: bool) -> None:
    bench = Bench(rig)
    if restarted:
        bench.ready()
        bench.virtual.board.reset(boot_id=4)
        with pytest.raises(BoardResetError):
            bench.driver.release()
    for action in (
        bench.driver.prepare,
        bench.driver.release,
        bench.driver.status,
        lambda: bench.driver.run(bench.program),
        lambda: bench.driver.wait_for_button(1.0),
    ):
        with pytest.raises(NoAnswerError):
            action()
    assert bench.virtual.moves == ()


def test_the_button_is_waited_for(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    assert not bench.driver.wait_for_button(2.0)
    bench.virtual.press_button()
    assert bench.driver.wait_for_button(2.0)
    assert not bench.driver.wait_for_button(0.1)


def test_motors_that_were_switched_off_by_rest_are_prepared_again(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    assert not bench.driver.wait_for_button(120.0)
    assert bench.driver.status().state is State.DISABLED
    with pytest.raises(AbortedError):
        bench.driver.run(bench.program)
    assert bench.virtual.state == SOLVED
    bench.driver.prepare()
    bench.driver.run(bench.program)
    assert bench.virtual.state == SOLVED.apply(SEQUENCE)


def test_a_board_of_older_firmware_wants_to_be_flashed(rig: FaceMotors) -> None:
    bench = Bench(rig).ready()
    newer = max(Setting) + 1
    with pytest.raises(RigError, match="thistlebot flash"):
        bench.driver.set(NO_MOTOR, {newer: 1})


def test_a_board_that_says_nothing_is_asked_for_two_seconds(
    rig: FaceMotors, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(rig).ready()
    monkeypatch.setattr(bench.virtual, "write", lambda _: None)
    begun_s = bench.clock.now_s()
    with pytest.raises(NoAnswerError):
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
    assert len(sent()) == len(rig.settings())
