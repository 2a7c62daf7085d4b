"""A rig program: what moves when, in seconds, and what that makes of the cube.

How a machine and the cube in it stand between two steps.

What a program does to the cube turn by turn, and which actuator does it.
"""

from dataclasses import dataclass, field, replace

from cube.moves import MoveSequence
from cube.orientation import Orientation
from robot.protocol.messages import MAX_ACTIONS, Begin, Step
from robot.rigs.actions import MotorMove, MotorTurn, StepPart, Wait
from robot.rigs.motor import Motor


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the parts of a machine are, and how they hold the cube.

    Attributes:
        places: Where each part stands: the number of its place, in the order of the rig file.
        held: Which face of the cube is where.
    """

    places: tuple[int, ...]
    held: Orientation = field(default_factory=Orientation)

    @property
    def taken_anew(self) -> "Pose":
        """The same machine, with a cube whose faces are named by where they are now."""
        return replace(self, held=Orientation())


@dataclass(frozen=True, slots=True)
class Actuator:
    """What moves a part of a machine.

    Attributes:
        name: What it is called for people, such as "motor R" or "the holder".
        remedy: What to do when it does not do what it is told, with the keys of the rig file.
    """

    name: str
    remedy: str


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """One turn of layers, or of the whole cube, by the places of the machine.

    Attributes:
        step: The number of its step, from 0.
        does: What it is called for people, such as "R2" or "flip the cube".
        actuators: What makes it.
        turns: What turns and by how many quarters, negative for back: a layer of ``URFDLB``, or the
            whole cube about ``x``, ``y`` or ``z``.
    """

    step: int
    does: str
    actuators: tuple[Actuator, ...]
    turns: tuple[tuple[str, int], ...]


def motor_remedy(key: str, motor: Motor) -> str:
    """Say what helps a stepper that loses steps.

    Args:
        key: Of its table in the rig file, such as ``motors.R``.
        motor: The same table.
    """
    current = "raise its driver's current"
    if motor.driver_address is not None:
        current += f" ({key}.current_ma, now {motor.current_ma})"
    return (
        f"lower {key}.acceleration_steps_s2 (now {motor.acceleration_steps_s2}) or "
        f"{key}.rate_steps_s (now {motor.rate_steps_s}) in the rig file, {current}, and check its "
        "coupling and set screw"
    )


Done = tuple[int, ...]
"""What each action of a step did before a stop cut it short, in the units of the action: quarters,
steps, milliseconds; empty when nothing was cut short."""


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """One to four actions that run together.

    Attributes:
        actions: What is done.
        moves: What they make of the cube; none where it is only held in another way.
        start_s: When it begins, from the beginning of the program.
        duration_s: Until the slowest of its parts rests.
        overlap_steps: Step pulses before the end of the turns before at which this one begins; 0
            for after it.
        begin_after_s: How long after the step before began this one may begin, although that one
            has not ended; None to go by `overlap_steps`. To the millisecond.
        does: What it is called for people, such as "flip the cube"; empty where its moves say it.
        pose: How machine and cube stand at its end; None for a machine that has one pose only.
        cut_leaves_doubt: Once a stop cuts it short, nobody knows how the cube lies: its rest cannot
            be made.
    """

    actions: tuple[StepPart, ...]
    moves: MoveSequence
    start_s: float
    duration_s: float
    overlap_steps: int = 0
    begin_after_s: float | None = None
    does: str = ""
    pose: Pose | None = None
    cut_leaves_doubt: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.actions) <= MAX_ACTIONS:
            raise ValueError(f"a step has 1 to {MAX_ACTIONS} actions, not {len(self.actions)}")

    @property
    def end_s(self) -> float:
        """When it ends, from the beginning of the program."""
        return self.start_s + self.duration_s

    @property
    def turns(self) -> tuple[MotorTurn, ...]:
        """The turns among its actions."""
        return tuple(each for each in self.actions if isinstance(each, MotorTurn))

    def message(self, number: int = 0) -> Step:
        """Return the message that has a board do it.

        Args:
            number: Count of the step since the board's start; the link fills it in when it sends.
        """
        begin, value = Begin.AFTER_END, 0
        if self.begin_after_s is not None:
            begin, value = Begin.TIME, round(self.begin_after_s * 1000)
        elif self.overlap_steps:
            begin, value = Begin.ANGLE, self.overlap_steps
        return Step(number & 0xFFFF, begin, value, tuple(each.action for each in self.actions))

    def rest_after(self, done: Done) -> "ProgramStep":
        """Return what is left of it, from rest, when a stop cut it short.

        Args:
            done: What each action had done; zeros follow the last one.

        Raises:
            ValueError: That is no beginning of this step, or the whole of it.
        """
        count = len(self.actions)
        if len(done) < count or any(done[count:]):
            raise ValueError(f"{done} is not the beginning of {self.moves}")
        left = (each.rest_after(made) for each, made in zip(self.actions, done, strict=False))
        rest = tuple(each for each in left if each is not None)
        if not rest:
            raise ValueError(f"{done} is all of {self.moves}")
        return replace(self, actions=rest, overlap_steps=0, begin_after_s=None)

    def done_in_all(self, begun: Done, more: Done) -> Done:
        """Add up what was done of it before, and of its rest after that.

        Args:
            begun: What each action had done when it was cut short the first time; empty for never.
            more: What each action of the rest did until it was cut short, too.

        Raises:
            ValueError: What was begun is no beginning of this step.
        """
        if not begun:
            return more
        in_all, later = list(begun), iter(more)
        for place, each in enumerate(self.actions):
            if each.rest_after(begun[place]) is not None:
                done = next(later)
                in_all[place] = begun[place] + done if _adds_up(each) else done
        return tuple(in_all)


def _adds_up(part: StepPart) -> bool:
    """Say whether the rest of an action is what was not yet done; else it is the whole of it."""
    return isinstance(part, (MotorTurn, Wait)) or (
        isinstance(part, MotorMove) and not part.absolute
    )


@dataclass(frozen=True, slots=True)
class RigProgram:
    """Steps in the order in which they are turned.

    Attributes:
        steps: The steps.
        start: How machine and cube have to stand before; None for a machine that has one pose only.
    """

    steps: tuple[ProgramStep, ...]
    start: Pose | None = None

    @property
    def end(self) -> Pose | None:
        """How machine and cube stand at the end; None for a machine that has one pose only."""
        return self.pose_after(len(self.steps))

    @property
    def handles_cube(self) -> bool:
        """Whether it is for a machine that holds the cube now in one way and now in another."""
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
        """Return how machine and cube stand after the first steps."""
        return self.steps[steps - 1].pose if steps else self.start

    def moves_of(self, steps: int) -> MoveSequence:
        """Return the moves that the first steps make."""
        return MoveSequence(tuple(move for step in self.steps[:steps] for move in step.moves))
