"""Reads the pictures of a recorded run again, to compare the readings or to draw them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from documents.files import write_atomically
from robot.rigs.catalogue import mechanism_type
from robot.rigs.mechanism import Mechanism
from thistlebot.errors import UsageError
from thistlebot.events import (
    Check,
    Checking,
    Diagnosed,
    Ended,
    Entered,
    Event,
    Executed,
    Phase,
    Planned,
    Read,
    Verified,
)
from thistlebot.exit_codes import error_record
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.journal.run_record import RunContext, context_of, events_of
from thistlebot.reading.late_cameras import PlayedLateness
from thistlebot.reading.reader import Look, Reader
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.records import ErrorRecord, ReadingRecord, full_reading_record
from thistlebot.session.composing import Recorder
from thistlebot.session.recorded_world import (
    Pictures,
    PlayedCamera,
    PlayedPhotos,
    PosedRig,
    RecordEndsError,
)
from vision.errors import NoFaceError
from vision.frame import Frame

_MEASURED = "elapsed_ms"
"""The field of a reading that differs from run to run."""


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """A different reading of the same pictures.

    Attributes:
        event: Number of the event in the run, from 1.
        kind: Its name.
        place: The field that differs, such as ``reading.margin``; empty for the whole reading.
        then: The recorded value, as JSON; None if there is none.
        now: The value of this version.
    """

    event: int
    kind: str
    place: str
    then: Any
    now: Any


@dataclass(slots=True)
class Replayed:
    """The readings of this version.

    Attributes:
        looks: The looks that were read again, by their numbers in the events.
        differences: Where the readings differ from the recorded ones.
    """

    looks: list[Look] = field(default_factory=list)
    differences: list[ReplayDifference] = field(default_factory=list)


def replay(run: StoredRun, pictures: Sequence[Picture]) -> Replayed:
    """Read the pictures of a run again, and compare the readings.

    The events of the record say when the run looked. Only the readings are made again; all other
    decisions, and the turns, are taken from the record.

    Raises:
        UsageError: The run cannot be replayed: nothing was read, a person showed the cube, its
            pictures were deleted, or the record comes from another version.
    """
    events = [event for _, event in events_of(run)]
    try:
        context = context_of(run)
        kind = mechanism_type(context.rig)
        rig: Mechanism = msgspec.convert(kind.renewed(dict(context.rig))[0], kind)
    except (ValueError, ThistlebotError) as error:
        raise UsageError(f"a different version recorded this run: {error}") from None
    if len(events) < len(run.events):
        raise UsageError(
            "a different version recorded this run, and some of its events cannot be read"
        )
    _require_pictures(context, events, pictures)
    found = Replayed()
    readers = _Readers(context, rig, Pictures(pictures))
    try:
        for number, event in enumerate(events, start=1):
            readers.follow(event)
            if (then := _told(event)) is not None:
                found.differences += _differences(number, event, then, readers)
                if readers.look is None:
                    break
                found.looks.append(readers.look)
    except RecordEndsError as ending:
        if run.ended:  # otherwise the last pictures may be lost, as the events after them are
            wanted = f"this version needs {ending}, which the record does not contain"
            found.differences.append(ReplayDifference(number, _name(event), "", None, wanted))
    return found


def _require_pictures(
    context: RunContext, events: Sequence[Event], pictures: Sequence[Picture]
) -> None:
    stored = context.stored
    if stored is not None and stored.guided:
        raise UsageError("a person was told what to show next, and pictures cannot repeat that")
    if not any(map(_told, events)):
        raise UsageError("it read no pictures")
    numbers = [picture.number for picture in pictures]
    if numbers != list(range(len(numbers))) or not numbers:
        raise UsageError("some of its pictures were deleted to free space, or not recorded in time")


def _told(event: Event) -> ReadingRecord | ErrorRecord | None:
    """Return the result of reading pictures, if the event tells one."""
    match event:
        case Read() | Verified():
            return event.reading
        case Ended(error) if error.kind is NoFaceError:
            return error
    return None


class _Readers:
    """The readers of a recorded run, which look and read where the run did.

    Attributes:
        look: The last look and its reading; None if there was no reading.
        error: Why there was none.
    """

    def __init__(self, context: RunContext, rig: Mechanism, pictures: Pictures) -> None:
        self.look: Look | None = None
        self.error: ThistlebotError | None = None
        self._rig = rig
        self._machine = PosedRig(context.lanes, context.pose)
        self._frames: tuple[Frame, ...] = ()
        self._glances = False
        self._moves = MoveSequence()
        self._before: Event | None = None
        views: Reader | None = None
        if context.views:
            cameras = [PlayedCamera(number, pictures) for number in range(len(context.views))]
            views = RigReader(
                RigScan(rig, context.views, context.scheme),
                cameras,
                lambda: self._machine if context.moves_machine else None,
                profile=context.profile,
                scheme=context.scheme,
                late=PlayedLateness(),
                reopen=lambda: cameras,
            )
        self._first = views
        if context.stored:
            mixed = context.stored.any_order
            self._first = PlayedPhotos(
                pictures, context.profile, any_order=mixed, scheme=context.scheme
            )
        self._afterwards = views

    def follow(self, event: Event) -> None:
        """Do what the run did at an event.

        Raises:
            RecordEndsError: A reading needs a picture that was not taken.
        """
        try:
            self._follow(event)
        except ThistlebotError as error:
            self.look, self.error = None, error
        self._before = event

    def _follow(self, event: Event) -> None:
        machine = self._machine
        match event:
            case Entered(Phase.SCAN) if self._first is not None:
                self.look, self._frames = None, self._first.look()
            case Entered(Phase.DECODE) if self._first is not None:
                self.look = Look(self._frames, self._first.read(self._frames))
            case Checking(Check.LOOK) if self._afterwards is not None:
                self._glances = self._before == Entered(Phase.VERIFY)
                take = self._afterwards.glance if self._glances else self._afterwards.look
                self.look, self._frames = None, take()
            case Checking(Check.READ) if self._afterwards is not None:
                read = self._afterwards.read_glance if self._glances else self._afterwards.read
                self.look = Look(self._frames, read(self._frames))
                self._afterwards.return_cube()
            case Planned(solution):
                self._moves = MoveSequence.parse(solution.moves)
            case Executed():
                machine.run(self._rig.plan(self._moves, machine.lanes, machine.pose))
            case Entered(Phase.VERIFY) if isinstance(self._before, Diagnosed):
                machine.pose = self._rig.ready().end  # it went to its start, and looks again
            case _:
                pass


def _differences(
    number: int, event: Event, then: ReadingRecord | ErrorRecord, readers: _Readers
) -> Iterator[ReplayDifference]:
    """Compare the fields of a recorded reading, or error, with those of this version."""
    now: ReadingRecord | ErrorRecord | None = None
    if readers.look is not None:
        now = full_reading_record(readers.look.reading)
    elif readers.error is not None:
        now = error_record(readers.error)
    if type(now) is not type(then):
        yield ReplayDifference(number, _name(event), "", then, now)
        return
    for name in then.__struct_fields__:
        before, after = getattr(then, name), getattr(now, name)
        if name != _MEASURED and before != after:
            yield ReplayDifference(number, _name(event), f"reading.{name}", before, after)


def _name(event: Event) -> str:
    return type(event).__name__.lower()


def write_pictures(
    folder: Path, run: StoredRun | None, pictures: Sequence[Picture], note: Callable[[str], None]
) -> list[Path]:
    """Write the looks of a run like `solve --save`, and plain pictures that belong to no look.

    For this, the pictures are read again, because a record does not contain everything to draw.

    Args:
        folder: The folder; created if missing.
        run: The events of the run; None if they were deleted.
        pictures: The stored pictures.
        note: Called with messages for the user.

    Returns:
        The files.

    Raises:
        UnwritableError: There is not enough room, or no permission.
    """
    if not pictures:
        note("no pictures: none were taken, or they were deleted to free space")
    looks: list[Look] = []
    if run is not None:
        try:
            again = replay(run, pictures)
            looks = again.looks
            if again.differences:
                note("this version reads these pictures differently: they show its own reading")
        except UsageError as error:
            note(str(error))
    recorder = Recorder(folder, looks)
    for _, event in () if run is None else events_of(run):
        if isinstance(event, (Read, Verified)) and event.look < len(looks):
            recorder(event)
    drawn = {(frame.source, frame.time_s) for look in looks for frame in look.frames}
    files = recorder.files
    for picture in pictures:
        if picture.png and (picture.source, picture.time_s) not in drawn:
            files.append(folder / f"picture-{picture.number + 1}.png")
            write_atomically(files[-1], picture.png)
    return files
