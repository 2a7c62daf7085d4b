"""The contents of the journal's database: runs, their pictures, and stored values."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec

SOLVING_VERBS = ("solve", "solve --wait", "demo", "serve")
"""Commands that solve."""
STORED = -1
"""Used in place of a camera's number for a picture that came from a file."""


class Outcome(StrEnum):
    """How a run ended."""

    VERIFIED = "verified"
    """The cameras saw the cube at its target."""
    TURNED = "turned"
    """The moves were made; nobody looked."""
    PLANNED = "planned"
    """Nothing was to be turned."""
    REFUSED = "refused"
    """The reading was not trusted, or the cube cannot be solved."""
    UNVERIFIED = "unverified"
    """The moves were made, but the cube was not seen at its target."""
    STOPPED = "stopped"
    """Somebody stopped it."""
    FAILED = "failed"
    """A part of the machine failed."""
    CUT_OFF = "cut off"
    """The program was killed, or the power was lost."""

    UNKNOWN = "unknown"
    """Another version of this program wrote another word."""

    @classmethod
    def _missing_(cls, _value: object) -> "Outcome":
        return cls.UNKNOWN

    @property
    def text(self) -> str:
        """The outcome as shown to people; for an interrupted run, an older word is stored."""
        return "interrupted" if self is Outcome.CUT_OFF else self.value


_FIRST_S = 86_400
_LAST_S = 250_000_000_000
"""In the year 9892; Python knows years up to 9999."""


def local_time(seconds: float) -> datetime:
    """Return the local time of seconds since 1970; a damaged number is moved into range."""
    return datetime.fromtimestamp(min(max(seconds, _FIRST_S), _LAST_S))


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a run; the columns of a table.

    Attributes:
        uid: Its identifier, unique across machines.
        began: Seconds since 1970, UTC.
        verb: The command.
        virtual: Whether the machine was a virtual one.
        rig: Name of the rig.
        outcome: How it ended.
        seconds: Time from the press until the cube was seen at its target, or to the end; None for
            a run that was interrupted.
        turns: Face turns of the plan; None without a plan.
        facelets: The first reading of the cube; empty if there was none.
        moves: The moves of the first plan.
        first_right: Whether the first reading was right, judged by the later events; None if
            unknown.
        told: The final message if something went wrong; usually empty.
        imported: Whether it comes from another machine.
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
        """Local start time, such as 2026-11-22 21:07:33."""
        return local_time(self.began).strftime("%Y-%m-%d %H:%M:%S")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for runs; an empty field matches all runs.

    Attributes:
        virtual: Allowed values of `RunRow.virtual`.
        rig: Allowed names of rigs.
        since: Earliest start.
        imported: Allowed values of `RunRow.imported`.
        solves: Only runs that count in the statistics: runs of `SOLVING_VERBS` that began to turn a
            scrambled cube, or stopped or failed before that. A dry run does not count, and neither
            does a cube that was solved already.
    """

    virtual: tuple[bool, ...] = ()
    rig: tuple[str, ...] = ()
    since: float = 0.0
    imported: tuple[bool, ...] = ()
    solves: bool = False


EVERY_RUN = Wanted()


_LATEST_S = 1e11
_Time = Annotated[float, msgspec.Meta(ge=-_LATEST_S, le=_LATEST_S)]


class StoredRun(msgspec.Struct, frozen=True, kw_only=True):
    """The stored events of a run; the limits apply when it is read from a bundle.

    Attributes:
        uid: See `RunRow`.
        began: See `RunRow`.
        context: JSON of the constant data of a run: machine, views, colours, versions.
        events: Seconds since `began` and JSON of each event.
        ended: Whether the run came to its end; otherwise it was interrupted.
    """

    uid: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8,32}$")]
    began: Annotated[float, msgspec.Meta(ge=0.0, le=_LATEST_S)]
    context: msgspec.Raw
    events: tuple[tuple[_Time, msgspec.Raw], ...] = ()
    ended: bool = False


class Picture(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A picture that a camera took in a run.

    Attributes:
        number: Its index in the order of exposure, from 0.
        camera: Number of the camera, from 0, or `STORED`.
        source: The source's name for people; the reason if there is no picture.
        time_s: On the camera's clock.
        png: The picture without loss; empty if the camera gave none.
    """

    number: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    camera: Annotated[int, msgspec.Meta(ge=STORED, le=1_000_000)]
    source: str
    time_s: _Time
    png: bytes = b""
