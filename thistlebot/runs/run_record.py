"""What a run was made with, and what happened in it, as the journal keeps it.

Tells the journal what happens in each run of a session.
"""

import secrets
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any

import msgspec

from robot.rigs.pose import Pose
from robot.running.journal import JournalRecord
from thistlebot.journal.journal import Journal
from thistlebot.journal.rows import StoredRun
from thistlebot.journal.tail import BeginEntry, End, EventEntry
from thistlebot.runs.events import Ended, Entered, Event, Phase, decode, encode
from vision.colours.profile import ColourProfile
from vision.frame import Frame
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
        pose: How machine and cube stood, for a machine with several poses.
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


_DECIDING = ("thistlebot", "opencv-python-headless", "numpy", "scipy", "scikit-learn", "numba")


class Recording:
    """A listener that writes every run into the journal.

    Args:
        journal: Where to.
        context: Says what a run that begins is made with.
        note: Told, once, what a person should know of the journal.
        clock: Seconds, for the time of each event.
    """

    def __init__(
        self,
        journal: Journal,
        context: Callable[[], RunContext],
        note: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._journal = journal
        self._context = context
        self._note = note
        self._clock = clock
        self._uid = ""
        self._began_s = 0.0
        self._pictures = 0

    def __call__(self, event: Event) -> None:
        """Write one event down; the first one of a run begins it."""
        if event == Entered(Phase.IDLE):
            return
        if not self._uid:
            self._begin()
        passed_s = round(self._clock() - self._began_s, 6)
        self._journal.say(EventEntry(self._uid, passed_s, msgspec.Raw(encode(event))))
        if isinstance(event, Ended) or event == Entered(Phase.DONE):
            self._journal.say(End(self._uid))
            self._uid = ""
        if trouble := self._journal.trouble():
            self._note(trouble)

    def take_picture(self, camera: int, frame: Frame | str) -> None:
        """Write down a picture; what is seen between two runs belongs to none.

        Args:
            camera: Number of the camera.
            frame: The picture, or why there is none.
        """
        if self._uid:
            self._journal.add_picture(self._uid, self._pictures, camera, frame)
            self._pictures += 1

    def _begin(self) -> None:
        self._uid = secrets.token_hex(8)
        self._began_s = self._clock()
        self._pictures = 0
        context = msgspec.Raw(msgspec.json.encode(self._context()))
        self._journal.say(BeginEntry(self._uid, time.time(), context))


def versions() -> dict[str, str]:
    """Return the versions of this program and of the libraries that decide."""
    return {name: _version(name) for name in _DECIDING}


def _version(name: str) -> str:
    """Return the version of a library; `metadata.version` parses its whole description, too."""
    text = metadata.distribution(name).read_text("METADATA") or ""
    return text.partition("\nVersion:")[2].partition("\n")[0].strip()
