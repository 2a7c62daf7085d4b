"""What happens around the session's runs: told like its events, to the same listeners."""

import msgspec

from frontends.control.view_model.attention import Attention
from thistlebot.events import Event
from thistlebot.reading.corrections import Change
from thistlebot.records import ErrorLine, ReadingRecord


class MachineStatus(msgspec.Struct, frozen=True):
    """What the machine is, and what of it is there.

    Attributes:
        rig: Name of the rig.
        virtual: Whether rig and cameras are virtual.
        board: What the board says that it is; empty when none is connected.
        port: Its port.
        cameras: Names of the cameras of the rig that are open.
        faces: The faces that have a motor, or are turned otherwise.
        moves_to_look: Whether the cube has to be moved before the cameras.
    """

    rig: str = ""
    virtual: bool = False
    board: str = ""
    port: str = ""
    cameras: tuple[str, ...] = ()
    faces: str = "URFDLB"
    moves_to_look: bool = False


class Mark(msgspec.Struct, frozen=True):
    """A sticker where a camera saw it.

    Attributes:
        camera: Number of the camera.
        facelet: Its name, such as ``F3``.
        polygon: Its corners in the picture, pixels.
        colour: Name of the colour that it was read as.
        confidence: 0 to 1.
    """

    camera: int
    facelet: str
    polygon: tuple[tuple[float, float], ...]
    colour: str
    confidence: float


class Readied(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A machine was opened, or a part of it came or went."""

    machine: MachineStatus


class Began(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A job began.

    Attributes:
        job: Its name, that of the command that began it.
        run: Its number since the server was started.
        now_s: The server's clock, seconds.
        dry_run: Nothing will be turned.
    """

    job: str
    run: int
    now_s: float
    dry_run: bool = False


class Laid(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """Given moves were laid out; `turned` counts their steps.

    Attributes:
        steps: The moves of each step.
    """

    steps: tuple[str, ...]


class Seen(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """Where the stickers of the last reading are in the pictures.

    Attributes:
        look: Number of the look in this run.
        cameras: How many pictures it has.
        marks: The stickers.
    """

    look: int
    cameras: int
    marks: tuple[Mark, ...]


class Noted(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """Something that a person may want to know.

    Attributes:
        text: What.
        retrying: The machine was closed for this reason, and the program keeps reopening it.
    """

    text: str
    retrying: bool = False


class Shared(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """So much of the solver's tables is built.

    Attributes:
        tables: 0 to 1; None when they are there, or nobody builds them.
    """

    tables: float | None


class Remembered(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A cube was remembered, to be copied."""

    facelets: str


class Corrected(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A person corrected the last reading, and it was decoded again.

    Attributes:
        reading: As in `events.Read`.
        changes: The stickers that it reads otherwise than before.
        corrections: How many corrections there are, which can be undone.
    """

    reading: ReadingRecord
    changes: tuple[Change, ...]
    corrections: int


class Finished(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """The job is over, however it ended.

    Attributes:
        job: Its name.
        run: Its number.
        now_s: The server's clock, seconds.
        error: Why it failed; None when all went well.
        times: What each part took, as in `run_row.RunTimes.to_record`; empty for other jobs.
    """

    job: str
    run: int
    now_s: float
    error: ErrorLine | None = None
    times: dict[str, float] = {}


class Needed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """A person is needed, though no run has ended by an error: the light has changed."""

    attention: Attention


class Dismissed(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower):
    """What asked for attention was put away."""


Notice = (
    Readied
    | Began
    | Laid
    | Seen
    | Noted
    | Shared
    | Remembered
    | Corrected
    | Finished
    | Needed
    | Dismissed
)
Told = Event | Notice
