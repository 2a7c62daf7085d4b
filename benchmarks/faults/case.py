"""A case: a program, a rig and a fault, all drawn from one number."""

import random
from dataclasses import dataclass

import msgspec

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import MOST_CORNER_DEG, NO_CORNERS, Corners
from robot.rigs.program import RigProgram

SHAPES = {
    "half turns": ("U2", "R2", "F2", "D2", "L2", "B2"),
    "pairs": ("R2 L'", "U D2", "F2 B2", "R L", "U2 D2", "F' B2"),
    "corners": ("R2", "U", "F'", "R L'", "U2 D", "B2", "F2 B'"),
}
"""The kinds of steps of programs."""
PATIENCE_MS = (200, 400, 5000)
"""Time that boards wait for their host."""
LANES = {"uno": 2, "mega": 4}
"""The boards, and their step lanes: on a Mega turns of opposite faces overlap, too."""
_CORNER_DEG = (24.0, float(MOST_CORNER_DEG))
"""Within the ramps, and as wide as possible: the cube of the campaign never jams."""
_AXES = {"U": 0, "D": 0, "R": 1, "L": 1, "F": 2, "B": 2}


@dataclass(frozen=True, slots=True)
class FaultCase:
    """One program with a fault.

    Attributes:
        seed: Determines everything.
        kind: Name of the fault.
        shape: Key of SHAPES.
        verify: Whether the cube is checked at the end.
        board: Key of LANES.
        moves: The moves that solve the cube.
        rig: The rig.
    """

    seed: int
    kind: str
    shape: str
    verify: bool
    board: str
    moves: MoveSequence
    rig: FaceMotors

    @property
    def start(self) -> CubeState:
        """The cube before."""
        return SOLVED.apply(self.moves.inverse())

    @property
    def program(self) -> RigProgram:
        """The steps."""
        return self.rig.plan(self.moves, LANES[self.board])


def draw_case(
    seed: int, kind: str, patience_ms: tuple[int, ...] = PATIENCE_MS, shapes: str = ""
) -> FaultCase:
    """Draw a case, of a shape whose name contains a text; everything else is given."""
    rng = random.Random(f"{kind} {seed}")
    shape = rng.choice([shape for shape in SHAPES if shapes in shape])
    wide = Corners(**dict.fromkeys(Corners.__struct_fields__, rng.choice(_CORNER_DEG)))
    rig = msgspec.structs.replace(
        _brisk_rig(),
        host_timeout_ms=rng.choice(patience_ms),
        corners=wide if shape == "corners" else NO_CORNERS,
    )
    board = rng.choice([*LANES]) if shape == "corners" else "uno"
    moves = _moves(shape, rng, rng.choice((20, 40, 80)))
    return FaultCase(seed, kind, shape, rng.random() < 0.5, board, moves, rig)


def _brisk_rig() -> FaceMotors:
    """Return the default rig with one microstep and 6 ms per quarter turn, for bare boards."""
    rig, brisk = default_rig(), {"microsteps": 1, "acceleration_steps_s2": 5_000_000}
    motors = {face: msgspec.structs.replace(each, **brisk) for face, each in rig.motors.items()}
    return msgspec.structs.replace(rig, motors=motors, cameras=())


def _moves(shape: str, rng: random.Random, steps: int) -> MoveSequence:
    """Return steps of a shape, no two in a row on one axis, so that each stays separate."""
    texts = [rng.choice(SHAPES[shape])]
    while len(texts) < steps:
        drawn = rng.choice(SHAPES[shape])
        if _AXES[drawn[0]] != _AXES[texts[-1][0]]:
            texts.append(drawn)
    return MoveSequence.parse(" ".join(texts))
