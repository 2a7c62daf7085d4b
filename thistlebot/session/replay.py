"""A recorded run, decided again: the same session, with the record in place of the world.

The pictures of a run as files, with what was read drawn over them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from cube.errors import ThistlebotError
from cube.facelets import Facelets
from cube.state import CubeState
from documents.files import write_atomically
from robot.errors import NotPossibleError
from robot.rigs.catalogue import mechanism_type
from robot.rigs.mechanism import Mechanism
from thistlebot.errors import MisreadError, NotVerifiedError, UnsolvableCubeError, UsageError
from thistlebot.events import (
    Checking,
    Ended,
    Entered,
    Event,
    Looked,
    Phase,
    Planned,
    Read,
    Verified,
    encode,
)
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.journal.run_record import RunContext, StoredCube, context_of, events_of
from thistlebot.reading.reader import Look, Reader, ReopeningReader
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_views import RigScan
from thistlebot.session.recorded_world import (
    Pictures,
    PlayedCamera,
    PlayedColours,
    PlayedPhotos,
    PlayedRig,
    PlayedSolver,
    RecordEndsError,
)
from thistlebot.session.recorder import Recorder
from thistlebot.session.session import Session
from thistlebot.session.target import Target
from vision.errors import NoFaceError

_DECISIONS = (MisreadError, UnsolvableCubeError, NotVerifiedError, NoFaceError, NotPossibleError)
"""Errors that the program decides; any other one is what the world did."""
_PROGRESS = (Looked, Checking)
"""Events that say how far a look is: no decision, and other versions tell it otherwise."""
_MEASURED = frozenset({"elapsed_ms", "cpu_ms"})
"""Fields that differ from run to run, whatever is decided."""
_ADDED = frozenset({"steps"})
"""Fields that records of earlier versions lack."""


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """Where the same run is decided otherwise.

    Attributes:
        event: Number of the event in the run, from 1.
        kind: Its name.
        place: The field that differs, such as ``reading.margin``; empty for the event as a whole.
        then: What the record says, as JSON has it; None where it says nothing.
        now: What this version decides.
    """

    event: int
    kind: str
    place: str
    then: Any
    now: Any


@dataclass(slots=True)
class Decided:
    """What this version makes of a run.

    Attributes:
        events: Of the session.
        looks: What was seen.
        asked: What it asked of the world that the record does not say; empty if nothing.
    """

    events: list[Event] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    asked: str = ""


def replay(run: StoredRun, pictures: Sequence[Picture]) -> tuple[ReplayDifference, ...]:
    """Decide a run again from its pictures, and say where that goes otherwise than then.

    What the search found is taken as it was found, because it stops by the clock, and is checked:
    it has to solve the cube that is read. Everything else is decided again: readings, whether to
    trust them, the plan in time, verification, and what went wrong.

    Args:
        run: What was recorded.
        pictures: Of the run, in the order in which they were taken.
        looks: Where to keep what is seen, as this version reads it.

    Returns:
        Nothing when every decision is the same, byte for byte.

    Raises:
        UsageError: The record is of another version and cannot be read, or its pictures were given
            up for lack of room.
    """
    return differences(run, decide_again(run, pictures))


def differences(run: StoredRun, again: Decided) -> tuple[ReplayDifference, ...]:
    """Say where a run goes otherwise than then; see `replay`.

    Args:
        run: What was recorded.
        again: What this version makes of it.
    """
    then = _decisions(event for _, event in events_of(run))
    now = _decisions(again.events)
    last = then[-1][1] if then else None
    if not run.ended:  # the last pictures may be lost with what followed them
        least = min(len(then), len(now))
        then, now = then[:least], now[:least]
    elif isinstance(last, Ended) and last.error.kind not in _DECISIONS:
        then = then[:-2]  # without the way into its end, which the world decided
        now = now[: len(then)]
    return tuple(_differences(then, now, again.asked))


def _require_pictures(
    context: RunContext, then: Sequence[Event], pictures: Sequence[Picture]
) -> None:
    stored = context.stored
    if stored is not None and stored.guided:
        raise UsageError("a person was told what to show next, and pictures cannot repeat that")
    numbers = [picture.number for picture in pictures]
    if numbers != list(range(len(numbers))):
        raise UsageError("some of its pictures were deleted to free space")
    has_colours = stored is not None and stored.rgb
    if not numbers and not has_colours and Entered(Phase.SCAN) in then[:1]:
        raise UsageError("it has no pictures")


def decide_again(run: StoredRun, pictures: Sequence[Picture]) -> Decided:
    """Go through the session of a run once more.

    Raises:
        UsageError: See `replay`.
    """
    then = [event for _, event in events_of(run)]
    try:
        context = context_of(run)
        rig: Mechanism = msgspec.convert(context.rig, mechanism_type(context.rig))
    except (msgspec.DecodeError, ThistlebotError) as error:
        raise UsageError(f"a different version recorded this run: {error}") from None
    if len(then) < len(run.events):
        raise UsageError(
            "a different version recorded this run, and some of its events cannot be read"
        )
    _require_pictures(context, then, pictures)
    again = Decided()
    if context.moves:  # somebody gave them: nothing was decided
        again.events = then
        return again
    try:
        if then:
            _decide(context, rig, then, Pictures(pictures), again)
    except RecordEndsError as ending:
        again.asked = str(ending)
    except ThistlebotError:
        pass  # a decision of its own: the last event
    return again


def _decide(
    context: RunContext, rig: Mechanism, then: Sequence[Event], pictures: Pictures, again: Decided
) -> None:
    played = PlayedRig(rig, then, context.lanes, context.pose)
    cameras = [PlayedCamera(number, pictures) for number in range(len(context.views))]
    views = None
    if context.views:
        views = RigReader(
            RigScan(rig, context.views, context.scheme),
            cameras,
            lambda: played if context.moves_machine else None,
            profile=context.profile,
            scheme=context.scheme,
        )
        views.on_stop = lambda done, total: again.events.append(Looked(done, total))

    def listen(event: Event) -> None:
        again.events.append(event)

    reader: Reader | None = views
    if context.stored is not None:
        reader = _stored_reader(context, context.stored, pictures)
    session = Session(
        PlayedSolver(then),
        rig,
        reader=reader,
        checker=ReopeningReader(views, lambda: views) if context.checks and views else None,
        driver=played if context.moves_machine else None,
        turn=context.turns,
        listeners=(listen,),
        looks=again.looks,
        target=_target_of(context),
        plans_again=context.plans_again,
        settle=lambda _: None,
    )
    if context.resumed is not None:
        session.resume(context.resumed)
    elif Entered(Phase.SCAN) in then[:1]:
        session.run()
    else:
        plans = (event.solution for event in then if isinstance(event, Planned))
        session.run(CubeState.from_facelets(Facelets(next(plans).facelets)))


def _target_of(context: RunContext) -> Target | None:
    if context.target is None:
        return None
    return Target(CubeState.from_facelets(Facelets(context.target)), context.target_scheme)


def _stored_reader(context: RunContext, stored: StoredCube, pictures: Pictures) -> Reader:
    ways = {"any_orientation": stored.any_orientation, "any_order": stored.any_order}
    if stored.rgb:
        return PlayedColours(stored.rgb, context.profile, scheme=context.scheme, **ways)
    return PlayedPhotos(pictures, context.profile, scheme=context.scheme, **ways)


def _decisions(events: Iterable[Event]) -> list[tuple[int, Event]]:
    """Return the events with their numbers, without those that only tell of progress."""
    numbered = enumerate(events, start=1)
    return [(number, event) for number, event in numbered if not isinstance(event, _PROGRESS)]


def _differences(
    then: Sequence[tuple[int, Event]], now: Sequence[tuple[int, Event]], asked: str
) -> Iterator[ReplayDifference]:
    for (number, event), (_, again) in zip(then, now, strict=False):
        before, after = _as_json(event), _as_json(again)
        found = [
            ReplayDifference(number, str(before["event"]), place, *values)
            for place, values in _unlike(before, after)
        ]
        yield from found
        if before["event"] != after["event"]:
            return  # from here on these are two stories
    if len(now) > len(then):
        number, more = now[len(then)]
        after = _as_json(more)
        yield ReplayDifference(number, str(after["event"]), "", None, after)
    if len(now) < len(then):
        number, lost = then[len(now)]
        before = _as_json(lost)
        wanted = f"this version needs {asked}, which the record does not contain" if asked else None
        yield ReplayDifference(number, str(before["event"]), "", before, wanted)


def _as_json(event: Event) -> Any:
    return msgspec.json.decode(encode(event))


def _unlike(then: Any, now: Any, place: str = "") -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield the fields that differ, with both values."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*then, *now]):
            if key not in _MEASURED and not (key in _ADDED and key not in then):
                inner = f"{place}.{key}" if place else str(key)
                yield from _unlike(then.get(key), now.get(key), inner)
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from _unlike(one, other, f"{place}[{number}]")
    elif then != now or type(then) is not type(now):
        yield place, (then, now)


def write_pictures(
    folder: Path, run: StoredRun | None, pictures: Sequence[Picture], note: Callable[[str], None]
) -> list[Path]:
    """Write the looks of a run as `solve --save` does, and plain pictures that are in no look.

    A reading is made again for that, because a record has no room for all that is drawn.

    Args:
        folder: Where to write them; made unless it is there.
        run: What was said of it; None when that was given up.
        pictures: Those that are still there.
        note: Told what a person should know.

    Returns:
        The files.

    Raises:
        UnwritableError: There is no room, or no permission.
    """
    if not pictures:
        note("no pictures: none were taken, or they were deleted to free space")
    looks: list[Look] = []
    if run is not None:
        try:
            again = decide_again(run, pictures)
            looks = again.looks
            if differences(run, again):
                note("this version decides this run differently: the pictures show its own reading")
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
