"""What is played: a program, a rig and a fault, all drawn from one number."""

import random
from dataclasses import dataclass

import msgspec

from benchmarks.faults.handled_rig import CARRIAGE, HandledFaces
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.corners import MOST_CORNER_DEG, NO_CORNERS, Corners
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram

SHAPES = {
    "half turns": ("U2", "R2", "F2", "D2", "L2", "B2"),
    "pairs": ("R2 L'", "U D2", "F2 B2", "R L", "U2 D2", "F' B2"),
    "overlaps": ("R2", "U", "F2", "L'", "D2", "B"),
    "corners": ("R2", "U", "F'", "R L'", "U2 D", "B2", "F2 B'"),
    "actions": ("R2", "U", "F2", "L'", "D2", "R L'", "F'"),
}
"""The steps that programs are made of."""
PATIENCE_MS = (200, 400, 5000)
"""How long boards wait for their host."""
SMALL_DISKS = frozenset({"disk fills", "disk fills, then kill", "kill, then disk fills"})
"""Kinds of faults that need a disk of their own."""
OVERLAP_DEG = 15.0
CORNERS = Corners(**dict.fromkeys(Corners.__struct_fields__, 24.0))
"""Within the ramps; on a Mega pairs overlap, too."""
WIDE = Corners(**dict.fromkeys(Corners.__struct_fields__, float(MOST_CORNER_DEG)))
"""As wide as can be: half of the cut corners on the firmware, whose cube never jams."""
_ON_MEGA = 0.6
"""Share of the programs of actions, and of those that cut corners."""
_AXES = {"U": 0, "D": 0, "R": 1, "L": 1, "F": 2, "B": 2}


@dataclass(frozen=True, slots=True)
class FaultCase:
    """One program that a fault will strike.

    Attributes:
        seed: Everything follows from it.
        kind: Name of the fault.
        shape: Key of SHAPES.
        verify: Somebody looks at the end.
        firmware: On the firmware's own binary, not on the virtual board.
        board: Which one that is: a Mega has servos beside its six motors, an Uno in place of two.
        moves: They solve the cube.
        rig: The rig.
    """

    seed: int
    kind: str
    shape: str
    verify: bool
    firmware: bool
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
        return self.rig.plan(self.moves, 4 if self.firmware and self.board == "mega" else 2)


def draw_case(
    seed: int,
    kind: str,
    patience_ms: tuple[int, ...] = PATIENCE_MS,
    shapes: str = "",
    *,
    firmware: bool,
) -> FaultCase:
    """Draw a case, of a shape whose name has some text in it; everything else is told."""
    rng = random.Random(f"{kind} {seed}")
    shape = rng.choice([shape for shape in SHAPES if shapes in shape])
    larger = shape in ("actions", "corners")
    drawn = random.Random(f"board of {seed}").random()
    board = "mega" if larger and drawn < _ON_MEGA else "uno"
    rig = msgspec.structs.replace(
        _rig_of(shape, board if firmware else ""),
        host_timeout_ms=rng.choice(patience_ms),
        overlap_degrees=OVERLAP_DEG if shape == "overlaps" else 0.0,
        corners=_corners(seed, firmware=firmware) if shape == "corners" else NO_CORNERS,
    )
    moves = _moves(shape, rng, rng.choice((20, 40, 80)))
    return FaultCase(seed, kind, shape, rng.random() < 0.5, firmware, board, moves, rig)


def _corners(seed: int, *, firmware: bool) -> Corners:
    wide = random.Random(f"angles of {seed}").random() < 0.5
    return WIDE if firmware and wide else CORNERS


def _rig_of(shape: str, board: str) -> FaceMotors:
    """The rig for a board with the firmware's binary, or for the virtual one without a name."""
    plain = brisk_rig() if board else strong_rig()
    if shape != "actions":
        return plain
    motors = {face: motor for face, motor in plain.motors.items() if motor.channel != CARRIAGE}
    return HandledFaces(**(msgspec.structs.asdict(plain) | {"motors": motors}), bare=board == "uno")


def brisk_rig() -> FaceMotors:
    """The default rig with one microstep and 6 ms a quarter turn, for boards without motors."""
    return _rig(microsteps=1, acceleration_steps_s2=5_000_000)


def strong_rig() -> FaceMotors:
    """The default rig with 18 ms a quarter turn, which strong motors follow."""
    return _rig(rate_steps_s=40_000, acceleration_steps_s2=5_000_000)


def _rig(**changes: int) -> FaceMotors:
    rig = default_rig()
    motors = {face: msgspec.structs.replace(each, **changes) for face, each in rig.motors.items()}
    return msgspec.structs.replace(rig, motors=motors, cameras=())


def _moves(shape: str, rng: random.Random, steps: int) -> MoveSequence:
    """Steps of a shape, no two after each other on one axis, so that each stays what it is."""
    texts = [rng.choice(SHAPES[shape])]
    while len(texts) < steps:
        drawn = rng.choice(SHAPES[shape])
        if _AXES[drawn[0]] != _AXES[texts[-1][0]]:
            texts.append(drawn)
    return MoveSequence.parse(" ".join(texts))
