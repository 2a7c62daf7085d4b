"""What corner cutting saves on the virtual rig, and whether the virtual cube is honest about it."""

import random
from dataclasses import dataclass
from itertools import pairwise

from calibration.corners import CornerCalibration
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.clock import SimulatedClock
from robot.rigs.face_motors.corners import PAIR_KEYS, SINGLE_KEYS
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.transitions import LANES
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """What became of a program on the virtual rig.

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
    """Looks through the lid of a virtual rig, and puts its faces straight."""

    def __init__(self, virtual: VirtualRig) -> None:
        self._virtual = virtual

    def state(self) -> CubeState:
        return self._virtual.state

    def align(self, _face: str) -> None:
        self._virtual.state = SOLVED

    def note(self, text: str) -> None:
        """Nobody reads it."""


def calibrated(rig: FaceMotors, lanes: int) -> FaceMotors:
    """Measure the corners of a rig with a virtual cube in it, in simulated time.

    Raises:
        CalibrationError: No angle is safe.
    """
    virtual, driver = _connected(rig, lanes)
    bench = _SeeThrough(virtual)
    calibration = CornerCalibration(driver, rig, bench, bench, lanes)
    calibration.find_all()
    return calibration.verify()


def keys_for(lanes: int) -> tuple[str, ...]:
    """Return the transitions that overlap on a board with so many step lanes."""
    return SINGLE_KEYS + (PAIR_KEYS if lanes > LANES else ())


def turned(rig: FaceMotors, sequence: MoveSequence, lanes: int) -> ProgramResult:
    """Turn a sequence on a virtual rig with a solved cube in it."""
    virtual, driver = _connected(rig, lanes)
    program = rig.plan(sequence, lanes)
    driver.run(program)
    right = virtual.state == SOLVED.apply(sequence)
    return ProgramResult(program.time_s, virtual.jams, virtual.slips - virtual.jams, right)


def quarter_turns(rng: random.Random, count: int) -> MoveSequence:
    """Draw quarter turns, each on another axis than the one before; six use all faces."""
    faces = rng.sample(FACES, len(FACES))
    while not all(_cross(*pair) for pair in pairwise(faces)):
        faces = rng.sample(FACES, len(FACES))
    while len(faces) < count:
        faces.append(rng.choice([face for face in FACES if _cross(face, faces[-1])]))
    return MoveSequence.of(Move(face, rng.choice((1, 3))) for face in faces[:count])


def random_moves(rng: random.Random, count: int) -> MoveSequence:
    """Draw turns of any kind, as they are once neighbours on one axis are simplified."""
    drawn = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(2 * count)).simplified()
    return MoveSequence(drawn.moves[:count])


def _cross(one: str, other: str) -> bool:
    return (FACES.index(one) - FACES.index(other)) % 3 != 0


def _connected(rig: FaceMotors, lanes: int) -> tuple[VirtualRig, RigDriver]:
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, lanes=lanes)
    driver = RigDriver(virtual, rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    return virtual, driver
