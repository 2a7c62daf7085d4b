"""What the link tells its user."""

from dataclasses import dataclass
from enum import Enum, auto

from robot.protocol import messages
from robot.protocol.schema import Message


@dataclass(frozen=True, slots=True)
class Connected:
    """The board answered; everything not yet taken by it is on its way again.

    Attributes:
        reply: What the board says of itself.
        resumed: Whether it is the board of before, not restarted since.
    """

    reply: messages.HelloReply
    resumed: bool


@dataclass(frozen=True, slots=True)
class BoardRestarted:
    """The board answered with another boot id: what it was doing is lost."""

    reply: messages.HelloReply


class Silence(Enum):
    """What was heard instead of an answer."""

    NOTHING = auto()
    NOISE = auto()


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """No HELLO_REPLY in time, or nothing intact for too long during work."""

    heard: Silence


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """The board speaks another version of the protocol."""

    version: int


@dataclass(frozen=True, slots=True)
class Desynchronised:
    """The board's counts fit no history of this link: another program spoke to it."""

    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The board took or turned more moves; counts since its start."""

    accepted: int
    executed: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The board left its work and dropped what was queued; so did the link."""

    status: messages.Status


@dataclass(frozen=True, slots=True)
class Refused:
    """The board understood a message and will not do it; the link dropped it and all behind it."""

    message: Message
    reason: messages.Reason


@dataclass(frozen=True, slots=True)
class Reported:
    """An answer to a status request."""

    status: messages.Status


@dataclass(frozen=True, slots=True)
class SettingRead:
    """An answer to GET."""

    value: messages.Value


@dataclass(frozen=True, slots=True)
class BoardSaid:
    """The board reports something by itself: a button, a stall."""

    event: messages.Event


LinkEvent = (
    Connected
    | BoardRestarted
    | NotAnswered
    | OtherVersion
    | Desynchronised
    | Progress
    | Stopped
    | Refused
    | Reported
    | SettingRead
    | BoardSaid
)
