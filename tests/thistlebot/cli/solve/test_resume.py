"""A host that is killed in the middle, a board that restarts: on the real firmware."""

import os
import random
import signal
import time
from pathlib import Path

import msgspec
import pytest
from benches import with_motors
from journals import opened_journal, unfinished_program

from benchmarks.faults.stepped_cube import SteppedCube
from cube.facelets import SOLVED_FACELETS
from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from robot.ports.serial_port import SerialPort
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from run_thistlebot import record, start, thistlebot
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.machine_state import ProgramJournal
from thistlebot.reading.rig_reader import RigReader
from thistlebot.session.machine import Machine
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

pytestmark = pytest.mark.avr
SOLUTION = MoveSequence.parse("R U F2 L' D B2 R' U2 F L2 D' B R2 U' F' " * 2)
SCRAMBLED = SOLVED.apply(SOLUTION.inverse())


def brisk_rig() -> FaceMotors:
    """The default rig with one microstep and 7 ms a quarter turn: the same in less time."""
    brisk = {"microsteps": 1, "acceleration_steps_s2": 5_000_000}
    return with_motors(default_rig(), lambda _: brisk)


def random_program(rig: FaceMotors, rng: random.Random) -> RigProgram:
    """A solve that the queue holds whole, or one that is several times as long."""
    count = rng.choice((20, 45, 90))
    return rig.plan(MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(count)).simplified())


def start_host(device: str, rig: FaceMotors, program: RigProgram, folder: Path) -> tuple[int, int]:
    """Fork a host that turns a program; returns its process and a pipe that says when it begins."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with (
                opened_journal(folder) as kept,
                RigDriver(SerialPort(device), rig, journal=ProgramJournal(kept)) as driver,
            ):
                driver.connect()
                driver.prepare()
                os.write(writing, b"!")
                driver.run(program, target=SOLVED_FACELETS)
        finally:
            os._exit(0)
    os.close(writing)
    return child, reading


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_a_host_that_is_killed_at_any_moment_is_continued(simulated_board, tmp_path: Path) -> None:
    """Another one finishes its program, whatever it had told the board.

    In simulated time, tests/robot/running does so in each run.
    """
    rng = random.Random(200)
    resumed = 0
    state = SOLVED
    plain = brisk_rig()
    while resumed < 200:
        rig = msgspec.structs.replace(plain, host_timeout_ms=rng.choice((1500, 5000)))
        program = random_program(rig, rng)
        child, begun = start_host(str(simulated_board.port), rig, program, tmp_path)
        os.read(begun, 1)
        os.close(begun)
        time.sleep(rng.uniform(0, rng.choice((0.05, program.time_s))))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        time.sleep(rng.choice((0.0, 0.0, 0.4)))
        cut_off = unfinished_program(tmp_path)
        if cut_off is None:  # it was killed before its first step, or after its last
            edges = simulated_board.step_edges()
            if not edges:
                continue
        else:
            resumed += 1
            port = SerialPort(str(simulated_board.port))
            with (
                opened_journal(tmp_path) as kept,
                RigDriver(port, rig, journal=ProgramJournal(kept)) as driver,
            ):
                driver.connect()
                result = driver.resume(cut_off)
            assert result.executed == len(program.steps)
            assert unfinished_program(tmp_path) is None
            edges = simulated_board.step_edges()
        cube = SteppedCube(rig, state)
        cube.follow(edges)
        assert MoveSequence.of(cube.moves).simplified() == program.moves.simplified()
        assert cube.misaligned == {}
        state = state.apply(program.moves)
        assert cube.state == state


@pytest.mark.parametrize("resets", [False, True])
@pytest.mark.parametrize("simulated_board", [1.0], indirect=True)  # there is time to kill it
def test_solve_resume_finishes_what_was_killed_unless_the_board_was_reset(
    simulated_board, monkeypatch: pytest.MonkeyPatch, resets: bool
) -> None:
    """And its cameras see what the recorded step pulses made of the cube, nothing else."""
    turned = SteppedCube(default_rig(), SCRAMBLED)
    cameras = [
        VirtualCamera(lambda: turned.follow(simulated_board.step_edges()), corner_viewpoint(name))
        for name in CORNER_CAMERAS
    ]
    monkeypatch.setattr(Machine, "_opened_reader", lambda self, **_: RigReader(self.scan, cameras))
    cut_off = ("solve", "--facelets", SCRAMBLED.to_facelets().text, "--no-verify")
    first = start(*cut_off, "--method", "thistlethwaite", "--port", simulated_board.port)
    edges = simulated_board.step_edges()
    while len(edges) < 1500:
        edges += simulated_board.step_edges()
        assert first.poll() is None, first.communicate()
    first.kill()
    first.communicate()
    turned.follow(edges)
    resume = ("solve", "--resume", "--json", "--port", simulated_board.port)
    if resets:
        simulated_board.command("reset")
        simulated_board.step_edges()
        again = thistlebot(*resume)
        assert again.exit_code == ExitCode.NOT_VERIFIED
        assert '"BoardResetError"' in again.stdout
        assert simulated_board.step_edges() == []
        return
    told = record(*resume)
    assert (told["resumed"], told["verified"]) == (True, True)
    assert SCRAMBLED.apply(MoveSequence.parse(told["moves"])) == SOLVED
    assert turned.follow(simulated_board.step_edges()) == SOLVED
    assert turned.misaligned == {}
    assert thistlebot(*resume).exit_code == ExitCode.USAGE  # nothing is left
