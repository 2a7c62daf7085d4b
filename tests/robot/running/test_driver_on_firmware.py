"""The real driver and pyserial over the real firmware in the AVR simulator, through a pty."""

from typing import Any

import pytest

from cube.moves import Move, MoveSequence
from cube.state import SOLVED
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import BoardKind, State
from robot.protocol.settings import Setting
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress
from robot.simulator.stepped_cube import SteppedCube

pytestmark = pytest.mark.avr
SEQUENCE = MoveSequence.parse("R L' U2 D F R U R' U' F2 B2 L D' B U2 R2 F' L2 D B'")


def test_a_program_longer_than_the_queue_is_turned_though_its_port_is_opened_again(
    simulated_board: Any, rig: FaceMotors
) -> None:
    moves = MoveSequence(SEQUENCE.moves * 3)
    program = rig.plan(moves)
    port = SerialPort(str(simulated_board.port))
    seen: list[int] = []

    def follow(progress: RunProgress) -> None:
        seen.append(progress.executed)
        if progress.executed in (3, 8):
            port.close()

    with RigDriver(port, rig) as driver:
        board = driver.connect()
        assert (board.board, board.motors, board.executed) == (BoardKind.UNO, 6, 0)
        assert board.credits == board.queue_size >= 32
        driver.prepare()
        for setting in rig.settings():
            assert driver.setting(Setting(setting.key), setting.motor) == setting.value
        result = driver.run(program, follow)
        cube = SteppedCube(rig)
        edges = simulated_board.step_edges()
        assert cube.follow(edges) == SOLVED.apply(moves)
        assert cube.misaligned == {}
        assert seen == list(range(1, result.executed + 1)) == list(range(1, len(program.steps) + 1))
        simulated_board.command("button press")
        assert driver.wait_for_button(30.0)


def test_stops_leave_every_face_on_a_detent_and_are_counted(
    simulated_board: Any, rig: FaceMotors
) -> None:
    program = rig.plan(SEQUENCE)
    cube = SteppedCube(rig)

    def stop(progress: RunProgress) -> None:
        if progress.executed == 6:
            driver.stop_wanted = lambda: True

    with RigDriver(SerialPort(str(simulated_board.port)), rig) as driver:
        driver.connect()
        driver.prepare()
        with pytest.raises(KeyboardInterrupt):
            driver.run(program, stop)
        driver.stop_wanted = lambda: False
        executed, status = driver.executed, driver.status()
        cube.follow(simulated_board.step_edges())
        assert cube.misaligned == {}
        assert executed < len(program.steps)
        cut = zip(program.steps[executed].moves, status.done or (), strict=False)
        partial = [Move(move.face, quarters % 4) for move, quarters in cut if quarters]
        turned = program.moves_of(executed) + MoveSequence.of(partial)
        assert cube.state == SOLVED.apply(turned)
        assert status.state is State.ABORTED
