"""The board's behaviour without a board: what the firmware does, without input or output.

Bytes and the time go in; bytes and turned motors come out. It takes every decision that
docs/protocol.md leaves to the board, so that host code meets the same refusals as on the bench.
"""

from collections.abc import Callable

from robot.motion import Trapezoid
from robot.move_queue import QUEUE_SIZE, Beside, MoveQueue, Turning
from robot.protocol import messages
from robot.protocol.frames import FrameDecoder, Packet, encode_frame
from robot.protocol.messages import (
    NO_MOTOR,
    PROTOCOL_VERSION,
    SPEC_BY_KIND,
    BoardKind,
    EventKind,
    Fault,
    Flag,
    MoveStep,
    Reason,
    ResetCause,
    StallInput,
    State,
)
from robot.protocol.schema import Message, Way
from robot.protocol.settings import SETTING_BY_KEY, SETTINGS, Setting

FIRMWARE_VERSION = (0, 1, 0)
_NO_MOVES_IN = {
    State.DISABLED: Reason.NOT_ENABLED,
    State.STOPPING: Reason.ABORTED,
    State.ABORTED: Reason.ABORTED,
    State.ESTOP: Reason.ESTOP,
}


class Board:
    """A board that drives whatever motors follow its pulses.

    Args:
        step: Called when a move is complete, with the channel, the steps, forward positive, and
            their timing.
        boot_id: What tells this start from others.
        motors: Channels that it drives.
        protocol: The version that it says it speaks.
    """

    def __init__(
        self,
        step: Callable[[int, int, Trapezoid, Beside | None], None],
        boot_id: int = 1,
        motors: int = messages.MAX_MOTORS,
        protocol: int = PROTOCOL_VERSION,
    ) -> None:
        self._step = step
        self._motors = motors
        self._protocol = protocol
        self._now_s = 0.0
        self._start(boot_id, ResetCause.POWER_ON)

    def _start(self, boot_id: int, cause: ResetCause) -> None:
        """Set everything to what it is after power-on."""
        self.state = State.DISABLED
        self.refusals: list[Reason] = []
        self.accepted = 0
        self.executed = 0
        self.boot_id = boot_id % 0x10000
        self._cause = cause
        self._fault = Fault.NONE
        self._flags = Flag.ALIGNMENT_UNKNOWN
        self._partial = (0, 0)
        self._next_seq = 0
        self._events = 0
        self._queue = MoveQueue(self._step, self._value)
        self._heard_s = self._now_s
        self._rest_since_s = self._now_s
        self._stall_at = 0
        self._settings = {
            (spec.key, motor): spec.default
            for spec in SETTINGS
            for motor in (range(self._motors) if spec.per_motor else (NO_MOTOR,))
        }
        self._decoder = FrameDecoder()
        self._output = bytearray()

    # What happens to the board.

    def receive(self, data: bytes, now_s: float) -> None:
        """Take bytes from the host."""
        self.advance(now_s)
        for received in self._decoder.feed(data):
            if isinstance(received, Packet):
                self._heard_s = now_s
                self._on_packet(received.seq, received.message)

    def output(self) -> bytes:
        """Take the bytes that go to the host."""
        data = bytes(self._output)
        self._output.clear()
        return data

    def advance(self, now_s: float) -> None:
        """Let time pass: moves end, others begin, silence is noticed."""
        while True:
            wake_s = self.next_wake_s()
            if wake_s is None or wake_s > now_s:
                break
            self._now_s = max(self._now_s, wake_s)
            self._act()
        self._now_s = max(self._now_s, now_s)

    def next_wake_s(self) -> float | None:
        """Return when something happens by itself, None when nothing will."""
        due_s = self._queue.next_wake_s()
        wakes = [] if due_s is None else [due_s]
        if self.state is State.MOVING and self._value(Setting.HOST_TIMEOUT_MS):
            wakes.append(self._heard_s + self._value(Setting.HOST_TIMEOUT_MS) * 1e-3)
        if self.state in (State.IDLE, State.ABORTED) and self._value(Setting.IDLE_TIMEOUT_MS):
            wakes.append(self._rest_since_s + self._value(Setting.IDLE_TIMEOUT_MS) * 1e-3)
        return min(wakes, default=None)

    def press_button(self) -> None:
        """Press the solve button."""
        self._say_event(EventKind.BUTTON)

    def press_estop(self) -> None:
        """Press the emergency stop: the drivers are off at once, wherever the faces stand."""
        self._queue.freeze()
        self._flags |= Flag.ESTOP_DOWN | Flag.ALIGNMENT_UNKNOWN
        self._leave(State.ESTOP, Fault.ESTOP)
        self._say_event(EventKind.ESTOP)

    def release_estop(self) -> None:
        """Pull the emergency stop out again; the host still has to clear it."""
        self._flags &= ~Flag.ESTOP_DOWN

    def stall_at(self, move: int) -> None:
        """Let a motor stall when the move with this number since the start ends."""
        self._stall_at = move

    def reset(self, boot_id: int, cause: ResetCause = ResetCause.RESET_PIN) -> None:
        """Restart the board; the faces stay wherever they are."""
        self._start(boot_id, cause)

    @property
    def turning(self) -> bool:
        """Whether a face is moving."""
        return self._queue.turning is not None

    # Motion.

    def _act(self) -> None:
        """Do the one thing that is due now."""
        now_s = self._now_s
        due_s = self._queue.next_wake_s()
        if due_s is not None and now_s >= due_s:
            ended = self._queue.act(now_s)
            if ended is not None:
                self._end_turn(ended)
        elif self.state is State.MOVING:
            self._stop(Fault.HOST_SILENT)
        else:
            self._release_motors()

    def _end_turn(self, ended: Turning) -> None:
        if ended.complete:
            self.executed += 1
        else:
            self._partial = ended.quarters
        if self._stall_at and self.executed == self._stall_at:
            self._flags |= Flag.ALIGNMENT_UNKNOWN
            known = len(ended.lanes) == 1 or self._value(Setting.STALL_INPUT) == StallInput.EACH
            self._say_event(EventKind.STALL, ended.lanes[0].channel if known else NO_MOTOR)
            self._leave(State.ABORTED, Fault.STALL)
        elif self._queue.turning is not None:
            pass  # one turn ended beside another
        elif self.state is State.STOPPING:
            self._leave(State.ABORTED, self._fault)
        elif self._queue.empty:
            self._rest(State.IDLE)
            self._say_event(EventKind.QUEUE_EMPTY)
        self._say_ack()

    def _stop(self, fault: Fault) -> None:
        """End at the next detent and drop what is queued."""
        if self.state not in (State.IDLE, State.MOVING):
            return
        self._fault = fault
        self._queue.drop()
        if not self.turning:
            self._leave(State.ABORTED, fault)
            return
        self.state = State.STOPPING
        if fault is Fault.HOST_ABORT:
            self._queue.stop_at_detent(self._now_s)

    def _leave(self, state: State, fault: Fault) -> None:
        """Come to rest outside of the normal work: dropped moves were never taken."""
        self._fault = fault
        self._queue.drop()
        self.accepted = self.executed
        self._rest(state)
        if state is State.ABORTED:
            self._say_event(EventKind.ABORTED, fault)

    def _rest(self, state: State) -> None:
        self.state = state
        self._rest_since_s = self._now_s

    def _release_motors(self) -> None:
        self._rest(State.DISABLED)
        self._flags |= Flag.ALIGNMENT_UNKNOWN
        self._say_event(EventKind.RELEASED)

    # Messages.

    def _on_packet(self, seq: int, message: Message) -> None:
        match message:
            case messages.Hello():
                self._say_hello(message.nonce)
            case messages.StatusRequest():
                self._say_status()
            case messages.Abort():
                self._stop(Fault.HOST_ABORT)
            case _ if SPEC_BY_KIND[type(message)].way is Way.SEQUENCED:
                self._on_sequenced(seq, message)

    def _on_sequenced(self, seq: int, message: Message) -> None:
        if seq != self._next_seq:
            self._say_ack()
            return
        reason = self._take(message)
        if reason is None:
            self._next_seq = (self._next_seq + 1) % 256
            self._say_ack()
        else:
            self.refusals.append(reason)
            self._say(messages.Nak(self._next_seq, SPEC_BY_KIND[type(message)].code, reason))

    def _take(self, message: Message) -> Reason | None:
        """Carry a message out; the reason when it is refused."""
        match message:
            case MoveStep():
                return self._take_move(message)
            case messages.Set():
                return self._take_set(message)
            case messages.Get():
                return self._take_get(message)
            case messages.Enable():
                return self._take_enable(bool(message.on))
            case messages.Clear():
                return self._take_clear()
        return Reason.UNKNOWN_TYPE

    def _take_move(self, move: MoveStep) -> Reason | None:
        if self.state in _NO_MOVES_IN:
            return _NO_MOVES_IN[self.state]
        if move.number != (self.accepted + 1) & 0xFFFF:
            return Reason.WRONG_NUMBER
        if not self._turnable(move):
            return Reason.OUT_OF_RANGE
        if not self._queue.places:
            return Reason.NO_CREDIT
        self._queue.put(move, self._now_s)
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

    def _check_setting(self, key: int, motor: int) -> Reason | None:
        if key not in SETTING_BY_KEY:
            return Reason.UNKNOWN_KEY
        return None if (Setting(key), motor) in self._settings else Reason.OUT_OF_RANGE

    def _take_set(self, message: messages.Set) -> Reason | None:
        if self.state in (State.MOVING, State.STOPPING):
            return Reason.BUSY
        reason = self._check_setting(message.key, message.motor)
        if reason is None:
            key = Setting(message.key)
            if not SETTING_BY_KEY[key].allows(message.value):
                return Reason.OUT_OF_RANGE
            self._settings[key, message.motor] = message.value
        return reason

    def _take_get(self, message: messages.Get) -> Reason | None:
        reason = self._check_setting(message.key, message.motor)
        if reason is None:
            value = self._value(Setting(message.key), message.motor)
            self._say(messages.Value(message.key, message.motor, value))
        return reason

    def _take_enable(self, on: bool) -> Reason | None:
        if self.state in (State.MOVING, State.STOPPING):
            return None if on and self.state is State.MOVING else Reason.BUSY
        if not on:
            if self.state is not State.ESTOP:
                self._rest(State.DISABLED)
            self._flags |= Flag.ALIGNMENT_UNKNOWN
            return None
        if self.state is State.ESTOP:
            return Reason.ESTOP
        if self.state is State.ABORTED:
            return Reason.ABORTED
        self._flags &= ~Flag.ALIGNMENT_UNKNOWN
        self._rest(State.IDLE)
        return None

    def _take_clear(self) -> Reason | None:
        if self.state in (State.MOVING, State.STOPPING):
            return Reason.BUSY
        if self.state is State.ESTOP:
            if self._flags & Flag.ESTOP_DOWN:
                return Reason.ESTOP
            self._rest(State.DISABLED)
        elif self.state is State.ABORTED:
            self._rest(State.IDLE)
        self._fault = Fault.NONE
        self._partial = (0, 0)
        return None

    # Speaking.

    def _value(self, key: Setting, motor: int = NO_MOTOR) -> int:
        return self._settings[key, motor]

    def _credits(self) -> int:
        return self._queue.places

    def _say(self, message: Message) -> None:
        self._output += encode_frame(message, self._events)
        self._events = (self._events + 1) % 256

    def _say_ack(self) -> None:
        self._say(messages.Ack(self._next_seq, self._credits(), self.accepted, self.executed))

    def _say_event(self, kind: EventKind, arg: int = 0) -> None:
        self._say(messages.Event(kind, arg, self.executed))

    def _say_status(self) -> None:
        self._say(
            messages.Status(
                state=self.state,
                flags=int(self._flags),
                credits=self._credits(),
                accepted=self.accepted,
                executed=self.executed,
                next_seq=self._next_seq,
                fault=self._fault,
                partial_a=self._partial[0],
                partial_b=self._partial[1],
            )
        )

    def _say_hello(self, nonce: int) -> None:
        self._say(
            messages.HelloReply(
                nonce=nonce,
                protocol=self._protocol,
                firmware_major=FIRMWARE_VERSION[0],
                firmware_minor=FIRMWARE_VERSION[1],
                firmware_patch=FIRMWARE_VERSION[2],
                board=BoardKind.VIRTUAL,
                boot_id=self.boot_id,
                reset_cause=self._cause,
                state=self.state,
                next_seq=self._next_seq,
                credits=self._credits(),
                accepted=self.accepted,
                executed=self.executed,
                motors=self._motors,
                queue_size=QUEUE_SIZE,
            )
        )
