"""The steps of a board, from their acceptance to their end, in modelled time.

A plain turn may begin before the end of the previous one; every other step waits until nothing
runs. In the firmware these are `core/motion` and `core/actions`.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from robot.protocol.messages import (
    DWELL_MS,
    NO_MOTOR,
    STALL,
    Action,
    ActionKind,
    Begin,
    OutputMode,
    Step,
)
from robot.protocol.settings import Setting
from robot.rigs.motor import OVERLAP_LEAD_S, PAIR_LEAD_S
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.machine_parts import MachineParts
from robot.virtual.servos import ServoBank

MOTOR_KINDS = (ActionKind.TURN, ActionKind.MOVE_BY, ActionKind.MOVE_TO, ActionKind.HOME)
Turned = Callable[[int, int, Trapezoid, float], None]
"""Called when a motor has moved, with the channel, the steps, forward positive, their timing, and
the start time.
"""
_LEAST = -(2**15)


@dataclass(slots=True)
class RunningAction:
    """An action of a running step.

    Attributes:
        action: The action.
        end_s: End time; None for a servo that is moving.
        steps: Of a motor: its number of steps, with the sign of the action.
        motion: Of a motor: their timing; None if it does not move.
        found: The number of these steps until a HOME found its place; None for never.
        live: Whether it is still running.
    """

    action: Action
    end_s: float | None = None
    steps: int = 0
    motion: Trapezoid | None = None
    found: int | None = None
    live: bool = True


@dataclass(slots=True)
class RunningStep:
    """A running step.

    Attributes:
        step: The message.
        began_s: Start time.
        parts: Its actions.
        cut: Whether it was interrupted, or did not find its place.
    """

    step: Step
    began_s: float
    parts: list[RunningAction]
    cut: bool = False

    @property
    def living(self) -> list[RunningAction]:
        """Its actions that are still running."""
        return [part for part in self.parts if part.live]

    @property
    def motions(self) -> list[Trapezoid]:
        """The motions of its motors."""
        return [part.motion for part in self.parts if part.motion is not None]

    @property
    def slows_from_s(self) -> float:
        """Time at which the last motor to rest begins to slow down."""
        last = max(self.motions, key=lambda motion: motion.duration_s)
        return self.began_s + last.braking_from_s

    def tail_from_s(self, pulses: int) -> float:
        """Return when each of its motors has at most `pulses` left, all after the acceleration."""
        tails = (motion.duration_s - motion.last_steps_s(pulses) for motion in self.motions)
        return self.began_s + max(tails)


class RunningSteps:
    """The steps that wait, and those that run: one, or two plain ones that overlap.

    Args:
        parts: The parts besides the cube.
        turned: Called at the end of each motion.
        value: Looks up a setting of a motor, or a global setting.
        lanes: Step lanes of the board: the number of motors that turn at once. With four, pairs
            overlap.
        now_s: The time.

    Attributes:
        waiting: The steps that wait, in order.
        running: The steps that run, in the order of their start.
        servos: The servos.
        cut: Whether a step that is more than plain turns was interrupted.
        not_found: Whether a motor did not find its place.
    """

    def __init__(
        self,
        parts: MachineParts,
        turned: Turned,
        value: Callable[[Setting, int], int],
        lanes: int,
        now_s: float,
    ) -> None:
        self._machine = parts
        self._turned = turned
        self._value = value
        self._lanes = lanes
        self.waiting: deque[Step] = deque()
        self.running: list[RunningStep] = []
        self.servos = ServoBank(parts.servos, now_s)
        self.cut = self.not_found = False
        self._counted: dict[int, int] = {}
        self._free_s = 0.0
        self._on_since_s = 0.0
        self._settling = False
        self._late = False
        parts.outputs[:] = [OutputMode.OFF] * len(parts.outputs)

    # State.

    @property
    def moving(self) -> bool:
        """Whether anything runs that a stop waits for."""
        return any(run.living for run in self.running)

    @property
    def idle(self) -> bool:
        """Whether no step waits or runs."""
        return not self.waiting and not self.running

    @property
    def motors_since_s(self) -> float | None:
        """Start time of the first motor that still turns; None if there is none."""
        turning = (run for run in self.running if any(part.motion for part in run.living))
        return min((run.began_s for run in turning), default=None)

    def next_wake_s(self, now_s: float) -> float | None:
        """Return when a step begins, something ends, or a servo's pulse changes."""
        wakes = [self.servos.next_frame_s, self.begins_at_s(now_s)]
        for run in self.running:
            wakes += [part.end_s for part in run.living] or [run.began_s]
        if self._settling:
            wakes.append(self._settled_s)
        return min((wake_s for wake_s in wakes if wake_s is not None), default=None)

    def put(self, step: Step, now_s: float) -> None:
        """Queue a step."""
        if self.running and not self.waiting:
            # The board checks its queue when a turn begins to slow down.
            turning = self.running[-1]
            self._late = turning.step.is_plain and now_s > turning.slows_from_s
        self.waiting.append(step)

    # Start of steps.

    def begins_at_s(self, now_s: float) -> float | None:
        """Return when the first step that waits may begin; None if that is not known yet."""
        if not self.waiting:
            return None
        step = self.waiting[0]
        if self.running:
            turning = self.running[-1]
            return turning.tail_from_s(step.begin_value) if self._overlaps(step) else None
        motors = any(action.kind in MOTOR_KINDS for action in step.actions)
        settled_s = self._settled_s if self._settling else now_s
        return max(now_s, settled_s, self._free_s if motors else now_s)

    def switch_on(self, now_s: float, *, was_off: bool) -> None:
        """Switch the current on: no step begins until it has settled."""
        if was_off:
            self._on_since_s = now_s
        self._settling = True

    @property
    def _settled_s(self) -> float:
        return self._on_since_s + self._value(Setting.ENABLE_SETTLE_MS, NO_MOTOR) * 1e-3

    def _overlaps(self, step: Step) -> bool:
        """Return whether a step may begin before the running one ends.

        It needs free lanes and other motors, and the move before the running one must be over. The
        board checks its queue when a turn begins to slow down; the next move must be in it by then.
        """
        if step.begin is not Begin.ANGLE or not step.begin_value:
            return False
        turning = self.running[-1]
        if len(self.running) > 1 or not turning.step.is_plain or self._late:
            return False
        motors = {turn.channel for turn in step.actions}
        used = {turn.channel for turn in turning.step.actions}
        return not motors & used and len(motors) + len(used) <= self._lanes

    def _begin(self, step: Step, now_s: float) -> RunningStep:
        lead_s = 0.0
        if self.running:
            paired = len(step.actions) + len(self.running[-1].parts) > 2
            lead_s = OVERLAP_LEAD_S + (PAIR_LEAD_S if paired else 0.0)
        run = RunningStep(step, now_s + lead_s, [RunningAction(each) for each in step.actions])
        self.running.append(run)
        self._late = False
        for part in run.parts:
            self._begin_part(run, part)
        self._time(run)
        return run

    def _begin_part(self, run: RunningStep, part: RunningAction) -> None:
        action = part.action
        match action.kind:
            case ActionKind.TURN:
                quarter = self._value(Setting.STEPS_PER_QUARTER, action.channel)
                part.steps = action.value * quarter
                self._counted.pop(action.channel, None)
            case ActionKind.MOVE_BY:
                part.steps = action.value
            case ActionKind.MOVE_TO:
                if action.channel in self._counted:
                    part.steps = action.value - self._counted[action.channel]
                else:
                    self.not_found = True
                    self._note_cut(run)
            case ActionKind.HOME:
                self._look_for_home(part)
            case ActionKind.POSITION:
                self.servos.aim(action.channel, action.value, action.speed, run.began_s)
                self._dwell(part, run.began_s)
            case ActionKind.WAIT:
                part.end_s = run.began_s + action.value * 1e-3
            case ActionKind.OUTPUT:
                self._machine.outputs[action.channel] = OutputMode(action.value)
                part.live = False
        if action.kind in MOTOR_KINDS:
            part.live = part.steps != 0
            part.motion = self.motion(action.channel, part.steps) if part.live else None

    def motion(self, channel: int, steps: int) -> Trapezoid:
        """Return the motion of a motor; the sign of its steps does not matter."""
        rate = self._value(Setting.RATE_STEPS_S, channel)
        return Trapezoid(abs(steps), rate, self._value(Setting.ACCELERATION_STEPS_S2, channel))

    def _time(self, run: RunningStep) -> None:
        """Set the ends of the motions; plain turns of two motors end together."""
        for part in run.living:
            if part.motion is not None:
                part.end_s = run.began_s + part.motion.duration_s
                if run.step.is_plain:
                    part.end_s = run.began_s + max(each.duration_s for each in run.motions)

    def _look_for_home(self, part: RunningAction) -> None:
        """Compute how far a motor goes: to its home, and until it has stopped there."""
        action, travel = part.action, part.action.value
        forward = self._forward(action.channel, travel)
        way = self._machine.way_home(action.channel, action.detail, forward)
        part.steps = travel
        if way is not None:
            part.found = way
            whole = self.motion(action.channel, travel)
            beyond = 0 if action.detail == STALL else min(way, whole.ramp_steps)
            part.steps = min(abs(travel), max(1, way + beyond)) * (1 if travel > 0 else -1)

    def _forward(self, channel: int, steps: int) -> int:
        return -steps if self._value(Setting.DIRECTION, channel) else steps

    # End of steps.

    def act(self, now_s: float) -> RunningStep | None:
        """End the actions whose time is over, or begin the step that is due.

        Returns:
            A step that has ended completely.
        """
        self._live(now_s)
        if self._settling and now_s + 1e-12 >= self._settled_s:
            self._settling = False
        for run in self.running:
            for part in run.living:
                if part.end_s is not None and part.end_s <= now_s + 1e-12:
                    self._end(run, part)
                    if part.motion is not None:
                        self._free_s = now_s + self._value(Setting.GAP_US, NO_MOTOR) * 1e-6
            if not run.living:
                self.running.remove(run)
                return run
        begin_s = self.begins_at_s(now_s)
        if begin_s is not None and now_s >= begin_s:
            self._begin(self.waiting.popleft(), now_s)
        return None

    def _end(self, run: RunningStep, part: RunningAction) -> None:
        part.live = False
        if part.motion is None:
            return
        channel = part.action.channel
        way = self._forward(channel, part.steps)
        if part.action.kind is not ActionKind.TURN:
            self._machine.move(channel, way)
        self._turned(channel, way, part.motion, run.began_s)
        if part.action.kind is ActionKind.HOME and part.found is None:
            self._note_cut(run)
            self.not_found |= part.steps == part.action.value
        if part.found is not None:
            beyond = abs(part.steps) - part.found
            self._counted[channel] = beyond if part.steps > 0 else -beyond
        elif channel in self._counted:
            self._counted[channel] += part.steps
            if not _LEAST <= self._counted[channel] < -_LEAST:
                self._counted.pop(channel)  # beyond what can be counted

    # Stops.

    def hurry(self, now_s: float) -> None:
        """Interrupt the step that began last, as each of its actions defines."""
        self._live(now_s)
        for run in self.running[-1:]:
            for part in run.living:
                self._cut(run, part, now_s - run.began_s)
            self._time(run)

    def _cut(self, run: RunningStep, part: RunningAction, elapsed_s: float) -> None:
        motion = part.motion
        if motion is None:
            if part.action.kind is ActionKind.POSITION:
                self.servos.drives[part.action.channel].hold()
            part.live = False
            self._note_cut(run)
            return
        if part.action.kind is ActionKind.TURN:
            # A half turn ends at its middle if it can still brake for it; until then its motion
            # equals that of a quarter turn.
            half = replace(motion, steps=motion.steps // 2)
            in_time = abs(part.action.value) == 2 and elapsed_s <= half.braking_from_s
            total = half.steps if in_time else motion.steps
        else:
            made = bisect_right(motion.pulse_times_s(), elapsed_s)
            total = min(motion.steps, max(1, made + min(made, motion.ramp_steps)))
        if total < motion.steps:
            part.steps = total if part.steps > 0 else -total
            part.motion = replace(motion, steps=total)
            if part.action.kind is not ActionKind.HOME:
                self._note_cut(run)
            if part.found is not None and part.found > total:
                part.found = None

    def _note_cut(self, run: RunningStep) -> None:
        run.cut = True
        self.cut |= not run.step.is_plain

    def forget_cut(self) -> None:
        """Forget that a step was interrupted."""
        self.cut = self.not_found = False

    def drop(self) -> None:
        """Drop everything: the drivers are off, or nothing runs."""
        self.waiting.clear()
        self.running.clear()

    def halt(self, now_s: float) -> None:
        """Drop everything; the servos stay where they are, powered."""
        self._live(now_s)
        self.drop()
        self.forget_cut()
        self._counted.clear()
        for drive in self.servos.drives:
            drive.hold()

    def release_servos(self, now_s: float) -> None:
        """Switch off the servos' pulses."""
        self._live(now_s)
        self.servos.release(now_s)

    def count_from_here(self, motors: int) -> None:
        """Set the position of these motors to 0."""
        self._counted = dict.fromkeys(range(motors), 0)

    # Servos.

    def _dwell(self, part: RunningAction, now_s: float) -> None:
        if self.servos.drives[part.action.channel].reached:
            part.end_s = now_s + part.action.detail * DWELL_MS * 1e-3

    def _live(self, now_s: float) -> None:
        """Advance the servos by the frames up to now."""
        for frame_s in self.servos.live(now_s):
            for part in (part for run in self.running for part in run.living):
                if part.action.kind is ActionKind.POSITION and part.end_s is None:
                    self._dwell(part, frame_s)
