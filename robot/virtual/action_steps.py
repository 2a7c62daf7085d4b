"""Carries out steps that are more than plain turns, in modelled time, like `core/actions`."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from robot.protocol.messages import DWELL_MS, STALL, Action, ActionKind, OutputMode, Step
from robot.protocol.settings import Setting
from robot.rigs.motor import Trapezoid
from robot.virtual.move_queue import Lane, MoveQueue
from robot.virtual.servos import ServoBank
from robot.virtual.step_ranges import MachineParts

MOTOR_KINDS = (ActionKind.TURN, ActionKind.MOVE_BY, ActionKind.MOVE_TO, ActionKind.HOME)


@dataclass(slots=True)
class RunningAction:
    """An action of a running step.

    Attributes:
        action: The action.
        end_s: End time; None for a servo that is moving.
        steps: Of a motor: its number of steps, forward positive.
        found: The number of these steps until a HOME found its place; None for never.
        lane: The turn, or the move treated as one.
    """

    action: Action
    end_s: float | None = None
    steps: int = 0
    found: int | None = None
    lane: Lane | None = None
    live: bool = True


@dataclass(slots=True)
class RunningStep:
    """A running step.

    Attributes:
        step: The message.
        began_s: Start time.
        parts: Its actions.
        cut: Whether a stop interrupted it.
    """

    step: Step
    began_s: float
    parts: list[RunningAction] = field(default_factory=list)
    cut: bool = False

    @property
    def lives(self) -> bool:
        """Whether any of its actions is still running."""
        return any(part.live for part in self.parts)


_LEAST = -(2**15)


class ActionSteps:
    """The running step that is more than plain turns, if there is one.

    Args:
        parts: The parts besides the cube.
        turned: Called when a turn has ended, as in `MoveQueue`.
        value: Looks up a setting.
        queue: The plain turns.
        now_s: The time.
    """

    def __init__(
        self,
        parts: MachineParts,
        turned: Callable[[int, int, Trapezoid, float], None],
        value: Callable[[Setting, int], int],
        queue: MoveQueue,
        now_s: float,
    ) -> None:
        self._machine = parts
        self._turned = turned
        self._value = value
        self._queue = queue
        self._run: RunningStep | None = None
        self.servos = ServoBank(parts.servos, now_s)
        self._counted: dict[int, int] = {}
        self.not_found = False
        parts.outputs[:] = [OutputMode.OFF] * len(parts.outputs)

    # State.

    @property
    def idle(self) -> bool:
        """Whether no step is running."""
        return self._run is None

    @property
    def at_rest(self) -> bool:
        """Whether everything is at rest that a stop waits for."""
        return self._run is None or not self._run.lives

    @property
    def motors_since_s(self) -> float | None:
        """Start time of the running step if it moves a motor; else None."""
        run = self._run
        moving = run is not None and any(part.live and part.lane for part in run.parts)
        return run.began_s if run is not None and moving else None

    @property
    def was_cut(self) -> bool:
        """Whether a stop cut the running step short."""
        return self._run is not None and self._run.cut

    def next_wake_s(self) -> float | None:
        """Return when something ends, or a servo's pulse changes."""
        wakes = [part.end_s for part in self._living if part.end_s is not None]
        frame_s = self.servos.next_frame_s
        wakes += [] if frame_s is None else [frame_s]
        return min(wakes, default=None)

    @property
    def _living(self) -> list[RunningAction]:
        """The actions that are still running."""
        return [] if self._run is None else [part for part in self._run.parts if part.live]

    # Start of steps.

    def begins_at_s(self, step: Step, now_s: float) -> float | None:
        """Return when a step may begin; None if it must wait for the end of another one."""
        if self._run is not None or not self._queue.empty or self._queue.turning is not None:
            return None
        motors = any(action.kind in MOTOR_KINDS for action in step.actions)
        return max(now_s, self._queue.free_s if motors else 0.0)

    def begin(self, step: Step, now_s: float) -> None:
        """Begin a step."""
        self._live(now_s)
        run = RunningStep(step, now_s, [RunningAction(action) for action in step.actions])
        self._run = run
        for part in run.parts:
            self._begin_part(run, part, now_s)

    def _begin_part(self, run: RunningStep, part: RunningAction, now_s: float) -> None:
        action = part.action
        match action.kind:
            case ActionKind.TURN:
                part.lane = self._queue.lane(action.channel, action.value)
                self._counted.pop(action.channel, None)
            case ActionKind.MOVE_BY:
                part.steps = action.value
            case ActionKind.MOVE_TO:
                if action.channel in self._counted:
                    part.steps = action.value - self._counted[action.channel]
                else:
                    self.not_found = run.cut = True
            case ActionKind.HOME:
                self._look_for_home(part)
            case ActionKind.POSITION:
                self.servos.aim(action.channel, action.value, action.speed, now_s)
                self._dwell(part, now_s)
            case ActionKind.WAIT:
                part.end_s = now_s + action.value * 1e-3
            case ActionKind.OUTPUT:
                self._machine.outputs[action.channel] = OutputMode(action.value)
                part.live = False
        if action.kind in MOTOR_KINDS and part.lane is None:
            part.live = part.steps != 0
            part.lane = self._travel(action, abs(part.steps)) if part.live else None
        if part.lane is not None:
            part.end_s = now_s + part.lane.motion.duration_s

    def _travel(self, action: Action, steps: int) -> Lane:
        quarter = self._queue.lane(action.channel, 1).motion
        return Lane(action.channel, 1, replace(quarter, steps=steps))

    def _look_for_home(self, part: RunningAction) -> None:
        """Compute how far a motor goes: to its home, and until it has stopped there."""
        action, travel = part.action, part.action.value
        forward = self._forward(action.channel, travel)
        way = self._machine.way_home(action.channel, action.detail, forward)
        part.steps = travel
        if way is not None:
            part.found = way
            whole = self._travel(action, abs(travel)).motion
            beyond = 0 if action.detail == STALL else min(way, whole.ramp_steps)
            part.steps = min(abs(travel), max(1, way + beyond)) * (1 if travel > 0 else -1)

    def _forward(self, channel: int, steps: int) -> int:
        return -steps if self._value(Setting.DIRECTION, channel) else steps

    # End of steps.

    def act(self, now_s: float) -> None:
        """End the actions whose time is over."""
        self._live(now_s)
        run = self._run
        for part in self._living:
            if run is not None and part.end_s is not None and part.end_s <= now_s + 1e-12:
                self._end(run, part)
                if part.lane is not None:
                    self._queue.keep_gap(now_s)

    def take_ended(self) -> bool:
        """Forget the step and return True if it has ended completely."""
        ended = self._run is not None and not self._run.cut and not self._run.lives
        if ended:
            self._run = None
        return ended

    def _end(self, run: RunningStep, part: RunningAction) -> None:
        part.live = False
        action = part.action
        match action.kind:
            case ActionKind.TURN:
                assert part.lane is not None
                steps = part.lane.quarters * self._value(Setting.STEPS_PER_QUARTER, action.channel)
                way = self._forward(action.channel, steps)
                self._turned(action.channel, way, part.lane.motion, run.began_s)
            case ActionKind.MOVE_BY | ActionKind.MOVE_TO | ActionKind.HOME:
                self._end_travel(run, part)

    def _end_travel(self, run: RunningStep, part: RunningAction) -> None:
        channel = part.action.channel
        assert part.lane is not None
        way = self._forward(channel, part.steps)
        self._machine.move(channel, way)
        self._turned(channel, way, part.lane.motion, run.began_s)
        if part.action.kind is ActionKind.HOME:
            if part.found is None:
                run.cut = True
                self.not_found |= part.steps == part.action.value
            else:
                beyond = abs(part.steps) - part.found
                self._counted[channel] = beyond if part.steps > 0 else -beyond
        elif channel in self._counted:
            self._counted[channel] += part.steps
            if not _LEAST <= self._counted[channel] < -_LEAST:
                self._counted.pop(channel)  # beyond what can be counted

    # Stops.

    def hurry(self, now_s: float) -> None:
        """Interrupt the running step, as each of its actions defines."""
        self._live(now_s)
        run = self._run
        for part in self._living:
            if run is not None:
                self._cut(run, part, now_s)

    def _cut(self, run: RunningStep, part: RunningAction, now_s: float) -> None:
        elapsed_s = now_s - run.began_s
        match part.action.kind:
            case ActionKind.WAIT:
                part.live, run.cut = False, True
            case ActionKind.POSITION:
                self.servos.hold(part.action.channel)
                part.live, run.cut = False, True
            case ActionKind.TURN:
                assert part.lane is not None
                short = part.lane.cut_short(elapsed_s)
                run.cut |= short != part.lane
                part.lane, part.end_s = short, run.began_s + short.motion.duration_s
            case _:
                assert part.lane is not None
                motion = part.lane.motion
                made = bisect_right(motion.pulse_times_s(), elapsed_s)
                total = min(motion.steps, max(1, made + min(made, motion.ramp_steps)))
                if total < motion.steps:
                    part.steps = total if part.steps > 0 else -total
                    short_motion = replace(motion, steps=total)
                    part.lane = replace(part.lane, motion=short_motion)
                    part.end_s = run.began_s + short_motion.duration_s
                    run.cut |= part.action.kind is not ActionKind.HOME
                    if part.found is not None and part.found > total:
                        part.found = None

    def forget(self) -> None:
        """Forget the interrupted step."""
        self._run = None
        self.not_found = False

    def halt(self, now_s: float) -> None:
        """Drop the running step; the servos stay where they are, powered."""
        self._live(now_s)
        self.forget()
        self._counted.clear()
        self.servos.hold_all()

    def release_servos(self, now_s: float) -> None:
        """Switch off the servos' pulses."""
        self._live(now_s)
        self.servos.release(now_s)

    def count_from_here(self, motors: int) -> None:
        """Set the position of these motors to 0."""
        self._counted = dict.fromkeys(range(motors), 0)

    def note_turn(self, channel: int) -> None:
        """Mark a motor's position as unknown."""
        self._counted.pop(channel, None)

    # Servos.

    def _dwell(self, part: RunningAction, now_s: float) -> None:
        if self.servos.reached(part.action.channel):
            part.end_s = now_s + part.action.detail * DWELL_MS * 1e-3

    def _live(self, now_s: float) -> None:
        """Advance the servos by the frames up to now."""
        for frame_s in self.servos.live(now_s):
            for part in self._living:
                if part.action.kind is ActionKind.POSITION and part.end_s is None:
                    self._dwell(part, frame_s)
