"""The board's states: which steps it accepts, how it stops, and when it is at rest.

Steps, inputs and the time go in; events come out. docs/protocol.md draws the states.
"""

import math
from collections.abc import Sequence

from robot.protocol.messages import (
    NO_MOTOR,
    QUEUE_PLACES,
    Action,
    ActionKind,
    EventKind,
    Fault,
    Flag,
    OutputMode,
    Reason,
    StallInput,
    State,
    Step,
)
from robot.protocol.settings import SETTING_BY_KEY, SETTINGS, Setting
from robot.virtual.machine_parts import MachineParts
from robot.virtual.running_steps import RunningStep, RunningSteps, Turned
from robot.virtual.step_ranges import fits

_NO_STEPS_IN = {
    State.DISABLED: Reason.NOT_ENABLED,
    State.STOPPING: Reason.ABORTED,
    State.ABORTED: Reason.ABORTED,
    State.ESTOP: Reason.ESTOP,
}


class StoredSettings:
    """Every setting's value: one for the board, or one for each of its motors."""

    def __init__(self, motors: int) -> None:
        self._values = {
            (spec.key, motor): spec.default
            for spec in SETTINGS
            for motor in (range(motors) if spec.per_motor else (NO_MOTOR,))
        }

    def value(self, key: Setting, motor: int = NO_MOTOR) -> int:
        """Return the value of an existing setting."""
        return self._values[key, motor]

    def change(self, key: int, motor: int, value: int) -> Reason | None:
        """Change the value of a setting; return the reason if it is refused."""
        if key not in SETTING_BY_KEY:
            return Reason.UNKNOWN_KEY
        spec = SETTING_BY_KEY[Setting(key)]
        if (spec.key, motor) not in self._values or not spec.allows(value):
            return Reason.OUT_OF_RANGE
        self._values[spec.key, motor] = value
        return None


class BoardStates:
    """The state of a board and its motors, from one start to the next.

    Args:
        step: Called when a motor has moved, as in `RunningSteps`.
        motors: Channels of its motors.
        lanes: Number of motors that it turns at once: 2 or 4.
        parts: Other parts that it drives; they outlive a restart.

    Attributes:
        state: The protocol state.
        fault: Why it stopped.
        flags: Other flags of STATUS.
        accepted: Steps accepted since its start.
        executed: Steps completed since its start.
        now_s: The time.
        parts: The parts that it drives besides the motors of the cube.
    """

    def __init__(self, step: Turned, motors: int, lanes: int, parts: MachineParts) -> None:
        self._step = step
        self._motors = motors
        self._lanes = lanes
        self.parts = parts

    def power_on(self, now_s: float) -> None:
        """Set everything to its state after power-on."""
        self.state = State.DISABLED
        self.fault = Fault.NONE
        self.flags = Flag.ALIGNMENT_UNKNOWN
        self.accepted = 0
        self.executed = 0
        self._cut = False
        self._settings = StoredSettings(self._motors)
        self._setting = self._settings.value
        self._steps = self.new_steps(now_s)
        self.now_s = now_s
        self._heard_s = now_s
        self._rest_since_s = now_s
        self._stall_at = 0
        self._dropping = 0
        self._wake_s = math.inf
        self._changed = True

    def new_steps(self, now_s: float) -> RunningSteps:
        """Return the steps that wait and run: none."""
        return RunningSteps(self.parts, self._step, self._setting, self._lanes, now_s)

    @property
    def turning(self) -> bool:
        """Whether something moves."""
        return self._steps.moving

    @property
    def motors_since_s(self) -> float | None:
        """Start time of the first motor that still turns; None if there is none."""
        return self._steps.motors_since_s

    @property
    def servos_on(self) -> int:
        """The servos that have pulses, one bit each."""
        return self._steps.servos.with_pulses

    @property
    def was_cut(self) -> bool:
        """Whether a stop cut a step short, as far as it is complete."""
        moving = self.state in (State.MOVING, State.STOPPING)
        return self._cut or (self._steps.cut and not moving)

    @property
    def places(self) -> int:
        """Free places in the queue."""
        waiting = sum(step.places for step in self._steps.waiting)
        return QUEUE_PLACES - waiting - self._dropping

    # Time.

    def advance(self, now_s: float) -> None:
        """Let time pass: moves end, others begin, silence is detected."""
        while (wake_s := self.next_wake_s()) <= now_s:
            self.now_s = max(self.now_s, wake_s)
            self._act()
        self.now_s = max(self.now_s, now_s)

    def next_wake_s(self) -> float:
        """Return the time of the next event without input, infinity for none.

        It is called far more often than the result changes.
        """
        if self._changed:
            self._wake_s, self._changed = self._earliest_s(), False
        return self._wake_s

    def _earliest_s(self) -> float:
        due_s = self._steps.next_wake_s(self.now_s)
        wakes = [] if due_s is None else [due_s]
        if self.state is State.MOVING and self._setting(Setting.HOST_TIMEOUT_MS):
            wakes.append(self._heard_s + self._setting(Setting.HOST_TIMEOUT_MS) * 1e-3)
        if self.state in (State.IDLE, State.ABORTED) and self._setting(Setting.IDLE_TIMEOUT_MS):
            wakes.append(self._rest_since_s + self._setting(Setting.IDLE_TIMEOUT_MS) * 1e-3)
        return min(wakes, default=math.inf)

    def hear(self, now_s: float) -> None:
        """Note a message from the host."""
        self._changed = True
        self._heard_s = now_s

    def _act(self) -> None:
        """Process the one event that is due now."""
        self._changed = True
        due_s = self._steps.next_wake_s(self.now_s)
        if due_s is not None and self.now_s >= due_s:
            self._settle(self._steps.act(self.now_s))
        elif self.state is State.MOVING:
            self.stop(Fault.HOST_SILENT)
        else:
            self._release_motors()

    def _settle(self, ended: RunningStep | None = None) -> None:
        """Count a step that has ended, and detect the end of all work."""
        counted = ended is not None and not ended.cut
        self.executed += counted
        if ended is not None and ended.cut and ended.step.is_plain:
            self._cut = True
        if ended is not None and counted and self.executed == self._stall_at:
            self._stall(ended.step.actions)
        elif self._steps.not_found and self.state is State.MOVING:
            self.stop(Fault.NOT_FOUND)
        elif self.state is State.STOPPING and not self.turning:
            self._leave(State.ABORTED, self.fault)
        elif self.state is State.MOVING and self._steps.idle:
            self._rest(State.IDLE)
            self.say_event(EventKind.QUEUE_EMPTY)
        if counted:
            self.say_ack()

    # Inputs.

    def press_estop(self) -> None:
        """Press the emergency stop: the drivers are off at once, wherever the faces are."""
        self._changed = True
        self._steps.halt(self.now_s)
        self.flags |= Flag.ESTOP_DOWN | Flag.ALIGNMENT_UNKNOWN
        if self.state is not State.ESTOP:
            self._leave(State.ESTOP, Fault.ESTOP)
            self.say_event(EventKind.ESTOP)

    def release_estop(self) -> None:
        """Release the emergency stop; the host must still clear it."""
        self.flags &= ~Flag.ESTOP_DOWN

    def stall_at(self, move: int) -> None:
        """Let a motor stall at the end of the move with this number since the start."""
        self._stall_at = move

    # Moves and stops.

    def take(self, step: Step) -> Reason | None:
        """Queue a step; return the reason if it is refused."""
        self._changed = True
        only_outputs = all(action.kind is ActionKind.OUTPUT for action in step.actions)
        at_once = only_outputs and self.state is State.DISABLED
        if self.state in _NO_STEPS_IN and not at_once:
            return _NO_STEPS_IN[self.state]
        if step.number != (self.accepted + 1) & 0xFFFF:
            return Reason.WRONG_NUMBER
        if not fits(step, self._motors, self.parts, stall=bool(self._setting(Setting.STALL_INPUT))):
            return Reason.OUT_OF_RANGE
        if self.places < step.places:
            return Reason.NO_CREDIT
        self.accepted += 1
        if at_once:
            for action in step.actions:
                self.parts.outputs[action.channel] = OutputMode(action.value)
            self.executed += 1
            return None
        self.state = State.MOVING
        self._steps.put(step, self.now_s)
        return None

    def enable(self, on: int) -> Reason | None:
        """Switch the motors' current on (1) or off (0); return the reason if it is refused."""
        self._changed = True
        if on > 1:
            return Reason.OUT_OF_RANGE
        if self.state in (State.MOVING, State.STOPPING):
            return None if on and self.state is State.MOVING else Reason.BUSY
        if not on:
            self._steps.release_servos(self.now_s)
            if self.state is not State.ESTOP:
                self._rest(State.DISABLED)
            self.flags |= Flag.ALIGNMENT_UNKNOWN
            return None
        if self.state is State.ESTOP:
            return Reason.ESTOP
        if self.state is State.ABORTED:
            return Reason.ABORTED
        if self.flags & Flag.ALIGNMENT_UNKNOWN or self.state is State.DISABLED:
            self._steps.count_from_here(self._motors)
        self.flags &= ~Flag.ALIGNMENT_UNKNOWN
        was_off = self.state is State.DISABLED
        self._steps.switch_on(self.now_s, was_off=was_off)
        if was_off:
            self._forget_stop()
        self._rest(State.IDLE)
        return None

    def clear(self) -> Reason | None:
        """Clear a stop; return the reason if it is refused."""
        self._changed = True
        if self.state in (State.MOVING, State.STOPPING):
            return Reason.BUSY
        if self.state is State.ESTOP:
            if self.flags & Flag.ESTOP_DOWN:
                return Reason.ESTOP
            self._rest(State.DISABLED)
        elif self.state is State.ABORTED:
            self._rest(State.IDLE)
        self._forget_stop()
        return None

    def _forget_stop(self) -> None:
        self.fault = Fault.NONE
        self._cut = False
        self._steps.forget_cut()

    def stop(self, fault: Fault) -> None:
        """Stop at the next detent and drop the queue."""
        self._changed = True
        stopping = self.state is State.STOPPING and self.fault is not Fault.HOST_ABORT
        hurried = stopping and fault is Fault.HOST_ABORT
        if self.state not in (State.IDLE, State.MOVING) and not hurried:
            return
        rests_since_s = self._rest_since_s if self.state is State.IDLE else None
        self.fault = fault
        self._dropping = QUEUE_PLACES - self.places  # free when the stop is complete
        self._steps.waiting.clear()
        self.state = State.STOPPING
        if fault is Fault.HOST_ABORT:
            self._steps.hurry(self.now_s)
        self._settle()
        if rests_since_s is not None:  # the motors were not needed for this
            self._rest_since_s = rests_since_s

    def _stall(self, turns: Sequence[Action]) -> None:
        self.flags |= Flag.ALIGNMENT_UNKNOWN
        known = len(turns) == 1 or self._setting(Setting.STALL_INPUT) == StallInput.EACH
        self.say_event(EventKind.STALL, turns[0].channel if known else NO_MOTOR)
        self._leave(State.ABORTED, Fault.STALL)

    def _leave(self, state: State, fault: Fault) -> None:
        """Stop because of a fault: dropped moves no longer count as accepted."""
        self.fault = fault
        self._steps.drop()
        self._dropping = 0
        self.accepted = self.executed
        self._rest(state)
        if state is State.ABORTED:
            self.say_event(EventKind.ABORTED, fault)

    def _rest(self, state: State) -> None:
        self.state = state
        self._rest_since_s = self.now_s

    def _release_motors(self) -> None:
        self._rest(State.DISABLED)
        self.flags |= Flag.ALIGNMENT_UNKNOWN
        self.say_event(EventKind.RELEASED)

    # Messages to the host.

    def say_event(self, kind: EventKind, arg: int = 0) -> None:
        """Send an EVENT."""

    def say_ack(self) -> None:
        """Send the counters."""
