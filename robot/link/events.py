"""The events of the link."""

from dataclasses import dataclass

from robot.protocol import messages
from robot.protocol.frames import ForeignHello
from robot.protocol.schema import Message


@dataclass(frozen=True, slots=True)
class BoardRestarted:
    """The board answered with another boot id, so its unfinished program is lost."""

    reply: messages.HelloReply


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """No HELLO_REPLY arrived in time, or no intact packet for too long during work.

    Attributes:
        noise: Whether bytes arrived that are not packets.
    """

    noise: bool


@dataclass(frozen=True, slots=True)
class Desynchronised:
    """The board's counters do not continue this link's: another program talked to it."""

    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The board accepted or finished more moves; counted since its start."""

    accepted: int
    executed: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The board stopped and dropped its queue; so did the link."""

    status: messages.Status


@dataclass(frozen=True, slots=True)
class Refused:
    """The board refused a message; the link dropped it and all messages after it."""

    message: Message
    reason: messages.Reason


LinkEvent = (
    BoardRestarted
    | NotAnswered
    | ForeignHello
    | Desynchronised
    | Progress
    | Stopped
    | Refused
    | messages.Status
    | messages.Event
)
"""What became of the messages; a foreign greeting, STATUS and EVENT are as the board sent them."""
