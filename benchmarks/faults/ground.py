"""The firmware's own binary in the AVR simulator, and the real state of the cube that it turns.

`make -C firmware uno mega simulator` builds what is needed.
"""

import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import ROOT
from benchmarks.faults.case import FaultCase
from benchmarks.faults.pin_edges import StepEdge, StepReader, read_edges
from benchmarks.faults.stepped_cube import JammedError, SteppedCube
from cube.state import CubeState

BUILD = ROOT / "firmware" / "build"
_TOLERANCE_DEG, _OF_OVERLAP = 20.0, 0.7
"""Angle from its detent up to which a face lets another one pass: for larger overlaps a share of
that angle, because both are equally far off when one arrives and the other has gone half of it.
"""
_STARTS_S = 10.0
_REST_S = 0.08
"""Longer than any turn of the campaign and the pause after it."""
_FLUSHED = "# flushed\n"


@dataclass(frozen=True, slots=True)
class Truth:
    """The cube, and how the motors brought it there.

    Attributes:
        state: The cube; a face between two detents counts as not yet turned.
        aligned: Whether every face is at a detent, and none was turned against another one.
        steps: Steps of all motors so far.
        share: Completed share of the program, 0..1.
    """

    state: CubeState
    aligned: bool
    steps: int
    share: float


class FirmwareGround:
    """A board behind a device; its step pulses are counted.

    Args:
        folder: Folder for files.
        board: Its name.

    Attributes:
        device: The path of its port.
    """

    def __init__(self, folder: Path, board: str) -> None:
        self.device = folder / f"firmware-{board}"
        self._edges = folder / f"edges-{board}"
        self._read = self._steps = 0
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
        _wait_for(self.device.exists, "the simulator makes no port")

    def begin(self, case: FaultCase) -> None:
        """Align the faces and put a cube in, as a person would."""
        self._new_pulses()
        self._put_in(case, case.start)
        steps = {face: motor.steps_per_quarter for face, motor in case.rig.motors.items()}
        self._total = sum(steps[move.face] * abs(move.quarter_turns) for move in case.moves)
        self._begun = self._steps

    def align(self, case: FaultCase) -> None:
        """Bring faces that are between two detents back to where they were, as a person would."""
        self._put_in(case, self.truth().state)

    def _put_in(self, case: FaultCase, state: CubeState) -> None:
        tolerance_deg = max(_TOLERANCE_DEG, _OF_OVERLAP * case.rig.corners.widest_deg)
        self._cube = SteppedCube(case.rig, state, tolerance_deg)
        self._jammed = False

    def steps(self) -> int:
        """Return the steps of all motors so far, whatever they turn."""
        self._new_pulses()
        return self._steps

    def truth(self) -> Truth:
        """Look at the cube; another process may do so, too."""
        pulses = self._new_pulses()
        try:
            self._cube.follow(pulses)
        except JammedError:
            self._jammed = True
        aligned = not self._cube.misaligned and not self._jammed
        share = min(1.0, (self._steps - self._begun) / self._total)
        return Truth(self._cube.state, aligned, self._steps, share)

    def at_rest(self) -> Truth:
        """Look at the cube when nothing turns any more."""
        before = self.truth()
        while True:
            time.sleep(_REST_S)
            after = self.truth()
            if after.steps == before.steps:
                return after
            before = after

    def command(self, text: str) -> None:
        """Send a command to the board: "estop 1", "estop 0" or "reset"."""
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def rest(self, resting: bool) -> None:
        """Stop the simulator's clock, which takes processor time, or let it run."""
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
        pulses = self._pulses.read(read_edges(rows))
        self._steps += len(pulses)
        return pulses


def _wait_for(condition: Callable[[], bool], problem: str) -> None:
    deadline_s = time.monotonic() + _STARTS_S
    while not condition():
        if time.monotonic() > deadline_s:
            raise TimeoutError(problem)
        time.sleep(0.002)
