"""The host's end of the protocol as a state machine without input or output.

Bytes and the time go in, events and bytes come out; the owner of the port transfers them. The
design follows h11: transitions are a table, events are frozen values, and two peers can be
connected in memory. The board accepts messages only in order and acknowledges their count; after a
silence the link sends everything again from there. docs/protocol.md draws the states.
"""

from collections.abc import Iterator

from robot.link import events
from robot.link.events import LinkEvent
from robot.link.send_window import Position, SendWindow
from robot.link.timers import SILENCE_S, LinkTimers
from robot.protocol import messages
from robot.protocol.frames import (
    STATUS_REQUEST_FRAME,
    ForeignHello,
    FrameDecoder,
    Garbage,
    Packet,
    encode_frame,
)
from robot.protocol.link_states import LinkMisuseError, LinkState, Signal, next_state
from robot.protocol.messages import PROTOCOL_VERSION, SPEC_BY_KIND, Hello, Reason, State, Step
from robot.protocol.schema import Delivery, Message

HELLO_INTERVAL_S = 0.2


class Greeting:
    """One greeting: HELLO with a nonce, repeated until the deadline.

    Attributes:
        nonce: The number that the board must repeat, so that an old answer is not mistaken for this
            one.
        deadline_s: When to give up.
    """

    def __init__(self) -> None:
        self.nonce = 0
        self.deadline_s = 0.0
        self._again_at_s = 0.0

    def begin(self, now_s: float, timeout_s: float, nonce: int) -> bytes:
        """Return the first HELLO of a new greeting."""
        self.nonce = nonce % 0x10000
        self.deadline_s = now_s + timeout_s
        self._again_at_s = now_s
        return self.frame_due(now_s)

    def frame_due(self, now_s: float) -> bytes:
        """Return another HELLO if it is time for one."""
        if now_s < self._again_at_s:
            return b""
        self._again_at_s = now_s + HELLO_INTERVAL_S
        return encode_frame(Hello(PROTOCOL_VERSION, self.nonce))

    def next_wake_s(self) -> float:
        """Return the time of the next HELLO or of the deadline."""
        return min(self.deadline_s, self._again_at_s)


_STOPPED = (State.DISABLED, State.ABORTED, State.ESTOP)
_NOT_NOW = (Reason.NOT_ENABLED, Reason.ABORTED, Reason.ESTOP)


class Link:
    """One connection to one board, from the greeting on.

    Args:
        board: The earlier link's last description of the board, to detect a restart.

    Attributes:
        state: The state of the connection.
        board: The board's last description of itself, None before the first greeting.
    """

    def __init__(self, board: messages.HelloReply | None = None) -> None:
        self.state = LinkState.CLOSED
        self.board = board
        self._window = SendWindow()
        self._timers = LinkTimers()
        self._output = bytearray()
        self._decoder = FrameDecoder()
        self._greeting = Greeting()
        self._heard_noise = False
        self._asking_why = False
        """The board has stopped; nothing is sent until STATUS gives the reason."""

    # Calls of the user.

    def open(self, now_s: float, timeout_s: float, nonce: int) -> None:
        """Begin to greet the board; unanswered messages are kept.

        Args:
            now_s: The time.
            timeout_s: How long to repeat the greeting.
            nonce: A number that was not used lately, 0..65535.
        """
        self._decoder = FrameDecoder()
        self._greet(now_s, timeout_s, nonce, Signal.OPEN)

    def send(self, message: Message) -> None:
        """Queue a sequenced message; steps are numbered when they are sent.

        Raises:
            LinkMisuseError: The message is not a sequenced one.
        """
        if SPEC_BY_KIND[type(message)].way is not Delivery.SEQUENCED:
            raise LinkMisuseError(f"{type(message).__name__} is not sent in sequence")
        self._window.put(message)

    def forget(self) -> None:
        """Drop every message that the board has not accepted."""
        self._window.clear()

    def request_status(self) -> None:
        """Ask for STATUS, out of sequence."""
        self._output += STATUS_REQUEST_FRAME

    def hang_up(self) -> None:
        """Note that the port is gone; unanswered messages are kept."""
        self.state = next_state(self.state, Signal.HANG_UP)
        self._output.clear()

    @property
    def position(self) -> Position:
        """The board's counters, as far as known."""
        return self._window.position

    @property
    def settled(self) -> bool:
        """Whether the board accepted every message that was queued."""
        return self._window.empty

    @property
    def working(self) -> bool:
        """Whether messages are in flight, or moves that the board has not finished yet."""
        return not self._window.empty or self._turning

    def bytes_to_send(self, now_s: float) -> bytes:
        """Return the bytes to send to the board now."""
        if self.state is LinkState.READY and not self._asking_why:
            at_rest = self._window.oldest is None
            if at_rest and not self._turning:
                self._timers.rest(now_s)
            frames = self._window.frames_to_send()
            if frames and at_rest:
                self._timers.send(now_s)
            self._output += frames
        data = bytes(self._output)
        self._output.clear()
        return data

    def next_wake_s(self) -> float | None:
        """Return when `pass_time` must be called next, None for never."""
        if self.state is LinkState.GREETING:
            return self._greeting.next_wake_s()
        if self.state is not LinkState.READY or not self.working:
            return None
        return self._timers.next_wake_s(flying=self._flying)

    # Events of the link.

    def receive(self, data: bytes, now_s: float) -> list[LinkEvent]:
        """Process bytes from the board."""
        found: list[LinkEvent] = []
        for received in self._decoder.feed(data):
            match received:
                case Garbage():
                    self._heard_noise = True
                case ForeignHello() if self.state is LinkState.GREETING:
                    self.state = next_state(self.state, Signal.REPLY_OF_OTHER_VERSION)
                    found.append(received)
                case Packet(_, messages.HelloReply() as reply):
                    if self.state is LinkState.GREETING and reply.nonce == self._greeting.nonce:
                        found += self._on_reply(reply, now_s)
                case Packet(_, message) if self.state is LinkState.READY:
                    self._timers.hear(now_s)
                    found += self._on_message(message, now_s)
        if self._decoder.pending:
            self._heard_noise = True
        return found

    def pass_time(self, now_s: float) -> list[LinkEvent]:
        """Do what is due at this time: greet again, resend, ask for the status, or give up."""
        if self.state is LinkState.GREETING:
            if now_s >= self._greeting.deadline_s:
                return [self._give_up(Signal.NO_REPLY)]
            self._output += self._greeting.frame_due(now_s)
        if self.state is not LinkState.READY or not self.working:
            return []
        if self._timers.silent(now_s):
            return [self._give_up(Signal.SILENCE)]
        if self._flying and self._timers.take_resend(now_s):
            self._send_again(now_s)
        if self._timers.take_poll(now_s):
            self.request_status()
        return []

    # Greeting.

    def _greet(self, now_s: float, timeout_s: float, nonce: int, signal: Signal) -> None:
        self.state = next_state(self.state, signal)
        self._output[:] = self._greeting.begin(now_s, timeout_s, nonce)
        self._heard_noise = False
        self._asking_why = False

    def _doubt(self, now_s: float) -> None:
        """Ask the board for its identity: its counters do not continue ours.

        An abort dropped moves, or it restarted, or another program talked to it.
        """
        self._greet(now_s, SILENCE_S, self._greeting.nonce + 1, Signal.DOUBT)

    def _give_up(self, signal: Signal) -> LinkEvent:
        self.state = next_state(self.state, signal)
        self._output.clear()
        return events.NotAnswered(self._heard_noise)

    def _on_reply(self, reply: messages.HelloReply, now_s: float) -> list[LinkEvent]:
        before, self.board = self.board, reply
        position = Position.of(reply)
        if before is not None and before.boot_id != reply.boot_id:
            self.state = next_state(self.state, Signal.REPLY_AFTER_RESTART)
            self._window.adopt(position)
            return [events.BoardRestarted(reply)]
        self.state = next_state(self.state, Signal.REPLY)
        self._timers.start(now_s)
        if before is None or not self.working:
            self._window.position = position
            return []
        if reply.state in (State.STOPPING, *_STOPPED) and self._moves_pending:
            # The counters go back when the board drops moves.
            self._asking_why = True
            self.request_status()
            return []
        progress = self._advance(position, now_s)
        if progress is None:
            return [self._desynchronised(position)]
        self._send_again(now_s)
        return progress

    def _desynchronised(self, position: Position) -> LinkEvent:
        text = (
            f"the board has accepted {position.accepted} moves and turned "
            f"{position.executed}, but this program expected {self.position.accepted} and "
            f"{self.position.executed}"
        )
        self._window.adopt(position)
        return events.Desynchronised(text)

    # Messages of a connected board.

    def _on_message(self, message: Message, now_s: float) -> Iterator[LinkEvent]:
        match message:
            case messages.Ack() if not self._asking_why:
                yield from self._on_position(Position.of(message), now_s)
            case messages.Status():
                yield from self._on_status(message, now_s)
            case messages.Nak() if not self._asking_why:
                yield from self._on_refusal(message, now_s)
            case messages.Event():
                self.request_status()
                yield message

    def _on_status(self, status: messages.Status, now_s: float) -> Iterator[LinkEvent]:
        yield status
        if status.state in _STOPPED and self._moves_pending:
            before = self.position.executed
            if not self._asking_why or status.executed < before:
                # Trusted only just after the board has confirmed that it is the same one.
                self._doubt(now_s)
                return
            self._asking_why = False
            self._window.adopt(Position.of(status))
            if self.position.executed > before:
                yield self._progress
            yield events.Stopped(status)
        elif not self._asking_why or status.state is not State.STOPPING:
            self._asking_why = False
            yield from self._on_position(Position.of(status), now_s)

    def _on_position(self, position: Position, now_s: float) -> Iterator[LinkEvent]:
        progress = self._advance(position, now_s)
        if progress is None:
            self._doubt(now_s)
        else:
            yield from progress

    def _on_refusal(self, nak: messages.Nak, now_s: float) -> Iterator[LinkEvent]:
        message = self._window.oldest
        if message is None or nak.next_seq != self._window.position.next_seq:
            return
        if nak.refused != SPEC_BY_KIND[type(message)].code or nak.reason is Reason.NO_CREDIT:
            return
        if isinstance(message, Step) and nak.reason in _NOT_NOW:
            self.request_status()
        elif nak.reason is Reason.WRONG_NUMBER:
            self._doubt(now_s)
        else:
            self._window.clear()
            yield events.Refused(message, nak.reason)

    @property
    def _flying(self) -> bool:
        """Whether a message is in flight that may be sent again."""
        return self._window.oldest is not None and not self._asking_why

    @property
    def _turning(self) -> bool:
        return self.position.executed < self.position.accepted

    @property
    def _moves_pending(self) -> bool:
        return self._turning or self._window.has_steps

    @property
    def _progress(self) -> events.Progress:
        return events.Progress(self.position.accepted, self.position.executed)

    def _advance(self, position: Position, now_s: float) -> list[LinkEvent] | None:
        """Process counters; return None if they do not continue the known ones."""
        before = self._progress
        taken = self._window.advance(position)
        if taken is None:
            return None
        if taken:
            self._timers.acknowledge(now_s)
        return [self._progress] if self._progress != before else []

    def _send_again(self, now_s: float) -> None:
        self._timers.send(now_s)
        self._output += self._window.frames_to_repeat()
