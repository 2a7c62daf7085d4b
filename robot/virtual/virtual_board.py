"""The board's behaviour without a board: that of the firmware, without input or output.

Bytes and the time go in; bytes and turned motors come out. It makes every decision that
docs/protocol.md leaves to the board, so host code meets the same refusals as with real hardware.
This module handles the messages of the host; `robot.virtual.board_states` handles the moves.
"""

from robot.protocol import messages
from robot.protocol.frames import FrameDecoder, Packet, Unknown, encode_frame
from robot.protocol.messages import (
    PROTOCOL_VERSION,
    QUEUE_PLACES,
    SPEC_BY_KIND,
    BoardKind,
    EventKind,
    Fault,
    Flag,
    Reason,
    ResetCause,
    State,
    Step,
)
from robot.protocol.schema import Delivery, Message
from robot.virtual.board_states import BoardStates
from robot.virtual.machine_parts import MachineParts
from robot.virtual.running_steps import Turned

FIRMWARE_VERSION = (4, 0, 0)
"""That of the firmware in this repository."""


class VirtualBoard(BoardStates):
    """A board that drives any motors.

    Attributes:
        firmware: The version that it reports.

    Args:
        step: Called when a motor has moved, as in `RunningSteps`.
        boot_id: Distinguishes this start from others.
        motors: Channels of its motors.
        protocol: The protocol version that it reports.
        parts: Its parts besides the motors of the cube; they outlive a reset.
        lanes: Number of motors that it turns at once: 2 or 4.
        kind: The kind of board that it reports.
    """

    firmware: tuple[int, ...] = FIRMWARE_VERSION

    def __init__(
        self,
        step: Turned,
        boot_id: int = 1,
        motors: int = messages.MAX_MOTORS,
        protocol: int = PROTOCOL_VERSION,
        lanes: int = 2,
        *,
        parts: MachineParts | None = None,
        kind: BoardKind = BoardKind.VIRTUAL,
    ) -> None:
        super().__init__(step, motors, lanes, parts or MachineParts())
        self._kind = kind
        self._protocol = protocol
        self._start(boot_id, ResetCause.POWER_ON, 0.0)

    def _start(self, boot_id: int, cause: ResetCause, now_s: float) -> None:
        self.power_on(now_s)
        self.refusals: list[Reason] = []
        self.boot_id = boot_id % 0x10000
        self._cause = cause
        self._next_seq = 0
        self._events = 0
        self._decoder = FrameDecoder()
        self._output = bytearray()

    # Events of the board.

    def receive(self, data: bytes, now_s: float) -> None:
        """Process bytes from the host."""
        self.advance(now_s)
        for received in self._decoder.feed(data):
            match received:
                case Packet(seq, message):
                    self.hear(now_s)
                    self._on_packet(seq, message)
                case Unknown(code=code, seq=seq):
                    self.hear(now_s)
                    if code != SPEC_BY_KIND[messages.Hello].code:
                        self._on_sequenced(seq, code)

    def output(self) -> bytes:
        """Return the bytes for the host."""
        data = bytes(self._output)
        self._output.clear()
        return data

    def press_button(self) -> None:
        """Press the solve button."""
        self.say_event(EventKind.BUTTON)

    def reset(self, boot_id: int, cause: ResetCause = ResetCause.RESET_PIN) -> None:
        """Restart the board; the faces stay where they are, and a pressed button stays pressed."""
        estop_down = Flag.ESTOP_DOWN in self.flags
        self._start(boot_id, cause, self.now_s)
        if estop_down:
            self.press_estop()

    # Messages.

    def _on_packet(self, seq: int, message: Message) -> None:
        match message:
            case messages.Hello():
                self._say_hello(message.nonce)
            case messages.StatusRequest():
                self._say_status()
            case messages.Abort():
                self.stop(Fault.HOST_ABORT)
            case _:
                spec = SPEC_BY_KIND[type(message)]
                known = spec.way is Delivery.SEQUENCED
                self._on_sequenced(seq, spec.code, message if known else None)

    def _on_sequenced(self, seq: int, code: int, message: Message | None = None) -> None:
        if seq != self._next_seq:
            self.say_ack()
            return
        reason = self._take(message)
        if reason is None:
            self._next_seq = (self._next_seq + 1) % 256
            self.say_ack()
            self.advance(self.now_s)
        else:
            self.refusals.append(reason)
            self._say(messages.Nak(self._next_seq, code, reason))

    def _take(self, message: Message | None) -> Reason | None:
        """Execute a message; return the reason if it is refused."""
        match message:
            case Step():
                return self.take(message)
            case messages.Set():
                return self._take_set(message)
            case messages.Enable():
                return self.enable(message.on)
            case messages.Clear():
                return self.clear()
        return Reason.UNKNOWN_TYPE

    def _take_set(self, message: messages.Set) -> Reason | None:
        if self.state in (State.MOVING, State.STOPPING):
            return Reason.BUSY
        return self._settings.change(message.key, message.motor, message.value)

    # Messages to the host.

    def say_ack(self) -> None:
        """Send the counters to the host."""
        self._say(messages.Ack(self._next_seq, self.places, self.accepted, self.executed))

    def say_event(self, kind: EventKind, arg: int = 0) -> None:
        """Send an EVENT to the host."""
        self._say(messages.Event(kind, arg, self.executed))

    def _say(self, message: Message) -> None:
        self._output += encode_frame(message, self._events)
        self._events = (self._events + 1) % 256

    def _say_status(self) -> None:
        cut = Flag.CUT_SHORT if self.was_cut else Flag(0)
        self._say(
            messages.Status(
                state=self.state,
                flags=int(self.flags | cut),
                credits=self.places,
                accepted=self.accepted,
                executed=self.executed,
                next_seq=self._next_seq,
                fault=self.fault,
                servos_on=self.servos_on,
            )
        )

    def _say_hello(self, nonce: int) -> None:
        self._say(
            messages.HelloReply(
                nonce=nonce,
                protocol=self._protocol,
                firmware_major=self.firmware[0],
                firmware_minor=self.firmware[1],
                firmware_patch=self.firmware[2],
                board=self._kind,
                boot_id=self.boot_id,
                reset_cause=self._cause,
                state=self.state,
                next_seq=self._next_seq,
                credits=self.places,
                accepted=self.accepted,
                executed=self.executed,
                motors=self._motors,
                queue_size=QUEUE_PLACES,
                lanes=self._lanes,
                servos=len(self.parts.servos),
                outputs=len(self.parts.outputs),
                switches=len(self.parts.switches),
            )
        )
