"""A case: a program, a rig and a fault, all drawn from one number.

This module also contains a rig that does more than turn faces: a claw, an arm, a carriage, lamps
and pauses between turns.

It handles nothing in particular: its programs contain every kind of action, started in every way.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.protocol.messages import BoardKind, OutputMode, Set
from robot.protocol.settings import Setting
from robot.rigs.actions import Homing, MotorMove, ServoMove, StepPart, Switching, Wait
from robot.rigs.catalogue import KINDS, default_rig
from robot.rigs.face_motors import planner
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import MOST_CORNER_DEG, NO_CORNERS, Corners
from robot.rigs.program import Pose, ProgramStep, RigProgram

CLAW, ARM = 0, 1
CLOSED_US = 1900
HOLDS_FROM_US = 1850
"""The claw holds the cube from here on."""
CARRIAGE = 5
"""The motor output that turns no face here."""
_SPEED_US_S = 10_000
_RATE_STEPS_S = 20_000


class HandledFaces(FaceMotors, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Motors on at most five faces, with the further parts of a machine.

    Attributes:
        kind: Its name in the rig file.
        bare: Whether the board has no servos, outputs or switches.
    """

    kind: str = "handled"
    bare: bool = False

    def plan(
        self,
        sequence: MoveSequence,
        lanes: int | None = None,
        start: Pose | None = None,  # noqa: ARG002 - of `Mechanism.plan`
    ) -> RigProgram:
        """Put other actions before each turn."""
        return self._handled(planner.plan(self, sequence, lanes))

    def plan_steps(self, groups: Iterable[MoveSequence], lanes: int | None = None) -> RigProgram:
        """Do the same with turns that are grouped already."""
        return self._handled(planner.plan_steps(self, groups, lanes))

    def settings(self, kind: BoardKind = BoardKind.VIRTUAL) -> list[Set]:
        """Add the carriage's speed."""
        carriage = {
            Setting.RATE_STEPS_S: _RATE_STEPS_S,
            Setting.ACCELERATION_STEPS_S2: 2_000_000,
        }
        more = [Set(key, CARRIAGE, value) for key, value in carriage.items()]
        return super().settings(kind) + more

    def _handled(self, turns: RigProgram) -> RigProgram:
        plain = [step for step in turns.steps if step.moves]
        steps = [] if self.bare else [_grip()]
        for number, step in enumerate(plain):
            steps += self._extra(number, step)
        return RigProgram(tuple(steps))

    def _extra(self, number: int, step: ProgramStep) -> list[ProgramStep]:
        """Return a turn with an action before it, after it or at the same time."""
        way = 1 if number % 2 else -1
        carriage = MotorMove(CARRIAGE, 170 * way, "the carriage")
        if self.bare:
            beside: tuple[StepPart, ...] = (Wait(5),)
            before: list[tuple[StepPart, ...]] = [(carriage, Wait(7)), (Wait(12),), (carriage,)]
        else:
            arm = ServoMove(ARM, 1500 + 200 * way, "the arm", _SPEED_US_S, 0.01)
            squeeze = ServoMove(CLAW, CLOSED_US + 30 * way, "the claw", _SPEED_US_S)
            lamp = Switching(0, OutputMode.BLINK, "the lamp", 0.05)
            beside = (squeeze,)
            before = [
                (arm, Wait(15)),
                (carriage, squeeze),
                (Homing(CARRIAGE, -1500, "the carriage", 0, 40), lamp),
                (MotorMove(CARRIAGE, 90 * way, "the carriage", absolute=True),),
            ]
        match number % 7:
            case 5:  # one step with the turn
                return [_step((*step.actions, *beside), step.moves)]
            case 6:  # the turn begins before the previous action has ended
                early = _step(step.actions, step.moves, begin_after_s=0.004)
                return [_step((Wait(9),) if self.bare else (beside[0], Wait(9))), early]
            case 4:  # at the same time as the end of the turn
                later = (Wait(6),) if self.bare else (*beside, Wait(6))
                return [_step(step.actions, step.moves), _step(later, overlap_steps=40)]
        return [_step(before[number % len(before)]), _step(step.actions, step.moves)]


def _grip() -> ProgramStep:
    claw = ServoMove(CLAW, CLOSED_US, "the claw", 0, 0.1)
    return _step((claw, Switching(1, OutputMode.ON, "the camera light")))


def _step(
    actions: tuple[StepPart, ...],
    moves: MoveSequence | None = None,
    overlap_steps: int = 0,
    begin_after_s: float | None = None,
) -> ProgramStep:
    return ProgramStep(actions, moves or MoveSequence(), 0.0, 0.0, overlap_steps, begin_after_s)


KINDS["handled"] = HandledFaces


SHAPES = {
    "half turns": ("U2", "R2", "F2", "D2", "L2", "B2"),
    "pairs": ("R2 L'", "U D2", "F2 B2", "R L", "U2 D2", "F' B2"),
    "overlaps": ("R2", "U", "F2", "L'", "D2", "B"),
    "corners": ("R2", "U", "F'", "R L'", "U2 D", "B2", "F2 B'"),
    "actions": ("R2", "U", "F2", "L'", "D2", "R L'", "F'"),
}
"""The kinds of steps of programs."""
PATIENCE_MS = (200, 400, 5000)
"""Time that boards wait for their host."""
SMALL_DISKS = frozenset({"disk fills", "disk fills, then kill", "kill, then disk fills"})
"""Kinds of faults that need a separate disk."""
OVERLAP_DEG = 15.0
CORNERS = Corners(**dict.fromkeys(Corners.__struct_fields__, 24.0))
"""Within the ramps; on a Mega pairs overlap, too."""
WIDE = Corners(**dict.fromkeys(Corners.__struct_fields__, float(MOST_CORNER_DEG)))
"""As wide as possible: half of the cut corners on the firmware, whose cube never jams."""
_ON_MEGA = 0.6
"""Share of the programs of actions, and of those that cut corners."""
_AXES = {"U": 0, "D": 0, "R": 1, "L": 1, "F": 2, "B": 2}


@dataclass(frozen=True, slots=True)
class FaultCase:
    """One program with a fault.

    Attributes:
        seed: Determines everything.
        kind: Name of the fault.
        shape: Key of SHAPES.
        verify: Whether the cube is checked at the end.
        firmware: Whether it runs on the firmware's own binary instead of the virtual board.
        board: The board: a Mega has servos besides its six motors, an Uno instead of two.
        moves: The moves that solve the cube.
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
    """Draw a case, of a shape whose name contains a text; everything else is given."""
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
    """Return the rig for a board with the firmware's binary, or for the virtual one."""
    plain = brisk_rig() if board else strong_rig()
    if shape != "actions":
        return plain
    motors = {face: motor for face, motor in plain.motors.items() if motor.channel != CARRIAGE}
    return HandledFaces(**(msgspec.structs.asdict(plain) | {"motors": motors}), bare=board == "uno")


def brisk_rig() -> FaceMotors:
    """Return the default rig with one microstep and 6 ms per quarter turn, for bare boards."""
    return _rig(microsteps=1, acceleration_steps_s2=5_000_000)


def strong_rig() -> FaceMotors:
    """Return the default rig with 18 ms per quarter turn, for strong motors."""
    return _rig(rate_steps_s=40_000, acceleration_steps_s2=5_000_000)


def _rig(**changes: int) -> FaceMotors:
    rig = default_rig()
    motors = {face: msgspec.structs.replace(each, **changes) for face, each in rig.motors.items()}
    return msgspec.structs.replace(rig, motors=motors, cameras=())


def _moves(shape: str, rng: random.Random, steps: int) -> MoveSequence:
    """Return steps of a shape, no two in a row on one axis, so that each stays separate."""
    texts = [rng.choice(SHAPES[shape])]
    while len(texts) < steps:
        drawn = rng.choice(SHAPES[shape])
        if _AXES[drawn[0]] != _AXES[texts[-1][0]]:
            texts.append(drawn)
    return MoveSequence.parse(" ".join(texts))
