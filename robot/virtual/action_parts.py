"""The actions of steps under way, in modelled time."""

from dataclasses import dataclass, field

from robot.protocol.messages import Action, ActionKind, Step
from robot.rigs.motion import Trapezoid
from robot.virtual.move_queue import Lane

MOTOR_KINDS = (ActionKind.TURN, ActionKind.MOVE_BY, ActionKind.MOVE_TO, ActionKind.HOME)


@dataclass(slots=True)
class RunningAction:
    """An action of a step under way.

    Attributes:
        action: What is done.
        end_s: When it ends; None for a servo on its way.
        steps: Of a motor: how many it makes, forward positive.
        found: Of those, how many until a HOME found its place; None for never.
        lane: The turn, or the move as one.
        done: What it did, once it has ended.
    """

    action: Action
    end_s: float | None = None
    steps: int = 0
    found: int | None = None
    lane: Lane | None = None
    live: bool = True
    done: int = 0


@dataclass(slots=True)
class RunningStep:
    """A step under way.

    Attributes:
        step: What was asked for.
        began_s: When it began.
        parts: Its actions.
        cut: Whether a stop cut it short.
    """

    step: Step
    began_s: float
    parts: list[RunningAction] = field(default_factory=list)
    cut: bool = False

    @property
    def lives(self) -> bool:
        """Whether an action of it has not ended."""
        return any(part.live for part in self.parts)

    @property
    def moves_motors(self) -> bool:
        """Whether it turns or moves a motor."""
        return any(part.action.kind in MOTOR_KINDS for part in self.parts)

    @property
    def motions(self) -> list[tuple[float, Trapezoid]]:
        """When the motors that still move began, and how they move."""
        return [(self.began_s, part.lane.motion) for part in self.parts if part.live and part.lane]

    def keeps_back(self, step: Step) -> bool:
        """Say whether a step has to wait for the end of this one, whatever it says itself."""
        live = [part.action for part in self.parts if part.live]
        servos = {each.channel for each in live if each.kind is ActionKind.POSITION}
        wanted = {each.channel for each in step.actions if each.kind is ActionKind.POSITION}
        return bool(servos & wanted) or any(each.kind is ActionKind.HOME for each in live)
