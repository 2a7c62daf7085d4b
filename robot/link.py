"""The host's end of the protocol as a state machine without input or output.

Bytes and the time go in, events and bytes come out; whoever owns a port carries them. The design
follows h11: transitions are a table, events are frozen values, and two peers can be joined in
memory. Resending is go-back-N: the board takes messages in order only, acknowledges the count,
and the link sends everything again from there. docs/protocol.md draws the states.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from robot import link_events as events
from robot.link_events import LinkEvent
from robot.protocol import messages
from robot.protocol.frames import (
    ABORT_FRAME,
    STATUS_REQUEST_FRAME,
    ForeignHello,
    FrameDecoder,
    Garbage,
    Packet,
    encode_frame,
)
from robot.protocol.messages import PROTOCOL_VERSION, SPEC_BY_KIND, WINDOW, MoveStep, Reason, State
from robot.protocol.schema import Message, Way

HELLO_INTERVAL_S = 0.2
RESEND_AFTER_S = 0.05
LONGEST_RESEND_S = 0.4
POLL_INTERVAL_S = 0.1
"""While the board works it is asked for its status, in case its last word was lost."""
SILENCE_S = 1.0
"""Nothing intact for so long, though asked again and again: the connection is lost."""
SEQUENCE_NUMBERS = 256
_STOPPED = (State.DISABLED, State.ABORTED, State.ESTOP)
_NOT_NOW = (Reason.NOT_ENABLED, Reason.ABORTED, Reason.ESTOP)


class LinkState(Enum):
    """Where a connection stands."""

    CLOSED = auto()
    GREETING = auto()
    READY = auto()
    LOST = auto()
    RESTARTED = auto()
    FOREIGN = auto()


class Signal(Enum):
    """What can happen to a connection."""

    OPEN = auto()
    REPLY = auto()
    REPLY_AFTER_RESTART = auto()
    REPLY_OF_OTHER_VERSION = auto()
    NO_REPLY = auto()
    DOUBT = auto()
    SILENCE = auto()
    HANG_UP = auto()


TRANSITIONS = {
    (LinkState.CLOSED, Signal.OPEN): LinkState.GREETING,
    (LinkState.GREETING, Signal.OPEN): LinkState.GREETING,
    (LinkState.GREETING, Signal.REPLY): LinkState.READY,
    (LinkState.GREETING, Signal.REPLY_AFTER_RESTART): LinkState.RESTARTED,
    (LinkState.GREETING, Signal.REPLY_OF_OTHER_VERSION): LinkState.FOREIGN,
    (LinkState.GREETING, Signal.NO_REPLY): LinkState.LOST,
    (LinkState.GREETING, Signal.HANG_UP): LinkState.LOST,
    (LinkState.READY, Signal.OPEN): LinkState.GREETING,
    (LinkState.READY, Signal.DOUBT): LinkState.GREETING,
    (LinkState.READY, Signal.SILENCE): LinkState.LOST,
    (LinkState.READY, Signal.HANG_UP): LinkState.LOST,
    (LinkState.LOST, Signal.OPEN): LinkState.GREETING,
    (LinkState.LOST, Signal.HANG_UP): LinkState.LOST,
    (LinkState.RESTARTED, Signal.OPEN): LinkState.GREETING,
    (LinkState.RESTARTED, Signal.HANG_UP): LinkState.LOST,
    (LinkState.FOREIGN, Signal.OPEN): LinkState.GREETING,
    (LinkState.FOREIGN, Signal.HANG_UP): LinkState.LOST,
}


class LinkMisuseError(RuntimeError):
    """The link's user did what its state does not allow: a bug, not a condition of the rig."""


@dataclass(frozen=True, slots=True)
class _Position:
    """The counts that ACK, STATUS and HELLO_REPLY share."""

    next_seq: int
    credits: int
    accepted: int
    executed: int

    @classmethod
    def of(cls, message: messages.Ack | messages.Status | messages.HelloReply) -> "_Position":
        return cls(message.next_seq, message.credits, message.accepted, message.executed)


class Link:
    """One connection to one board, from the greeting on.

    Attributes:
        state: Where the connection stands.
        accepted: Moves that the board took since its start, as far as known.
        executed: Moves that it turned completely, as far as known.
        board: What the board last said of itself, None before the first greeting.
    """

    def __init__(self) -> None:
        self.state = LinkState.CLOSED
        self.accepted = 0
        self.executed = 0
        self.board: messages.HelloReply | None = None
        self._credits = 0
        self._base_seq = 0
        self._waiting: deque[Message] = deque()
        self._flying: deque[Message] = deque()
        self._output = bytearray()
        self._decoder = FrameDecoder()
        self._nonce = 0
        self._deadline_s = 0.0
        self._hello_at_s = 0.0
        self._sent_s = 0.0
        self._resend_s = RESEND_AFTER_S
        self._poll_at_s = 0.0
        self._heard_s = 0.0
        self._heard_noise = False
        self._resync = False

    # What the user does.

    def open(self, now_s: float, timeout_s: float, nonce: int) -> None:
        """Begin to greet the board.

        Args:
            now_s: The time.
            timeout_s: How long to go on greeting.
            nonce: A number that was not used lately, 0..65535.
        """
        self._decoder = FrameDecoder()
        self._greet(now_s, timeout_s, nonce, Signal.OPEN)

    def send(self, message: Message) -> None:
        """Queue a sequenced message; moves get their number when they are sent.

        Raises:
            LinkMisuseError: The message is not a sequenced one.
        """
        if SPEC_BY_KIND[type(message)].way is not Way.SEQUENCED:
            raise LinkMisuseError(f"{type(message).__name__} is not sent in sequence")
        self._waiting.append(message)

    def request_status(self) -> None:
        """Ask for STATUS, out of sequence."""
        self._output += STATUS_REQUEST_FRAME

    def abort(self) -> None:
        """Tell the board to stop at the next detent, out of sequence, and send nothing more."""
        self._drop_moves()
        self._output += ABORT_FRAME

    def hang_up(self) -> None:
        """Take note that the port is gone; what was sent without an answer is kept."""
        if self.state is not LinkState.CLOSED:
            self._move_on(Signal.HANG_UP)
        self._output.clear()

    @property
    def settled(self) -> bool:
        """Whether the board took every message that was queued."""
        return not self._waiting and not self._flying

    @property
    def working(self) -> bool:
        """Whether messages are on the way, or moves that the board has not turned yet."""
        return not self.settled or self.executed < self.accepted

    def bytes_to_send(self, now_s: float) -> bytes:
        """Take the bytes that go to the board now."""
        if self.state is LinkState.READY:
            self._send_waiting(now_s)
        data = bytes(self._output)
        self._output.clear()
        return data

    def next_wake_s(self) -> float | None:
        """Return when `pass_time` has something to do, None when never."""
        if self.state is LinkState.GREETING:
            return min(self._deadline_s, self._hello_at_s)
        if self.state is not LinkState.READY or not self.working:
            return None
        wakes = [self._poll_at_s, self._heard_s + SILENCE_S]
        if self._flying and not self._resync:
            wakes.append(self._sent_s + self._resend_s)
        return min(wakes)

    # What happens to the link.

    def receive(self, data: bytes, now_s: float) -> list[LinkEvent]:
        """Take bytes from the board."""
        found: list[LinkEvent] = []
        for received in self._decoder.feed(data):
            match received:
                case Garbage():
                    self._heard_noise = True
                case ForeignHello(version):
                    if self.state is LinkState.GREETING:
                        self._move_on(Signal.REPLY_OF_OTHER_VERSION)
                        found.append(events.OtherVersion(version))
                case Packet(_, message):
                    found += self._on_message(message, now_s)
        if self._decoder.pending:
            self._heard_noise = True
        return found

    def pass_time(self, now_s: float) -> list[LinkEvent]:
        """Do what is due: greet again, send again, ask for the status, give up."""
        if self.state is LinkState.GREETING:
            return self._pass_greeting(now_s)
        if self.state is not LinkState.READY:
            return []
        if not self.working:
            self._heard_s = now_s
            self._poll_at_s = now_s + POLL_INTERVAL_S
            return []
        if now_s >= self._heard_s + SILENCE_S:
            return [self._give_up(Signal.SILENCE)]
        if self._flying and not self._resync and now_s >= self._sent_s + self._resend_s:
            self._resend_s = min(2 * self._resend_s, LONGEST_RESEND_S)
            self._send_again(now_s)
        if now_s >= self._poll_at_s:
            self._poll_at_s = now_s + POLL_INTERVAL_S
            self.request_status()
        return []

    # Greeting.

    def _greet(self, now_s: float, timeout_s: float, nonce: int, signal: Signal) -> None:
        self._move_on(signal)
        self._output.clear()
        self._nonce = nonce % 0x10000
        self._deadline_s = now_s + timeout_s
        self._hello_at_s = now_s + HELLO_INTERVAL_S
        self._heard_noise = False
        self._output += encode_frame(messages.Hello(PROTOCOL_VERSION, self._nonce))

    def _pass_greeting(self, now_s: float) -> list[LinkEvent]:
        if now_s >= self._deadline_s:
            return [self._give_up(Signal.NO_REPLY)]
        if now_s >= self._hello_at_s:
            self._hello_at_s = now_s + HELLO_INTERVAL_S
            self._output += encode_frame(messages.Hello(PROTOCOL_VERSION, self._nonce))
        return []

    def _give_up(self, signal: Signal) -> LinkEvent:
        self._move_on(signal)
        self._output.clear()
        heard = events.Silence.NOISE if self._heard_noise else events.Silence.NOTHING
        return events.NotAnswered(heard)

    def _on_reply(self, reply: messages.HelloReply, now_s: float) -> list[LinkEvent]:
        before, self.board = self.board, reply
        if before is not None and before.boot_id != reply.boot_id:
            self._move_on(Signal.REPLY_AFTER_RESTART)
            self._waiting.clear()
            self._flying.clear()
            self._adopt(_Position.of(reply))
            return [events.BoardRestarted(reply)]
        self._move_on(Signal.REPLY)
        self._heard_s = now_s
        self._resend_s = RESEND_AFTER_S
        self._poll_at_s = now_s + POLL_INTERVAL_S
        connected = events.Connected(reply, resumed=before is not None)
        if not self.working or before is None:
            self._adopt(_Position.of(reply))
            return [connected]
        if reply.state in (State.STOPPING, *_STOPPED):
            # The counts may have gone back with the dropped moves: STATUS tells why and how far.
            self._resync = True
            self.request_status()
            return [connected]
        progress = self._advance(_Position.of(reply), now_s)
        if progress is None:
            return [connected, self._desynchronised(_Position.of(reply))]
        self._send_again(now_s)
        return [connected, *progress]

    # Messages of a connected board.

    def _on_message(self, message: Message, now_s: float) -> list[LinkEvent]:
        if self.state is LinkState.GREETING:
            if isinstance(message, messages.HelloReply) and message.nonce == self._nonce:
                return self._on_reply(message, now_s)
            return []
        if self.state is not LinkState.READY:
            return []
        self._heard_s = now_s
        match message:
            case messages.Ack():
                return list(self._on_position(_Position.of(message), now_s))
            case messages.Status():
                return list(self._on_status(message, now_s))
            case messages.Nak():
                return list(self._on_refusal(message, now_s))
            case messages.Value():
                return [events.SettingRead(message)]
            case messages.Event():
                self.request_status()
                return [events.BoardSaid(message)]
        return []

    def _on_status(self, status: messages.Status, now_s: float) -> Iterator[LinkEvent]:
        yield events.Reported(status)
        moves_pending = self.executed < self.accepted or self._has_moves()
        if status.state in _STOPPED and moves_pending:
            before = self.executed
            self._waiting.clear()
            self._flying.clear()
            self._resync = False
            self._adopt(_Position.of(status))
            if self.executed > before:
                yield events.Progress(self.accepted, self.executed)
            yield events.Stopped(status)
        elif not self._resync:
            yield from self._on_position(_Position.of(status), now_s)
        elif status.state is not State.STOPPING:
            self._resync = False
            yield from self._on_position(_Position.of(status), now_s)

    def _on_position(self, position: _Position, now_s: float) -> Iterator[LinkEvent]:
        if self._resync:
            return
        progress = self._advance(position, now_s)
        if progress is None:
            # Counts that went back: an abort dropped moves, or the board restarted. Ask who it is.
            self._greet(now_s, SILENCE_S, self._nonce + 1, Signal.DOUBT)
            return
        yield from progress

    def _on_refusal(self, nak: messages.Nak, now_s: float) -> Iterator[LinkEvent]:
        if not self._flying or nak.next_seq != self._base_seq or self._resync:
            return
        message = self._flying[0]
        if nak.refused != SPEC_BY_KIND[type(message)].code or nak.reason is Reason.NO_CREDIT:
            return
        if isinstance(message, MoveStep) and nak.reason in _NOT_NOW:
            self.request_status()
            return
        if nak.reason is Reason.WRONG_NUMBER:
            self._greet(now_s, SILENCE_S, self._nonce + 1, Signal.DOUBT)
            return
        self._waiting.clear()
        self._flying.clear()
        yield events.Refused(message, nak.reason)

    # Counting.

    def _advance(self, position: _Position, now_s: float) -> list[LinkEvent] | None:
        """Take over counts that continue the known ones; None when they do not."""
        taken = (position.next_seq - self._base_seq) % SEQUENCE_NUMBERS
        if taken > len(self._flying) or position.executed < self.executed:
            return None
        moves = sum(isinstance(self._flying[i], MoveStep) for i in range(taken))
        if position.accepted != self.accepted + moves or position.executed > position.accepted:
            return None
        for _ in range(taken):
            self._flying.popleft()
        if taken:
            self._resend_s = RESEND_AFTER_S
            self._sent_s = now_s
        changed = (position.accepted, position.executed) != (self.accepted, self.executed)
        self._adopt(position)
        return [events.Progress(self.accepted, self.executed)] if changed else []

    def _adopt(self, position: _Position) -> None:
        self._base_seq = position.next_seq
        self._credits = position.credits
        self.accepted = position.accepted
        self.executed = position.executed

    def _desynchronised(self, position: _Position) -> LinkEvent:
        text = (
            f"the board took {position.accepted} moves and turned {position.executed}, "
            f"this program knows of {self.accepted} and {self.executed}"
        )
        self._waiting.clear()
        self._flying.clear()
        self._adopt(position)
        return events.Desynchronised(text)

    # Sending.

    def _send_waiting(self, now_s: float) -> None:
        """Send what the window and the board's free places allow."""
        if not self._flying and self.executed >= self.accepted:
            # The board was at rest and had no reason to speak.
            self._heard_s = now_s
            self._poll_at_s = now_s + POLL_INTERVAL_S
        moves = sum(isinstance(message, MoveStep) for message in self._flying)
        while self._waiting and len(self._flying) < WINDOW and not self._resync:
            message = self._waiting[0]
            if isinstance(message, MoveStep):
                if moves >= self._credits:
                    return
                moves += 1
                message = replace(message, number=(self.accepted + moves) & 0xFFFF)
            if not self._flying:
                self._sent_s = now_s
            self._waiting.popleft()
            self._flying.append(message)
            self._emit(len(self._flying) - 1)

    def _send_again(self, now_s: float) -> None:
        self._sent_s = now_s
        for place in range(len(self._flying)):
            self._emit(place)

    def _emit(self, place: int) -> None:
        seq = (self._base_seq + place) % SEQUENCE_NUMBERS
        self._output += encode_frame(self._flying[place], seq)

    def _has_moves(self) -> bool:
        return any(isinstance(message, MoveStep) for message in (*self._flying, *self._waiting))

    def _drop_moves(self) -> None:
        """Forget moves that were not sent; those under way are the board's to refuse."""
        self._waiting = deque(item for item in self._waiting if not isinstance(item, MoveStep))

    def _move_on(self, signal: Signal) -> None:
        try:
            self.state = TRANSITIONS[self.state, signal]
        except KeyError:
            raise LinkMisuseError(f"{signal.name} makes no sense while {self.state.name}") from None
