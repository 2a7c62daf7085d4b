"""The real state of the cube: from the motors, whatever the program believes.

This module also has a claw that holds the cube, and records whether it ever let go.
"""

import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.faults.case import ARM, CLAW, HOLDS_FROM_US, FaultCase
from cube.moves import Move
from cube.state import CubeState
from robot.simulator.avr_simulator import PinEdge, StepReader, read_edges
from robot.simulator.stepped_cube import JammedError, RecordedServos, SteppedCube
from robot.virtual.cubes.slipping_cube import StepEdge
from robot.virtual.servos import ServoArm


class Grip:
    """One claw, checked whenever anything may have changed.

    Attributes:
        held: Whether it never let go of a cube, unless the board restarted.
    """

    def __init__(self, arm: ServoArm) -> None:
        self._arm = arm
        self.begin()

    def begin(self) -> None:
        """Somebody puts another cube in."""
        self.held = True
        self._closed = False

    def restart(self) -> None:
        """The board restarts: it has no pulses then, and may release the cube."""
        self._closed = False

    def look(self) -> None:
        """Check whether the claw holds."""
        holds = self._arm.pulse_us != 0 and self._arm.at_us >= HOLDS_FROM_US
        self.held &= holds or not self._closed
        self._closed |= holds


ROOT = Path(__file__).resolve().parents[2]

BUILD = ROOT / "firmware" / "build"
_TOLERANCE_DEG, _OF_OVERLAP = 20.0, 0.7
"""Angle from its detent up to which a face lets another one pass: for larger overlaps a share of
that angle, because both are equally far off when one arrives and the other has gone half of it.
"""
_STARTS_S = 10.0
_FLUSHED = "# flushed\n"


@dataclass(frozen=True, slots=True)
class Truth:
    """The cube, and how the motors brought it there.

    Attributes:
        state: The cube; a face between two detents counts as not yet turned.
        aligned: Whether every face is at a detent, and none was turned against another one.
        moves: What was turned.
        amount: Grows with every turn; if it does not change, the board is at rest.
        share: Completed share of the program, 0..1.
        held: Whether no closed claw has released the cube, unless the board restarted.
    """

    state: CubeState
    aligned: bool
    moves: tuple[Move, ...]
    amount: int
    share: float
    held: bool = True


class Ground(Protocol):
    """A board with a cube, behind a device."""

    device: str

    def begin(self, case: FaultCase) -> None:
        """A person aligns the faces and puts a cube in."""

    def truth(self) -> Truth:
        """Look at the cube."""

    def eye(self) -> Truth:
        """Look at the cube from another process."""

    def command(self, text: str) -> None:
        """Execute a command on the board: "estop 1", "estop 0", "reset", "button press"."""

    def straighten(self) -> None:
        """Put faces between two detents back, as a person would; nothing turns meanwhile."""

    def rest(self, resting: bool) -> None:
        """Use no processor time while another board is active."""

    def close(self) -> None:
        """End it."""


class FirmwareGround:
    """The firmware's own binary in the AVR simulator; the step pulses are counted.

    Args:
        folder: Folder for files.
        board: The board; a Mega also has a claw, an arm and a carriage with its switch.
    """

    def __init__(self, folder: Path, board: str) -> None:
        self.device = str(folder / f"firmware-{board}")
        self._edges = folder / f"edges-{board}"
        claw, arm = ServoArm(), ServoArm()
        self._servos = RecordedServos({CLAW: claw, ARM: arm} if board == "mega" else {})
        self._grip = Grip(claw)
        self._read = 0
        self._pulses = StepReader(powered=0)
        elf = BUILD / board / "thistlebot.elf"
        self._process = subprocess.Popen(
            [
                BUILD / "simulator",
                *("--board", board, "--elf", elf),
                *("--link", self.device, "--edges", self._edges),
            ],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        _wait_for(Path(self.device).exists, "the simulator makes no port")
        self.command("switch close 0")

    def begin(self, case: FaultCase) -> None:
        """Count from here on."""
        self._new_pulses()
        self._grip.begin()
        self._rig = case.rig
        self._put_in(case.start)
        self._channels = {motor.channel for motor in case.rig.motors.values()}
        steps = {face: motor.steps_per_quarter for face, motor in case.rig.motors.items()}
        self._total = sum(steps[move.face] * abs(move.quarter_turns) for move in case.moves)
        self._amount = 0

    def _put_in(self, state: CubeState) -> None:
        tolerance_deg = max(_TOLERANCE_DEG, _OF_OVERLAP * self._rig.angles.widest_deg)
        self._cube = SteppedCube(self._rig, state, tolerance_deg)
        self._jammed = False

    def straighten(self) -> None:
        """Put the faces back to their positions before the interrupted turns."""
        self._put_in(self.truth().state)

    def truth(self) -> Truth:
        """Process the pulses since the last call."""
        pulses = self._new_pulses()
        self._amount += len(pulses)
        try:
            self._cube.follow(pulse for pulse in pulses if pulse.channel in self._channels)
        except JammedError:
            self._jammed = True
        aligned = not self._cube.misaligned and not self._jammed
        share = min(1.0, self._amount / self._total)
        moves = tuple(self._cube.moves)
        return Truth(self._cube.state, aligned, moves, self._amount, share, self._grip.held)

    eye = truth

    def command(self, text: str) -> None:
        """Send it to the simulator."""
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def rest(self, resting: bool) -> None:
        """Stop the simulator's clock, or let it run."""
        self._process.send_signal(signal.SIGSTOP if resting else signal.SIGCONT)

    def close(self) -> None:
        """End the simulator."""
        self.rest(resting=False)
        self._process.terminate()
        self._process.communicate(timeout=_STARTS_S)

    def _new_pulses(self) -> list[StepEdge]:
        asked = self._edges.stat().st_size  # earlier marks do not count: another process asks, too
        self.command("flush")
        rows = ""

        def flushed() -> bool:
            nonlocal rows
            with self._edges.open(encoding="ascii") as file:
                file.seek(self._read)
                rows, mark, _ = file.read().rpartition(_FLUSHED)
            return bool(mark) and self._read + len(rows) >= asked

        _wait_for(flushed, "the simulator does not answer")
        self._read += len(rows) + len(_FLUSHED)
        edges = read_edges(rows)
        self._watch_the_claw(edges)
        return self._pulses.read(edges)

    def _watch_the_claw(self, edges: tuple[PinEdge, ...]) -> None:
        for edge in edges:
            if edge.kind == "reset":
                self._grip.restart()
            for _ in self._servos.follow([edge]):
                self._grip.look()


def _wait_for(condition: Callable[[], bool], problem: str) -> None:
    deadline_s = time.monotonic() + _STARTS_S
    while not condition():
        if time.monotonic() > deadline_s:
            raise TimeoutError(problem)
        time.sleep(0.002)
