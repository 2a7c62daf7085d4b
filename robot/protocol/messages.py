"""The message table: every packet between host and board, declared once.

docs/protocol.md explains how the messages are used. After a change here, run `python -m
robot.protocol.codegen`, and raise PROTOCOL_VERSION if old boards would misunderstand the message.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Annotated

from robot.protocol.schema import Delivery, In, Message, MessageSpec, WireType

PROTOCOL_VERSION = 5
BAUD = 250_000
"""The baud rate: 16 MHz is a multiple of it, and the board's receive interrupt can keep up."""
MAX_PAYLOAD = 32
WINDOW = 8
"""Sequenced messages that a host may have unacknowledged."""
WINDOW_BYTES = 120
"""Maximum number of bytes in their frames, which have to fit into the board's receive ring."""
NO_MOTOR = 0xFF
"""In SET: the setting is global. In EVENT: one of the two motors that turned."""
MAX_MOTORS = 6
MAX_ACTIONS = 4
QUEUE_PLACES = 64
"""Places of a board's queue, enough to send any Thistlethwaite solution in advance."""
MOTORS_TOGETHER = 2
"""Stepper motors that one step can turn, and the minimum number of a board's step lanes."""
SERVO_FRAME_MS = 20
SERVO_SPEED_US_S = 1000 // SERVO_FRAME_MS
"""Unit of a POSITION's speed: one microsecond of pulse per frame."""
DWELL_MS = 10
"""Unit of a POSITION's dwell."""
SHORTEST_PULSE_US = 500
LONGEST_PULSE_US = 2500
LONGEST_WAIT_MS = 10_000
STALL = 0xFF
"""In HOME: the motor's stall ends it instead of a switch."""


class State(IntEnum):
    """What the board is doing."""

    DISABLED = 0
    IDLE = 1
    MOVING = 2
    STOPPING = 3
    ABORTED = 4
    ESTOP = 5


class Flag(IntFlag):
    """Bits of STATUS.flags."""

    ALIGNMENT_UNKNOWN = 1
    BUTTON_DOWN = 2
    ESTOP_DOWN = 4
    CUT_SHORT = 8


class Fault(IntEnum):
    """Why the board stopped; kept until CLEAR."""

    NONE = 0
    HOST_ABORT = 1
    HOST_SILENT = 2
    ESTOP = 3
    STALL = 4
    BOARD_ERROR = 5
    NOT_FOUND = 6


class OpenEnum(IntEnum):
    """An enumeration that also takes numbers that only newer programs or boards send."""

    @classmethod
    def _missing_(cls, value: object) -> "OpenEnum | None":
        if not isinstance(value, int):
            return None
        other = int.__new__(cls, value)
        other._name_, other._value_ = f"{cls.__name__.upper()}_{value}", value
        return other


class Reason(OpenEnum):
    """Why the board refused a message."""

    NO_CREDIT = 1
    NOT_ENABLED = 2
    ABORTED = 3
    ESTOP = 4
    WRONG_NUMBER = 5
    OUT_OF_RANGE = 6
    UNKNOWN_KEY = 7
    BUSY = 8
    UNKNOWN_TYPE = 9


class EventKind(IntEnum):
    """What an EVENT reports."""

    BUTTON = 1
    STALL = 2
    ESTOP = 3
    QUEUE_EMPTY = 4
    ABORTED = 5
    RELEASED = 6


class ResetCause(IntEnum):
    """What made the board start."""

    UNKNOWN = 0
    POWER_ON = 1
    RESET_PIN = 2
    BROWN_OUT = 3
    WATCHDOG = 4


class BoardKind(IntEnum):
    """The kind of board that answers."""

    VIRTUAL = 0
    UNO = 1
    NANO = 2
    MEGA = 3
    HOST = 4
    CNC_SHIELD = 5
    RAMPS = 6
    MKS_GEN_L = 7
    LOCAL = 8
    GCODE = 9


class StallInput(IntEnum):
    """Values of the setting STALL_INPUT: how the drivers' stall outputs are wired."""

    NONE = 0
    SHARED = 1
    EACH = 2


class ActionKind(OpenEnum):
    """What an action does with its channel."""

    TURN = 0
    MOVE_BY = 1
    MOVE_TO = 2
    POSITION = 3
    HOME = 4
    WAIT = 5
    OUTPUT = 6


class Begin(OpenEnum):
    """When a step may begin, relative to the previous step."""

    AFTER_END = 0
    ANGLE = 1


class OutputMode(IntEnum):
    """Values of an OUTPUT."""

    OFF = 0
    ON = 1


U8, U16, I16, U32 = WireType.U8, WireType.U16, WireType.I16, WireType.U32


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """Asks which board is there. Answered by HELLO_REPLY in every state; changes nothing."""

    protocol: Annotated[int, In(U8, "the host's protocol version")]
    nonce: Annotated[int, In(U16, "echoed, to tell old answers from this one")]


@dataclass(frozen=True, slots=True)
class StatusRequest(Message):
    """Answered by STATUS. The frame is constant and recognised in the receive interrupt."""


@dataclass(frozen=True, slots=True)
class Abort(Message):
    """Stop as each action defines, and drop the queue. The frame is constant, too."""


@dataclass(frozen=True, slots=True)
class Action:
    """One part of a step; docs/protocol.md explains the numbers of each kind."""

    kind: Annotated[ActionKind, In(U8, "kind of action")]
    channel: Annotated[int, In(U8, "number of a motor, servo or output; 0 in WAIT")]
    value: Annotated[int, In(I16, "quarters, steps, microseconds, milliseconds or an OutputMode")]
    speed: Annotated[int, In(U8, "POSITION: us per frame; 0: no limit")] = 0
    detail: Annotated[
        int,
        In(U8, "POSITION: dwell, unit 10 ms; HOME: switch, 0xFF: stall"),
    ] = 0


@dataclass(frozen=True, slots=True)
class Step(Message):
    """One to four actions that run together; queued."""

    number: Annotated[int, In(U16, "low half of accepted + 1; anything else is refused")]
    begin: Annotated[Begin, In(U8, "when it may begin")]
    begin_value: Annotated[
        int,
        In(
            U16,
            "ANGLE, of plain turns: step pulses before the end of the previous turn; else 0",
        ),
    ]
    actions: tuple[Action, ...]

    @property
    def parts(self) -> tuple[Action, ...]:
        """The actions."""
        return self.actions

    @property
    def is_plain(self) -> bool:
        """Whether it only turns motors, as many as a board turns at once."""
        turns = all(action.kind is ActionKind.TURN for action in self.actions)
        return turns and len(self.actions) <= MOTORS_TOGETHER

    @property
    def places(self) -> int:
        """Places in the board's queue: one for plain turns, else more."""
        return 1 if self.is_plain else 2 + len(self.actions)


@dataclass(frozen=True, slots=True)
class Set(Message):
    """Write a setting; refused while the board moves."""

    key: Annotated[int, In(U8, "a Setting")]
    motor: Annotated[int, In(U8, "channel 0..5, or 0xFF for a global setting")]
    value: Annotated[int, In(U32, "within the setting's range")]


@dataclass(frozen=True, slots=True)
class Enable(Message):
    """Switch the motor current; on confirms that every face is at a detent."""

    on: Annotated[int, In(U8, "0 or 1")]


@dataclass(frozen=True, slots=True)
class Clear(Message):
    """Leave ABORTED for IDLE (DISABLED if the current was off), or ESTOP for DISABLED."""


@dataclass(frozen=True, slots=True)
class HelloReply(Message):
    """Identity and status of the board. The first two fields never change between versions."""

    nonce: Annotated[int, In(U16, "from HELLO")]
    protocol: Annotated[int, In(U8, "the board's protocol version")]
    firmware_major: Annotated[int, In(U8, "version of the firmware")]
    firmware_minor: Annotated[int, In(U8)]
    firmware_patch: Annotated[int, In(U8)]
    board: Annotated[BoardKind, In(U8, "which board")]
    boot_id: Annotated[int, In(U16, "a different number after every start")]
    reset_cause: Annotated[ResetCause, In(U8, "cause of the last start")]
    state: Annotated[State, In(U8, "what the board is doing")]
    next_seq: Annotated[int, In(U8, "the sequence number that the board expects")]
    credits: Annotated[int, In(U8, "free places in the queue")]
    accepted: Annotated[int, In(U32, "steps accepted since the start")]
    executed: Annotated[int, In(U32, "steps completed since the start")]
    motors: Annotated[int, In(U8, "motors that the board drives")]
    queue_size: Annotated[int, In(U8, "places in the queue")]
    lanes: Annotated[int, In(U8, "motors that it turns at once")]
    servos: Annotated[int, In(U8, "servos that it drives")]
    outputs: Annotated[int, In(U8, "outputs that it switches")]
    switches: Annotated[int, In(U8, "switches that it reads, for HOME")]


@dataclass(frozen=True, slots=True)
class Ack(Message):
    """All messages before next_seq were accepted; also sent after each completed step."""

    next_seq: Annotated[int, In(U8, "the sequence number that the board expects")]
    credits: Annotated[int, In(U8, "free places in the queue")]
    accepted: Annotated[int, In(U32, "steps accepted since the start")]
    executed: Annotated[int, In(U32, "steps completed since the start")]


@dataclass(frozen=True, slots=True)
class Nak(Message):
    """The message with the expected number was refused; the expected number does not advance."""

    next_seq: Annotated[int, In(U8, "number of the refused message")]
    refused: Annotated[int, In(U8, "its type, to tell old refusals from new ones")]
    reason: Annotated[Reason, In(U8, "why it was refused")]


@dataclass(frozen=True, slots=True)
class Status(Message):
    """The complete status of the board."""

    state: Annotated[State, In(U8, "what the board is doing")]
    flags: Annotated[int, In(U8, "bits of Flag")]
    credits: Annotated[int, In(U8, "free places in the queue")]
    accepted: Annotated[int, In(U32, "steps accepted since the start")]
    executed: Annotated[int, In(U32, "steps completed since the start")]
    next_seq: Annotated[int, In(U8, "the sequence number that the board expects")]
    fault: Annotated[Fault, In(U8, "why the board stopped")]
    servos_on: Annotated[int, In(U8, "servos that have pulses, one bit each")]
    no_answer: Annotated[
        int, In(U8, "BOARD_ERROR: motors whose drivers do not answer, one bit each; else 0")
    ] = 0

    @property
    def silent_drivers(self) -> tuple[int, ...]:
        """The motors whose drivers do not answer, if the board stopped for this reason."""
        return tuple(channel for channel in range(MAX_MOTORS) if self.no_answer >> channel & 1)


@dataclass(frozen=True, slots=True)
class Event(Message):
    """Something happened; not acknowledged, because STATUS reports the same."""

    kind: Annotated[EventKind, In(U8, "what happened")]
    arg: Annotated[
        int, In(U16, "STALL: the motor, 0xFF for one of two; ABORTED: the Fault; else 0")
    ]
    executed: Annotated[int, In(U32, "steps completed since the start")]


MESSAGES = (
    MessageSpec.of(0x01, Hello, Delivery.UNSEQUENCED),
    MessageSpec.of(0x02, StatusRequest, Delivery.UNSEQUENCED),
    MessageSpec.of(0x03, Abort, Delivery.UNSEQUENCED),
    MessageSpec.of(0x10, Step, Delivery.SEQUENCED, part=Action, most=MAX_ACTIONS),
    MessageSpec.of(0x11, Set, Delivery.SEQUENCED),
    MessageSpec.of(0x13, Enable, Delivery.SEQUENCED),
    MessageSpec.of(0x14, Clear, Delivery.SEQUENCED),
    MessageSpec.of(0x81, HelloReply, Delivery.TO_HOST),
    MessageSpec.of(0x82, Ack, Delivery.TO_HOST),
    MessageSpec.of(0x83, Nak, Delivery.TO_HOST),
    MessageSpec.of(0x84, Status, Delivery.TO_HOST),
    MessageSpec.of(0x86, Event, Delivery.TO_HOST),
)
ENUMS = (
    *(State, Flag, Fault, Reason, EventKind, ResetCause, BoardKind, StallInput),
    *(ActionKind, Begin, OutputMode),
)

SPEC_BY_CODE = {spec.code: spec for spec in MESSAGES}
SPEC_BY_KIND = {spec.kind: spec for spec in MESSAGES}

_VERSION_PREFIX = struct.Struct("<HB")


def foreign_version(code: int, payload: bytes) -> int | None:
    """Read the protocol version of a HELLO_REPLY of any version.

    Args:
        code: The packet's type.
        payload: The packet's payload, which another version may have made longer or shorter.

    Returns:
        The version if the packet is a HELLO_REPLY of another version, else None.
    """
    if code != SPEC_BY_KIND[HelloReply].code or len(payload) < _VERSION_PREFIX.size:
        return None
    _, version = _VERSION_PREFIX.unpack_from(payload)
    return None if version == PROTOCOL_VERSION else int(version)
