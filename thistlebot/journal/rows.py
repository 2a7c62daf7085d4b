"""What the journal's database holds: runs, their pictures, and values to be kept."""

from datetime import datetime
from enum import StrEnum

import msgspec

STORED = -1
"""In place of a camera's number: a file held the picture."""


class Outcome(StrEnum):
    """How a run ended."""

    VERIFIED = "verified"
    """The cameras saw the cube as it was to be."""
    TURNED = "turned"
    """The moves were made; nobody looked."""
    PLANNED = "planned"
    """Nothing was to be turned."""
    REFUSED = "refused"
    """The reading was not trusted, or the cube can not be solved."""
    UNVERIFIED = "unverified"
    """The moves were made; the cube was not seen as it was to be."""
    STOPPED = "stopped"
    """Somebody stopped it."""
    FAILED = "failed"
    """A part of the machine failed."""
    CUT_OFF = "cut off"
    """The program was killed, or the power was lost."""


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """What can be told of a run without reading its events; the columns of a table.

    Attributes:
        uid: Names the run on every desk.
        began: Seconds since 1970, UTC.
        verb: The verb of the command line that it was for.
        virtual: Whether the machine was a virtual one.
        rig: Name of the rig.
        outcome: How it ended.
        seconds: From the press to the end; None for a run that was interrupted.
        turns: Face turns of the plan; None without one.
        facelets: The cube as it was read first; empty when nobody could.
        moves: The moves of the first plan.
        first_right: Whether the first reading was right, by what followed; None when nobody knows.
        told: What a person was told at the end: what went wrong, mostly empty.
        imported: Whether it comes from another desk.
    """

    uid: str
    began: float
    verb: str
    virtual: bool
    rig: str
    outcome: Outcome
    seconds: float | None = None
    turns: int | None = None
    facelets: str = ""
    moves: str = ""
    first_right: bool | None = None
    told: str = ""
    imported: bool = False

    @property
    def when(self) -> str:
        """When it began by the clock on the wall, such as 2026-11-22 21:07:33."""
        return datetime.fromtimestamp(self.began).strftime("%Y-%m-%d %H:%M:%S")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs are looked for; a field that is empty asks for nothing.

    Attributes:
        virtual: One of these in `RunRow.virtual`.
        rig: One of these names.
        verb: One of these verbs.
        since: They began then or later.
        imported: One of these in `RunRow.imported`.
    """

    virtual: tuple[bool, ...] = ()
    rig: tuple[str, ...] = ()
    verb: tuple[str, ...] = ()
    since: float = 0.0
    imported: tuple[bool, ...] = ()


EVERY_RUN = Wanted()


class StoredRun(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was said of a run, as it was said.

    Attributes:
        uid: See `RunRow`.
        began: See `RunRow`.
        context: JSON of what does not change in a run: machine, views, colours, versions.
        events: Seconds since `began` and JSON of each event.
        ended: Whether it came to its end; else it was interrupted.
    """

    uid: str
    began: float
    context: msgspec.Raw
    events: tuple[tuple[float, msgspec.Raw], ...] = ()
    ended: bool = False


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture that a camera took in a run.

    Attributes:
        number: Its place in the order in which they were taken, from 0.
        camera: Number of the camera, from 0, or `STORED`.
        source: What a person would call where it comes from; why there is no picture.
        time_s: On the camera's clock.
        png: The picture without loss; empty when the camera gave none.
    """

    number: int
    camera: int
    source: str
    time_s: float
    png: bytes
