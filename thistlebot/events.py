"""What a session tells its listeners: the terminal, the journal, a web page.

Every event is a typed value. `encode` writes it as JSON, for journals and sockets alone, `decode`
reads it again, and docs/formats.md lists the fields. Pictures are no JSON; who needs those of a
look asks the session for `looks[event.look]`.
"""

from enum import StrEnum
from typing import Protocol

import msgspec

from thistlebot.records import DeviationRecord, ErrorRecord, ReadingRecord, SolutionRecord


class Phase(StrEnum):
    """Where a session is."""

    IDLE = "idle"
    SCAN = "scan"
    DECODE = "decode"
    PLAN = "plan"
    EXECUTE = "execute"
    VERIFY = "verify"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class Check(StrEnum):
    """What a session does while it verifies."""

    REST = "rest"
    LOOK = "look"
    READ = "read"


class Entered(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The session went on to another phase."""

    phase: Phase


class Looked(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The rig's cameras took their pictures at one more stop of a scan.

    Attributes:
        done: Stops so far.
        total: As far as is known; more follow where the pictures leave the cube in doubt.
    """

    done: int
    total: int


class Read(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The pictures were read.

    Attributes:
        look: Number of the look in this run.
        reading: What they show, with stickers; ``accepted`` says whether it is trusted.
    """

    look: int
    reading: ReadingRecord


class Planned(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A solution was found and laid out in time.

    Attributes:
        solution: With the four stages and S2's five, and the steps that `Turned` will count.
    """

    solution: SolutionRecord


class Turned(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The rig finished another step of the program."""

    done: int
    total: int


class GoneOn(msgspec.Struct, frozen=True, tag_field="event", tag="gone_on"):
    """The board had heard nothing of this program and stopped at a detent; now it goes on."""

    done: int
    total: int


class Executed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The rig finished the program, in the given time."""

    steps: int
    time_s: float


class Checking(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The session verifies: it lets the faces come to rest, takes pictures or reads them."""

    check: Check


class Verified(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The camera looked again.

    Attributes:
        look: Number of the look in this run.
        reading: As in `Read`.
        solved: Whether it saw the solved cube.
        reached: Whether it saw what the session was to make: the solved cube, or another target.
    """

    look: int
    reading: ReadingRecord
    solved: bool
    reached: bool


class Diagnosed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The cube was seen, and not solved: what seems to have gone wrong.

    Attributes:
        text: The same for people.
        deviations: The turns that were made otherwise than planned, by the likeliest explanation.
        aftermath: What followed, one of `robot.running.deviations.Aftermath`.
        explanations: How many explanations fit equally well.
        blamed: What moves the parts that any of them blames.
    """

    text: str
    deviations: tuple[DeviationRecord, ...]
    aftermath: str
    explanations: int
    blamed: tuple[str, ...]


class Ended(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The session ended by an error or by the user."""

    error: ErrorRecord


Event = (
    Entered
    | Looked
    | Read
    | Planned
    | Turned
    | GoneOn
    | Executed
    | Checking
    | Verified
    | Diagnosed
    | Ended
)


class Listener(Protocol):
    """Hears a session."""

    def __call__(self, event: Event) -> None:
        """Take note of one event; it may not hold the session up."""


def encode(event: Event) -> bytes:
    """Write an event as one line of JSON, without the line's end."""
    return msgspec.json.encode(event)


def decode(line: bytes | str) -> Event:
    """Read an event again.

    Raises:
        msgspec.DecodeError: It is none.
    """
    event: Event = msgspec.json.decode(line, type=Event)
    return event
