"""A rig that does more than turn faces: a claw, an arm, a carriage, lamps and pauses between turns.

It handles nothing in particular: its programs hold every kind of action, begun in every way.
"""

from collections.abc import Iterable

from cube.moves import MoveSequence
from robot.protocol.messages import BoardKind, OutputMode, Set
from robot.protocol.settings import Setting
from robot.rigs.actions import Homing, MotorMove, ServoMove, StepPart, Switching, Wait
from robot.rigs.catalogue import KINDS
from robot.rigs.face_motors import planner
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.pose import Pose
from robot.rigs.program import ProgramStep, RigProgram

CLAW, ARM = 0, 1
CLOSED_US = 1900
HOLDS_FROM_US = 1850
"""The claw holds the cube from here on."""
CARRIAGE = 5
"""The motor output that turns no face here."""
_SPEED_US_S = 10_000
_RATE_STEPS_S = 20_000


class HandledFaces(FaceMotors, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Motors on five faces at most, and what a machine may have besides.

    Attributes:
        kind: Its name in the rig file.
        bare: The board has no servos, outputs or switches.
    """

    kind: str = "handled"
    bare: bool = False

    def plan(
        self,
        sequence: MoveSequence,
        lanes: int | None = None,
        start: Pose | None = None,  # noqa: ARG002
    ) -> RigProgram:
        """Put something else before each turn."""
        return self._handled(planner.plan(self, sequence, lanes))

    def plan_steps(self, groups: Iterable[MoveSequence], lanes: int | None = None) -> RigProgram:
        """Do the same with turns that are grouped already."""
        return self._handled(planner.plan_steps(self, groups, lanes))

    def settings(self, kind: BoardKind = BoardKind.VIRTUAL) -> list[Set]:
        """Tell the carriage's speed, too."""
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
        """Return a turn with something before it, after it or beside it."""
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
            case 6:  # the turn begins before what is before it has ended
                early = _step(step.actions, step.moves, begin_after_s=0.004)
                return [_step((Wait(9),) if self.bare else (beside[0], Wait(9))), early]
            case 4:  # beside the end of the turn
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
    return ProgramStep(actions, moves or MoveSequence(), 0.0, 0.05, overlap_steps, begin_after_s)


KINDS["handled"] = HandledFaces
