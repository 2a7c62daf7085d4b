"""The context and the events of a run, as stored in the journal."""

from typing import Any

import msgspec

from robot.rigs.program import Pose
from thistlebot.events import Event, decode
from thistlebot.journal.rows import StoredRun
from vision.colours.profile import ColourProfile
from vision.geometry.view import View


class StoredCube(msgspec.Struct, frozen=True, kw_only=True):
    """How a cube was read from files or shown by a person.

    Attributes:
        any_order: The order and the rotation of the faces do not matter.
        guided: A person held the faces before a webcam, with instructions.
    """

    any_order: bool = False
    guided: bool = False


class RunContext(msgspec.Struct, frozen=True, kw_only=True):
    """The constant data of a run: everything, besides the pictures, that its readings depend on.

    Attributes:
        verb: The command.
        virtual: Whether the machine was a virtual one.
        rig: The content of the rig file.
        versions: Versions of this program and of the libraries that affect decisions.
        views: The views of the cameras; empty if nobody looked.
        profile: The measured colours at the beginning, if any.
        scheme: The cube's colours, if its owner gave them.
        stored: How stored pictures or colours were read; None if there were none.
        moves_machine: Whether there was a board to turn the cube or to move it for the cameras.
        lanes: Motors that the board turned at once.
        pose: The pose of machine and cube, for a machine with several poses.
        typed_scheme: The colours of a typed cube, for drawings; None if the text did not tell.
        moves: Moves that were given; empty if the program planned them.
    """

    verb: str
    virtual: bool
    rig: dict[str, Any]
    versions: dict[str, str]
    views: tuple[View, ...] = ()
    profile: ColourProfile | None = None
    scheme: dict[str, str] | None = None
    stored: StoredCube | None = None
    moves_machine: bool = True
    lanes: int = 2
    pose: Pose | None = None
    typed_scheme: dict[str, str] | None = None
    moves: str = ""


def context_of(run: StoredRun) -> RunContext:
    """Return the context of a run.

    Raises:
        ValueError: It comes from another version of this program, and cannot be read.
    """
    try:
        return msgspec.json.decode(run.context, type=RunContext)
    except RecursionError as error:
        raise ValueError(str(error)) from None


def events_of(run: StoredRun) -> tuple[tuple[float, Event], ...]:
    """Return the events of a run that this version knows, with their times."""
    found = []
    for time_s, content in run.events:
        try:
            found.append((time_s, decode(bytes(content))))
        except (ValueError, RecursionError):
            continue  # from another version
    return tuple(found)
