"""Notices about the session's runs, published like events, to the same listeners."""

import msgspec

from frontends.control.view_model.attention import Attention
from thistlebot.events import Event
from thistlebot.reading.corrections import Change
from thistlebot.records import ErrorLine, ReadingRecord


class MachineStatus(msgspec.Struct, frozen=True):
    """The machine, and its available parts.

    Attributes:
        rig: Name of the rig.
        virtual: Whether rig and cameras are virtual.
        board: Description of the board; empty if none is connected.
        port: Its port.
        cameras: Names of the open cameras of the rig.
        faces: The faces that can be turned.
    """

    rig: str = ""
    virtual: bool = False
    board: str = ""
    port: str = ""
    cameras: tuple[str, ...] = ()
    faces: str = "URFDLB"


class Mark(msgspec.Struct, frozen=True):
    """A sticker in a camera's picture.

    Attributes:
        camera: Number of the camera.
        facelet: Its name, such as ``F3``.
        polygons: The parts of it that were sampled, each by its corners in the picture, pixels.
        colour: Name of the colour as read.
        confidence: 0 to 1.
    """

    camera: int
    facelet: str
    polygons: tuple[tuple[tuple[int, int], ...], ...]
    colour: str
    confidence: float


class Readied(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A machine was opened, or a part of it came or went."""

    machine: MachineStatus


class Began(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A job began.

    Attributes:
        job: Its name, that of its command.
        run: Its number since the server was started.
        now_s: The server's clock, seconds.
        dry_run: Nothing will be turned.
    """

    job: str
    run: int
    now_s: float
    dry_run: bool = False


class Laid(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """Given moves were scheduled; `turned` counts their steps.

    Attributes:
        steps: The moves of each step.
    """

    steps: tuple[str, ...]


class Seen(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The places of the last reading's stickers in the pictures.

    Attributes:
        look: Number of the look in this run.
        cameras: Number of its pictures.
        marks: The stickers.
    """

    look: int
    cameras: int
    marks: tuple[Mark, ...]


class Glimpsed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The cameras saw more stickers, before the cube was read.

    Attributes:
        colours: ``#rrggbb`` of each of the 54 stickers, in the order URFDLB as the cube lies; empty
            for those not seen yet.
    """

    colours: tuple[str, ...]


class Noted(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A message for the user.

    Attributes:
        text: The message.
        retrying: The machine was closed for this reason, and the program keeps trying to open it
            again.
        job: The job that it is about; empty for the current one, or none.
    """

    text: str
    retrying: bool = False
    job: str = ""


class Shared(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """Progress of building the solver's tables.

    Attributes:
        tables: 0 to 1; None if they are complete, or if nobody builds them.
    """

    tables: float | None


class Remembered(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A cube was stored for copying."""

    facelets: str


class Corrected(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The user corrected the last reading, and it was decoded again.

    Attributes:
        reading: As in `events.Read`.
        changes: The stickers that it reads differently than before.
        corrections: Number of corrections that can be undone.
    """

    reading: ReadingRecord
    changes: tuple[Change, ...]
    corrections: int


class Finished(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The job has ended.

    Attributes:
        job: Its name.
        run: Its number.
        now_s: The server's clock, seconds.
        error: Why it failed; None if it succeeded.
        times: Times of the parts, as in `run_row.RunTimes.to_record`; empty for other jobs.
    """

    job: str
    run: int
    now_s: float
    error: ErrorLine | None = None
    times: dict[str, float] = {}


class Needed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The user must act, although no run ended with an error: the light has changed."""

    attention: Attention


class Dismissed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The attention card was dismissed."""


Notice = (
    Readied
    | Began
    | Laid
    | Seen
    | Glimpsed
    | Noted
    | Shared
    | Remembered
    | Corrected
    | Finished
    | Needed
    | Dismissed
)
Told = Event | Notice
