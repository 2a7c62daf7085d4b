"""The board's states: which moves it takes, how it stops, and when it rests.

Moves, inputs and the time go in; what happens comes out as events. docs/protocol.md draws the
states.
"""

from collections.abc import Callable

from robot.protocol.messages import (
    NO_MOTOR,
    EventKind,
    Fault,
    Flag,
    MoveStep,
    Reason,
    StallInput,
    State,
)
from robot.protocol.settings import Setting
from robot.rigs.motion import Trapezoid
from robot.virtual.move_queue import MoveQueue, Turning
from robot.virtual.stored_settings import StoredSettings

Step = Callable[[int, int, Trapezoid, float], None]
_NO_MOVES_IN = {
    State.DISABLED: Reason.NOT_ENABLED,
    State.STOPPING: Reason.ABORTED,
    State.ABORTED: Reason.ABORTED,
    State.ESTOP: Reason.ESTOP,
}


class BoardStates:
    """What a board does with its motors, from one start to the next, and what it keeps of itself.

    Args:
        step: Called when a move is complete, as of `MoveQueue`.
        motors: Channels that it drives.
        now_s: The time of the start.
        lanes: Motors that it turns at once.
        hasty: Cut a half turn short when the host falls silent, as older firmware does.

    Attributes:
        state: What it is doing.
        fault: Why it stopped.
        flags: What STATUS says besides.
        partial: Quarter turns of the move that a stop cut short.
        accepted: Moves that it took since its start.
        executed: Moves that it turned completely since its start.
        now_s: The time.
    """

    def __init__(
        self, step: Step, motors: int, now_s: float, lanes: int = 2, *, hasty: bool = False
    ) -> None:
        self.state = State.DISABLED
        self.fault = Fault.NONE
        self.flags = Flag.ALIGNMENT_UNKNOWN
        self.partial = (0, 0)
        self.accepted = 0
        self.executed = 0
        self._motors = motors
        self._hasty = hasty
        self._settings = StoredSettings(motors)
        self._setting = self._settings.value
        self._queue = MoveQueue(step, self._setting, lanes)
        self.now_s = now_s
        self._heard_s = now_s
        self._rest_since_s = now_s
        self._stall_at = 0

    @property
    def turning(self) -> bool:
        """Whether a face is moving."""
        return self._queue.turning is not None

    @property
    def places(self) -> int:
        """Free places in the move queue."""
        return self._queue.places

    # Time.

    def advance(self, now_s: float) -> None:
        """Let time pass: moves end, others begin, silence is noticed."""
        while True:
            wake_s = self.next_wake_s()
            if wake_s is None or wake_s > now_s:
                break
            self.now_s = max(self.now_s, wake_s)
            self._act()
        self.now_s = max(self.now_s, now_s)

    def next_wake_s(self) -> float | None:
        """Return when something happens by itself, None when nothing will."""
        due_s = self._queue.next_wake_s()
        wakes = [] if due_s is None else [due_s]
        if self.state is State.MOVING and self._setting(Setting.HOST_TIMEOUT_MS):
            wakes.append(self._heard_s + self._setting(Setting.HOST_TIMEOUT_MS) * 1e-3)
        if self.state in (State.IDLE, State.ABORTED) and self._setting(Setting.IDLE_TIMEOUT_MS):
            wakes.append(self._rest_since_s + self._setting(Setting.IDLE_TIMEOUT_MS) * 1e-3)
        return min(wakes, default=None)

    def hear(self, now_s: float) -> None:
        """Take note that the host spoke."""
        self._heard_s = now_s

    def _act(self) -> None:
        """Do the one thing that is due now."""
        now_s = self.now_s
        due_s = self._queue.next_wake_s()
        if due_s is not None and now_s >= due_s:
            ended = self._queue.act(now_s)
            if ended is not None:
                self._end_turn(ended)
        elif self.state is State.MOVING:
            self.stop(Fault.HOST_SILENT)
        else:
            self._release_motors()

    # Inputs.

    def press_estop(self) -> None:
        """Press the emergency stop: the drivers are off at once, wherever the faces stand."""
        self._queue.freeze()
        self.flags |= Flag.ESTOP_DOWN | Flag.ALIGNMENT_UNKNOWN
        self._leave(State.ESTOP, Fault.ESTOP)
        self.say_event(EventKind.ESTOP)

    def release_estop(self) -> None:
        """Pull the emergency stop out again; the host still has to clear it."""
        self.flags &= ~Flag.ESTOP_DOWN

    def stall_at(self, move: int) -> None:
        """Let a motor stall when the move with this number since the start ends."""
        self._stall_at = move

    # Moves and stops.

    def take(self, move: MoveStep) -> Reason | None:
        """Queue a move; the reason when it is refused."""
        if self.state in _NO_MOVES_IN:
            return _NO_MOVES_IN[self.state]
        if move.number != (self.accepted + 1) & 0xFFFF:
            return Reason.WRONG_NUMBER
        if not self._turnable(move):
            return Reason.OUT_OF_RANGE
        if not self._queue.places:
            return Reason.NO_CREDIT
        self._queue.put(move, self.now_s)
        self.accepted += 1
        self.state = State.MOVING
        return None

    def _turnable(self, move: MoveStep) -> bool:
        turns = (-2, -1, 1, 2)
        if move.motor_a >= self._motors or move.quarters_a not in turns:
            return False
        if move.motor_b == NO_MOTOR:
            return move.quarters_b == 0
        other = move.motor_b < self._motors and move.motor_b != move.motor_a
        return other and move.quarters_b in turns

    def enable(self, on: bool) -> Reason | None:
        """Switch the motors' current on or off; the reason when it is refused."""
        if self.state in (State.MOVING, State.STOPPING):
            return None if on and self.state is State.MOVING else Reason.BUSY
        if not on:
            if self.state is not State.ESTOP:
                self._rest(State.DISABLED)
            self.flags |= Flag.ALIGNMENT_UNKNOWN
            return None
        if self.state is State.ESTOP:
            return Reason.ESTOP
        if self.state is State.ABORTED:
            return Reason.ABORTED
        self.flags &= ~Flag.ALIGNMENT_UNKNOWN
        if self.state is State.DISABLED:
            self._forget_stop()
        self._rest(State.IDLE)
        return None

    def clear(self) -> Reason | None:
        """Forget a stop; the reason when it is refused."""
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
        self.partial = (0, 0)

    def stop(self, fault: Fault) -> None:
        """End at the next detent and drop what is queued."""
        silent = self.state is State.STOPPING and self.fault is Fault.HOST_SILENT
        hurried = silent and fault is Fault.HOST_ABORT
        if self.state not in (State.IDLE, State.MOVING) and not hurried:
            return
        self.fault = fault
        self._queue.drop()
        if not self.turning:
            self._leave(State.ABORTED, fault)
            return
        self.state = State.STOPPING
        if fault is Fault.HOST_ABORT or self._hasty:
            self._queue.stop_at_detent(self.now_s)

    def _end_turn(self, ended: Turning) -> None:
        if ended.complete:
            self.executed += 1
        else:
            self.partial = ended.quarters
        if self._stall_at and self.executed == self._stall_at:
            self.flags |= Flag.ALIGNMENT_UNKNOWN
            known = len(ended.lanes) == 1 or self._setting(Setting.STALL_INPUT) == StallInput.EACH
            self.say_event(EventKind.STALL, ended.lanes[0].channel if known else NO_MOTOR)
            self._leave(State.ABORTED, Fault.STALL)
        elif self._queue.turning is not None:
            pass  # one turn ended beside another
        elif self.state is State.STOPPING:
            self._leave(State.ABORTED, self.fault)
        elif self._queue.empty:
            self._rest(State.IDLE)
            self.say_event(EventKind.QUEUE_EMPTY)
        self.say_ack()

    def _leave(self, state: State, fault: Fault) -> None:
        """Come to rest outside of the normal work: dropped moves were never taken."""
        self.fault = fault
        self._queue.drop()
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

    # What the host is told.

    def say_event(self, kind: EventKind, arg: int = 0) -> None:
        """Something happened by itself."""

    def say_ack(self) -> None:
        """The counts changed."""
