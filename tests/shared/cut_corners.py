"""Calibrates corner cutting on the virtual rig, and turns programs on it, in simulated time."""

import random
from dataclasses import dataclass

from faulty_rig import FaultyRig

from calibration.corners import CornerCalibration
from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.port import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """The outcome of a program on the virtual rig.

    Attributes:
        time_s: Its planned time.
        jams: How often a face was in another one's way.
        lost: How often a motor lost steps for another reason.
        right: Whether a camera would see what was planned.
    """

    time_s: float
    jams: int
    lost: int
    right: bool


class _SeeThrough:
    """Looks through the lid of a virtual rig, and aligns its faces."""

    def __init__(self, virtual: FaultyRig) -> None:
        self._virtual = virtual

    def state(self) -> CubeState:
        return self._virtual.state

    def align(self, _face: str) -> None:
        self._virtual.state = SOLVED

    def note(self, text: str) -> None:
        """Ignore a message."""


def calibrated(rig: FaceMotors, lanes: int) -> FaceMotors:
    """Measure the corners of a rig with a virtual cube, in simulated time.

    Raises:
        CalibrationError: No angle is safe.
    """
    virtual, driver = _connected(rig, lanes)
    bench = _SeeThrough(virtual)
    calibration = CornerCalibration(driver, rig, bench, bench, lanes)
    calibration.find_all()
    return calibration.verify()


def play(rig: FaceMotors, sequence: MoveSequence, lanes: int) -> ProgramResult:
    """Turn a sequence on a virtual rig with a solved cube in it."""
    virtual, driver = _connected(rig, lanes)
    program = rig.plan(sequence, lanes)
    driver.run(program)
    right = virtual.state == SOLVED.apply(sequence)
    return ProgramResult(program.time_s, virtual.jams, virtual.slips - virtual.jams, right)


def random_moves(rng: random.Random, count: int) -> MoveSequence:
    """Draw turns of any kind, with neighbours on one axis simplified."""
    drawn = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(2 * count)).simplified()
    return MoveSequence(drawn.moves[:count])


def _connected(rig: FaceMotors, lanes: int) -> tuple[FaultyRig, RigDriver]:
    clock = SimulatedClock()
    virtual = FaultyRig(rig, clock, lanes=lanes)
    driver = RigDriver(virtual, rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    return virtual, driver
