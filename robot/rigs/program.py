"""A rig program: all movements with their times in seconds, and their effect on the cube.

Between two steps, machine and cube have a pose; each turn of the cube names its actuator.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cube.moves import MoveSequence
from cube.orientation import Orientation
from robot.protocol.messages import DWELL_MS, MAX_ACTIONS, ActionKind, Begin, Step
from robot.rigs.actions import Act
from robot.rigs.motor import Motor


@dataclass(frozen=True, slots=True)
class Pose:
    """The places of a machine's parts, and the orientation of its cube.

    Attributes:
        places: The number of each part's place, in the order of the rig file.
        held: The orientation of the cube.
    """

    places: tuple[int, ...]
    held: Orientation = field(default_factory=Orientation)

    @property
    def relabelled(self) -> "Pose":
        """The same pose, with the cube's faces renamed by their present places."""
        return replace(self, held=Orientation())


@dataclass(frozen=True, slots=True)
class Actuator:
    """The actuator of a part of a machine.

    Attributes:
        name: Its name for people, such as "motor R" or "the holder".
        remedy: What to do if it fails, with the keys of the rig file.
    """

    name: str
    remedy: str


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """One turn of layers or of the whole cube, in terms of the machine's places.

    Attributes:
        step: The number of its step, from 0.
        does: Its name for people, such as "R2" or "flip the cube".
        actuators: The actuators that make it.
        turns: The turning layers with their quarter turns, negative for anticlockwise: a layer of
            ``URFDLB``, or the whole cube about ``x``, ``y`` or ``z``.
    """

    step: int
    does: str
    actuators: tuple[Actuator, ...]
    turns: tuple[tuple[str, int], ...]


def motor_remedy(key: str, motor: Motor) -> str:
    """Return the remedy for a stepper that loses steps; its table is such as ``motors.R``."""
    current = "raise its driver's current"
    if motor.driver_address is not None:
        current += f" ({key}.current_ma, now {motor.current_ma})"
    return (
        f"lower {key}.acceleration_steps_s2 (now {motor.acceleration_steps_s2}) or "
        f"{key}.rate_steps_s (now {motor.rate_steps_s}) in the rig file, {current}, and check its "
        "coupling and set screw"
    )


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """One to four actions that run together.

    Attributes:
        actions: The actions.
        moves: The resulting moves of the cube; empty if only its orientation changes.
        start_s: Start time in the program.
        duration_s: Until the slowest of its parts is at rest.
        overlap_steps: Of turns: step pulses before the end of the previous turns at which they
            begin; 0 for after the end.
        does: Its name for people, such as "flip the cube"; empty if the moves suffice.
        pose: The pose at its end; None for a machine with only one pose.
        cut_leaves_doubt: Whether the cube's pose is unknown if a stop interrupts it.
    """

    actions: tuple[Act, ...]
    moves: MoveSequence
    start_s: float
    duration_s: float
    overlap_steps: int = 0
    does: str = ""
    pose: Pose | None = None
    cut_leaves_doubt: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.actions) <= MAX_ACTIONS:
            raise ValueError(f"a step has 1 to {MAX_ACTIONS} actions, not {len(self.actions)}")

    @property
    def end_s(self) -> float:
        """End time in the program."""
        return self.start_s + self.duration_s

    def least_s(self, motors: Mapping[int, Motor]) -> float:
        """Return the time that it takes at least.

        Args:
            motors: The rig's motors, by their channels.
        """
        return min(self.duration_s, max(_least_s(each, motors) for each in self.actions))

    @property
    def turns(self) -> tuple[Act, ...]:
        """The turns among its actions."""
        return tuple(each for each in self.actions if each.kind is ActionKind.TURN)

    def message(self, number: int = 0) -> Step:
        """Return the message for the board.

        Args:
            number: Number of the step since the board's start; the link fills it in when it sends.
        """
        begin = Begin.ANGLE if self.overlap_steps else Begin.AFTER_END
        actions = tuple(each.action for each in self.actions)
        return Step(number & 0xFFFF, begin, self.overlap_steps, actions)


def _least_s(act: Act, motors: Mapping[int, Motor]) -> float:
    match act.kind:
        case ActionKind.TURN if act.channel in motors:
            return motors[act.channel].turn(act.value).duration_s
        case ActionKind.POSITION:
            return act.action.detail * DWELL_MS / 1000
        case ActionKind.WAIT:
            return act.value / 1000
    return 0.0  # it may be at its place already


@dataclass(frozen=True, slots=True)
class RigProgram:
    """Steps in the order of execution.

    Attributes:
        steps: The steps.
        start: The pose that the program requires at its beginning; None for a machine with only one
            pose.
    """

    steps: tuple[ProgramStep, ...]
    start: Pose | None = None

    def __str__(self) -> str:
        return f"{len(self.steps)} steps in {self.time_s:.2f} s"

    @property
    def end(self) -> Pose | None:
        """The pose at the end; None for a machine with only one pose."""
        return self.pose_after(len(self.steps))

    @property
    def handles_cube(self) -> bool:
        """Whether it is for a machine that holds the cube in different poses."""
        return self.start is not None

    @property
    def time_s(self) -> float:
        """Modelled time from the first step pulse to rest."""
        return self.steps[-1].end_s if self.steps else 0.0

    @property
    def moves(self) -> MoveSequence:
        """All moves of the program."""
        return self.moves_of(len(self.steps))

    def pose_after(self, steps: int) -> Pose | None:
        """Return the pose after the first steps."""
        return self.steps[steps - 1].pose if steps else self.start

    def moves_of(self, steps: int) -> MoveSequence:
        """Return the moves of the first steps."""
        return MoveSequence(tuple(move for step in self.steps[:steps] for move in step.moves))
