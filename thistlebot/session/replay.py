"""The replay of a recorded run: the same session decides again, with the record as its world.

It also writes the pictures of a run as files, with their readings drawn over them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
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
from thistlebot.reading.late_cameras import PlayedLateness
from thistlebot.reading.reader import Look, Reader, ReopeningReader
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_views import RigScan
from thistlebot.session.composing import Recorder
from thistlebot.session.recorded_world import (
    Pictures,
    PlayedCamera,
    PlayedColours,
    PlayedFreshness,
    PlayedPhotos,
    PlayedRig,
    PlayedSolver,
    RecordEndsError,
)
from thistlebot.session.session import Session
from thistlebot.session.target import Target
from vision.errors import NoFaceError

_DECISIONS = (MisreadError, UnsolvableCubeError, NotVerifiedError, NoFaceError, NotPossibleError)
"""Errors that the program decides; all others come from the world."""
_PROGRESS = (Looked, Checking)
"""Events about the progress of a look: not decisions, and different in other versions."""
_MEASURED = frozenset({"elapsed_ms", "cpu_ms"})
"""Fields that differ from run to run."""
_ADDED = frozenset({"steps"})
"""Fields that are missing in records of earlier versions."""


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """A different decision in the same run.

    Attributes:
        event: Number of the event in the run, from 1.
        kind: Its name.
        place: The field that differs, such as ``reading.margin``; empty for the whole event.
        then: The recorded value, as JSON; None if there is none.
        now: The value of this version.
    """

    event: int
    kind: str
    place: str
    then: Any
    now: Any


@dataclass(slots=True)
class Decided:
    """The decisions of this version about a run.

    Attributes:
        events: Events of the session.
        looks: The looks.
        asked: A request that the record cannot answer; empty if there is none.
    """

    events: list[Event] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    asked: str = ""


def replay(run: StoredRun, pictures: Sequence[Picture]) -> tuple[ReplayDifference, ...]:
    """Decide a run again from its pictures, and return the differences.

    The result of the search is taken from the record, because its end depends on the clock, and is
    checked: it must solve the cube that is read. Everything else is decided again: readings,
    whether to trust them, the schedule, verification, and the diagnosis.

    Args:
        run: The recorded run.
        pictures: Its pictures, in the order of exposure.

    Returns:
        Nothing if every decision is the same, byte for byte.

    Raises:
        UsageError: The record comes from another version and cannot be read, or its pictures were
            deleted to free space.
    """
    return differences(run, decide_again(run, pictures))


def differences(run: StoredRun, again: Decided) -> tuple[ReplayDifference, ...]:
    """Return where a run differs; see `replay`.

    Args:
        run: The recorded run.
        again: The decisions of this version.
    """
    then = _decisions(event for _, event in events_of(run))
    now = _decisions(again.events)
    last = then[-1][1] if then else None
    if not run.ended:  # the last pictures may be lost together with the events after them
        least = min(len(then), len(now))
        then, now = then[:least], now[:least]
    elif isinstance(last, Ended) and last.error.kind not in _DECISIONS:
        then = then[:-2]  # without the transition to its end, which the world decided
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
    """Run the session of a run once more.

    Raises:
        UsageError: See `replay`.
    """
    then = [event for _, event in events_of(run)]
    try:
        context = context_of(run)
        kind = mechanism_type(context.rig)
        rig: Mechanism = msgspec.convert(kind.renewed(dict(context.rig))[0], kind)
    except (ValueError, ThistlebotError) as error:
        raise UsageError(f"a different version recorded this run: {error}") from None
    if len(then) < len(run.events):
        raise UsageError(
            "a different version recorded this run, and some of its events cannot be read"
        )
    _require_pictures(context, then, pictures)
    again = Decided()
    if context.moves:  # the moves were given: nothing was decided
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
            late=PlayedLateness(),
        )
        views.on_stop = lambda done, total: again.events.append(Looked(done, total))

    def listen(event: Event) -> None:
        again.events.append(event)

    reader: Reader | None = views
    if context.stored is not None:
        reader = _stored_reader(context, context.stored, pictures)
    fresh = PlayedFreshness(then)
    session = Session(
        PlayedSolver(then),
        rig,
        reader=reader,
        checker=ReopeningReader(views, lambda: views) if context.checks and views else None,
        driver=played if context.moves_machine else None,
        turn=context.turns,
        listeners=(listen, fresh),
        looks=again.looks,
        target=_target_of(context),
        plans_again=context.plans_again,
        settle=lambda _: None,
        fresh=fresh,
    )
    if Entered(Phase.SCAN) in then[:1]:
        session.run()
    else:
        plans = (event.solution for event in then if isinstance(event, Planned))
        session.run(CubeState.from_facelets(Facelets(next(plans).facelets)))


def _target_of(context: RunContext) -> Target | None:
    if context.target is None:
        return None
    return replace(Target.of(context.target), scheme=context.target_scheme)


def _stored_reader(context: RunContext, stored: StoredCube, pictures: Pictures) -> Reader:
    ways = {"any_orientation": stored.any_orientation, "any_order": stored.any_order}
    if stored.rgb:
        return PlayedColours(stored.rgb, context.profile, scheme=context.scheme, **ways)
    return PlayedPhotos(pictures, context.profile, scheme=context.scheme, **ways)


def _decisions(events: Iterable[Event]) -> list[tuple[int, Event]]:
    """Return the events with their numbers, without those that only report progress."""
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
            return  # from here on the two runs differ
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
    """Write the looks of a run like `solve --save`, and plain pictures that belong to no look.

    For this, a reading is made again, because a record does not contain everything to draw.

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
