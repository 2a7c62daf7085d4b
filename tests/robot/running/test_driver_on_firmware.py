"""The real driver and pyserial over the real firmware in the AVR simulator, through a pty."""

from typing import Protocol

import msgspec
import pytest

from cube.moves import Move, MoveSequence
from cube.state import SOLVED
from robot.errors import AbortedError, BoardResetError, RigError
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import BoardKind, State
from robot.protocol.settings import Setting
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress
from robot.virtual.cubes.slipping_cube import StepEdge
from stepped_cube import SteppedCube

pytestmark = pytest.mark.avr
SEQUENCE = MoveSequence.parse("R L' U2 D F R U R' U' F2 B2 L D' B U2 R2 F' L2 D B'")


class SimulatedBoard(Protocol):
    """What tests/conftest.py starts."""

    port: object

    def command(self, line: str) -> None: ...
    def step_edges(self) -> list[StepEdge]: ...


@pytest.fixture
def driver(simulated_board: SimulatedBoard, rig: FaceMotors) -> RigDriver:
    driver = RigDriver(SerialPort(str(simulated_board.port)), rig)
    driver.connect()
    driver.prepare()
    return driver


def test_the_firmware_says_who_it_is(simulated_board: SimulatedBoard, rig: FaceMotors) -> None:
    with RigDriver(SerialPort(str(simulated_board.port)), rig) as driver:
        board = driver.connect()
    assert board.board is BoardKind.UNO
    assert (board.motors, board.accepted, board.executed) == (6, 0, 0)
    assert board.state is State.DISABLED
    assert board.credits == board.queue_size >= 32


def test_the_board_keeps_the_settings_of_the_rig(driver: RigDriver, rig: FaceMotors) -> None:
    with driver:
        for setting in rig.settings():
            assert driver.setting(Setting(setting.key), setting.motor) == setting.value


def test_an_uno_says_what_to_do_about_a_soft_start(
    simulated_board: SimulatedBoard, rig: FaceMotors
) -> None:
    motors = dict(rig.motors)
    motors["F"] = msgspec.structs.replace(motors["F"], soft_start_steps=16)
    soft = msgspec.structs.replace(rig, motors=motors)
    with RigDriver(SerialPort(str(simulated_board.port)), soft) as driver:
        driver.connect()
        with pytest.raises(RigError, match=r"SOFT_START motor=2 .*leave soft_start_steps out"):
            driver.prepare()


def test_the_pulses_of_a_program_make_its_state(
    simulated_board: SimulatedBoard, driver: RigDriver, rig: FaceMotors
) -> None:
    program = rig.plan(SEQUENCE)
    with driver:
        result = driver.run(program)
    cube = SteppedCube(rig)
    edges = simulated_board.step_edges()
    assert cube.follow(edges) == SOLVED.apply(SEQUENCE)
    assert cube.misaligned == {}
    assert result.executed == len(program.steps)
    assert len(edges) == 400 * sum(abs(move.quarter_turns) for move in SEQUENCE)
    taken_s = edges[-1].time_s - edges[0].time_s
    assert taken_s == pytest.approx(program.time_s, rel=0.005)


def test_a_program_longer_than_the_queue(
    simulated_board: SimulatedBoard, driver: RigDriver, rig: FaceMotors
) -> None:
    long = MoveSequence(SEQUENCE.moves * 6)
    seen: list[RunProgress] = []
    with driver:
        driver.run(rig.plan(long), seen.append)
    assert SteppedCube(rig).follow(simulated_board.step_edges()) == SOLVED.apply(long)
    assert [progress.executed for progress in seen] == list(range(1, len(seen) + 1))


def test_a_stop_leaves_every_face_on_a_detent_and_is_counted(
    simulated_board: SimulatedBoard, driver: RigDriver, rig: FaceMotors
) -> None:
    program = rig.plan(SEQUENCE)

    def stop(progress: RunProgress) -> None:
        if progress.executed == 6:
            driver.stop_wanted = lambda: True

    with driver:
        with pytest.raises(KeyboardInterrupt):
            driver.run(program, stop)
        driver.stop_wanted = lambda: False
        executed = driver.executed
        status = driver.status()
        cube = SteppedCube(rig)
        cube.follow(simulated_board.step_edges())
        assert cube.misaligned == {}
        assert executed < len(program.steps)
        cut = zip(
            program.steps[executed].moves,
            status.done or (),
            strict=False,
        )
        partial = [Move(move.face, quarters % 4) for move, quarters in cut if quarters]
        turned = program.moves_of(executed) + MoveSequence.of(partial)
        assert cube.state == SOLVED.apply(turned)
        assert status.state is State.ABORTED
        driver.prepare()
        driver.run(program)
    after = SteppedCube(rig)
    after.follow(simulated_board.step_edges())
    assert after.state == SOLVED.apply(SEQUENCE)


def test_the_button_reaches_the_host(simulated_board: SimulatedBoard, driver: RigDriver) -> None:
    with driver:
        assert not driver.wait_for_button(0.05)
        simulated_board.command("button press")
        assert driver.wait_for_button(3.0)


def test_a_reset_in_the_middle_is_noticed(
    simulated_board: SimulatedBoard, driver: RigDriver, rig: FaceMotors
) -> None:
    def reset(progress: RunProgress) -> None:
        if progress.executed == 5:
            simulated_board.command("reset")

    with driver:
        with pytest.raises(BoardResetError, match="scan again"):
            driver.run(rig.plan(SEQUENCE), reset)
        driver.connect()
        assert driver.status().state is State.DISABLED
        driver.prepare()
        assert driver.status().state is State.IDLE


def test_the_emergency_stop_ends_the_run(
    simulated_board: SimulatedBoard, driver: RigDriver, rig: FaceMotors
) -> None:
    def press(progress: RunProgress) -> None:
        if progress.executed == 5:
            simulated_board.command("estop 1")

    with driver:
        with pytest.raises(AbortedError, match="emergency stop was pressed"):
            driver.run(rig.plan(SEQUENCE), press)
        with pytest.raises(RigError, match="emergency stop is pressed"):
            driver.prepare()
        simulated_board.command("estop 0")
        driver.prepare()
        assert driver.status().state is State.IDLE


def test_a_port_that_is_closed_and_opened_again_loses_nothing(
    simulated_board: SimulatedBoard, rig: FaceMotors
) -> None:
    port = SerialPort(str(simulated_board.port))

    def unplug(progress: RunProgress) -> None:
        if progress.executed in (3, 8):
            port.close()

    program = rig.plan(SEQUENCE)
    with RigDriver(port, rig) as driver:
        driver.connect()
        driver.prepare()
        result = driver.run(program, unplug)
    assert result.executed == len(program.steps)
    assert SteppedCube(rig).follow(simulated_board.step_edges()) == SOLVED.apply(SEQUENCE)
