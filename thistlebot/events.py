"""The events of a session, for its listeners: the terminal, the journal, a web page.

Every event is a typed value. `encode` writes it as JSON, only for journals and sockets, `decode`
reads it, and docs/formats.md lists the fields. Pictures are not part of the JSON; a listener that
needs the pictures of a look gets them from the session's `looks[event.look]`.
"""

from enum import StrEnum
from typing import Protocol

import msgspec

from thistlebot.records import DeviationRecord, ErrorRecord, ReadingRecord, SolutionRecord


class Phase(StrEnum):
    """The phases of a session."""

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
    """The activities of a session during verification."""

    REST = "rest"
    LOOK = "look"
    READ = "read"


class Entered(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The session enters another phase.

    Attributes:
        phase: The phase that it enters.
    """

    phase: Phase


class Looked(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The rig's cameras took their pictures at a stop of a scan.

    Attributes:
        done: Stops so far.
        total: Stops in total, as far as known; more follow if the pictures leave the cube in doubt.
    """

    done: int
    total: int


class Read(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The pictures were read.

    Attributes:
        look: Number of the look in this run. Events contain no pictures: a listener in the same
            process finds the pictures of a look by its number, in the list that it received when it
            was created.
        reading: What the pictures show, with `stickers` and `proposal`.
    """

    look: int
    reading: ReadingRecord


class Planned(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A solution was found and scheduled.

    Attributes:
        solution: The solution, with `five_stages`, and the `steps` that `turned` will count.
    """

    solution: SolutionRecord


class Turned(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The board acknowledged another step of the program.

    Attributes:
        done: Steps so far.
        total: Steps of the program.
    """

    done: int
    total: int


class Continued(msgspec.Struct, frozen=True, tag_field="event", tag="gone_on"):
    """The board heard nothing for a while and stopped at a detent; now it continues.

    Attributes:
        done: Steps so far.
        total: Steps of the program.
    """

    done: int
    total: int


class Reconnected(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The connection to the board was lost during the turns, and is restored.

    Attributes:
        done: Steps before that.
        total: Steps of the program.
        lost_s: How long it was lost, in seconds.
    """

    done: int
    total: int
    lost_s: float


class Executed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """All turns are made.

    Attributes:
        steps: Steps of the program.
        time_s: Their time, in seconds.
    """

    steps: int
    time_s: float


class Checking(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The session checks the cube after the turns.

    Attributes:
        check: It waits for the faces to come to rest, takes pictures, or reads them.
    """

    check: Check


class Verified(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The camera looked again; a second time if the first reading was uncertain.

    Attributes:
        look: Number of the look in this run.
        reading: The reading, as in `read`.
        solved: Whether the camera saw the solved cube.
        reached: Whether it saw the target: the solved cube, unless another target was chosen.
    """

    look: int
    reading: ReadingRecord
    solved: bool
    reached: bool


class Followed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A face was turned there and back, because the pictures might be from before the last turn.

    Attributes:
        late_s: How late the cameras showed it; None if they did not.
    """

    late_s: float | None


class Diagnosed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """An accepted reading showed another cube than the target.

    `entered` with the phase `plan`, or `ended`, follows.

    Attributes:
        text: What went wrong, for people.
        deviations: The turns that differ from the plan, by the likeliest explanation. Empty, like
            `blamed`, if nothing turned at all, or if two wrong turns do not explain what was seen.
        aftermath: What followed: `none`; `loose`, the actuator turned nothing from then on;
            `jammed`, the face stood between two detents and blocked the faces that cross it; or
            `still`, nothing turned the cube any more.
        explanations: How many explanations fit equally well.
        blamed: The actuators that at least one explanation blames.
    """

    text: str
    deviations: tuple[DeviationRecord, ...]
    aftermath: str
    explanations: int
    blamed: tuple[str, ...]


class Ended(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """An error or the user ended the run.

    Attributes:
        error: The error.
    """

    error: ErrorRecord


Event = (
    Entered
    | Looked
    | Read
    | Planned
    | Turned
    | Continued
    | Reconnected
    | Executed
    | Checking
    | Verified
    | Followed
    | Diagnosed
    | Ended
)


Mishap = Diagnosed | Reconnected
"""What went wrong with turns."""


class Listener(Protocol):
    """Receives a session's events."""

    def __call__(self, event: Event) -> None:
        """Process one event; it must not delay the session."""


def encode(event: Event) -> bytes:
    """Write an event as one line of JSON, without the line's end."""
    return msgspec.json.encode(event)


def decode(line: bytes | str) -> Event:
    """Read an event.

    Raises:
        msgspec.DecodeError: The line is not an event.
    """
    event: Event = msgspec.json.decode(line, type=Event)
    return event
