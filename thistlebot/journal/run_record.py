"""What a run was made with, and what happened in it, as the journal keeps it."""

from typing import Any

import msgspec

from robot.rigs.program import Pose
from robot.running.journal import JournalRecord
from thistlebot.events import Event, decode
from thistlebot.journal.rows import StoredRun
from vision.colours.profile import ColourProfile
from vision.geometry.view import View


class StoredCube(msgspec.Struct, frozen=True, kw_only=True):
    """How a cube was read that files held, or a person.

    Attributes:
        any_orientation: Each face may be turned in its plane.
        any_order: The order of the faces does not matter, nor how each is turned.
        rgb: The colours, as the file has them; empty for photos.
        guided: A person held the faces before a webcam, and was told what to show next.
    """

    any_orientation: bool = False
    any_order: bool = False
    rgb: str = ""
    guided: bool = False


class RunContext(msgspec.Struct, frozen=True, kw_only=True):
    """What does not change in a run; with the pictures, all that its decisions rest on.

    Attributes:
        verb: The verb of the command line.
        virtual: Whether the machine was a virtual one.
        rig: The content of the rig file.
        versions: Of this program and of the libraries that decide.
        views: What the cameras see; none where nobody looked.
        profile: The measured colours at the beginning, if there were any.
        scheme: The cube's colours, if its owner told them.
        stored: How stored pictures or colours were read; None where cameras looked, or nobody.
        turns: Whether the cube was to be turned.
        checks: Whether somebody was to look at it afterwards.
        moves_machine: Whether a board was there, to turn the cube or to move it for the cameras.
        lanes: Motors that the board turned at once.
        pose: The pose of machine and cube, for a machine with several poses.
        target: Where the cube was to be brought, as 54 letters; None for solved.
        target_scheme: Face letter and colour by which that was named.
        plans_again: How often the session would plan again.
        resumed: The program of another run that this one finished.
        moves: What somebody gave to turn; empty where the program planned.
    """

    verb: str
    virtual: bool
    rig: dict[str, Any]
    versions: dict[str, str]
    views: tuple[View, ...] = ()
    profile: ColourProfile | None = None
    scheme: dict[str, str] | None = None
    stored: StoredCube | None = None
    turns: bool = True
    checks: bool = True
    moves_machine: bool = True
    lanes: int = 2
    pose: Pose | None = None
    target: str | None = None
    target_scheme: tuple[tuple[str, str], ...] = ()
    plans_again: int = 0
    resumed: JournalRecord | None = None
    moves: str = ""


def context_of(run: StoredRun) -> RunContext:
    """Return what a run was made with.

    Raises:
        msgspec.DecodeError: Another version of this program wrote it, and this one cannot read it.
    """
    return msgspec.json.decode(run.context, type=RunContext)


def events_of(run: StoredRun) -> tuple[tuple[float, Event], ...]:
    """Return the events of a run that this version knows, with their times."""
    found = []
    for time_s, content in run.events:
        try:
            found.append((time_s, decode(bytes(content))))
        except msgspec.DecodeError:
            continue  # another version's
    return tuple(found)
