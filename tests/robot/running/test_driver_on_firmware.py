"""The real driver and pyserial over the real firmware in the AVR simulator, through a pty."""

import contextlib
import random
from typing import Any

import pytest
from benches import SEQUENCE, Bench
from faulty_rig import Faults

from benchmarks.faults.stepped_cube import SteppedCube
from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.state import SOLVED
from robot import errors
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import BoardKind, Flag, State
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress

pytestmark = pytest.mark.avr


def test_a_program_longer_than_the_queue_is_turned_though_its_port_is_opened_again(
    simulated_board: Any, rig: FaceMotors
) -> None:
    moves = MoveSequence(SEQUENCE.moves * 3)
    program = rig.plan(moves)
    port = SerialPort(str(simulated_board.port))
    seen, lost = list[int](), list[int]()

    def follow(progress: RunProgress) -> None:
        if progress.lost_s:
            lost.append(progress.executed)
            return
        seen.append(progress.executed)
        if progress.executed in (3, 8):
            port.close()

    with RigDriver(port, rig) as driver:
        board = driver.connect()
        assert (board.board, board.motors, board.executed) == (BoardKind.UNO, 6, 0)
        assert board.credits == board.queue_size >= 32
        driver.prepare()
        result = driver.run(program, follow)
        cube = SteppedCube(rig)
        edges = simulated_board.step_edges()
        assert cube.follow(edges) == SOLVED.apply(moves)
        assert cube.misaligned == {}
        assert seen == list(range(1, result.executed + 1)) == list(range(1, len(program.steps) + 1))
        assert lost == [3, 8]
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
        turned = program.moves_of(executed)
        if status.flags & Flag.CUT_SHORT:
            halves = [move for move in program.steps[executed].moves if move.turns == 2]
            turned += MoveSequence.of(Move(move.face, 1) for move in halves)
        assert cube.state == SOLVED.apply(turned)
        assert status.state is State.ABORTED


def connect_patiently(bench: Bench) -> None:
    """Begin again when the cable comes off during the greeting, or no answer comes through."""
    for _ in range(9):
        with contextlib.suppress(errors.PortMissingError, errors.NoiseError):
            bench.driver.connect()
            return
        bench.clock.sleep(1.0)
    bench.driver.connect()


def session(rig: FaceMotors, faults: Faults, seed: int) -> None:
    rng = random.Random(seed)
    bench = Bench(rig, faults, seed)
    virtual, driver = bench.virtual, bench.driver
    moves = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(rng.randrange(1, 60)))
    program = rig.plan(moves.simplified())
    connect_patiently(bench)
    driver.prepare()
    try:
        result = driver.run(program)
    finally:
        assert virtual.moves == program.moves_of(driver.executed).moves
        assert virtual.board.refusals == []
    assert result.executed == len(program.steps)


def test_no_move_is_wrong_repeated_or_skipped(rig: FaceMotors) -> None:
    for seed in range(25):
        rng = random.Random(-seed)
        faults = Faults(
            drop=rng.uniform(0, 0.01),
            flip=rng.uniform(0, 0.01),
            duplicate=rng.uniform(0, 0.01),
            delay=rng.uniform(0, 0.01),
            unplug=rng.choice((0.0, 0.02)),
            unplugged_s=rng.uniform(0.0, 2.0),
        )
        session(rig, faults, seed)


_GIVEN_UP = (
    errors.RigError,
    errors.ConnectionLostError,
    errors.NoAnswerError,
    errors.NoiseError,
    errors.PortMissingError,  # the cable comes off again before an answer
)


@pytest.mark.exhaustive
@pytest.mark.timeout(3600)
def test_ten_thousand_sessions(rig: FaceMotors) -> None:
    """Half of the long packets are damaged, and every wait ends: 26 sessions are given up."""
    given_up = []
    for seed in range(10_000):
        faults = Faults(drop=0.01, flip=0.01, duplicate=0.01, delay=0.01, unplug=0.01)
        try:
            session(rig, faults, seed)
        except (errors.AbortedError, errors.BoardResetError, errors.ForeignHostError):
            raise
        except _GIVEN_UP:
            given_up.append(seed)
    assert len(given_up) <= 40
