"""The verb `history show`: everything that the journal holds about one run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from cube.facelets import Facelets
from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.events import Ended, Entered, Event, Planned, Read
from thistlebot.journal.one_run import scheme_of
from thistlebot.journal.past_runs import find_run, past_runs
from thistlebot.journal.rows import RunRow, StoredRun
from thistlebot.journal.run_record import context_of, events_of
from thistlebot.journal.run_times import times_of
from thistlebot.records import to_line
from thistlebot.terminal.progress_listener import ProgressListener, print_times
from thistlebot.terminal.screen import Screen

Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="The run's number in `history`, `last`, or at least the first 4 "
        "characters of its uid.",
    ),
]


def show(
    run: Run,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures",
            metavar="DIR",
            help="Write the camera pictures, with the reading drawn on them.",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Show one run: reading, plan, moves, times, errors.

    [bold]thistlebot history show last[/]
    [bold]thistlebot history show 17 --pictures seen[/]
    """
    screen = Screen(quiet=json)
    with past_runs(Folders.of_platform(), screen.note) as store:
        number = find_run(store, run)
        row = store.row(number)
        assert row is not None, "it was found a moment ago"
        details = store.run(row.uid)
        kept = len(store.picture_numbers(row.uid))
        taken = () if pictures is None else store.pictures(row.uid)
    _tell(screen, number, row, details)
    screen.line(f"pictures  {kept}")
    files: list[Path] = []
    if pictures is not None:
        from thistlebot.session.replay import write_pictures

        files = write_pictures(pictures, details, taken, screen.note)
        for file in files:
            screen.line(f"picture   {file}")
    if json:
        record = {"number": number} | msgspec.structs.asdict(row)
        record |= {"context": details and details.context, "events": _event_records(details)}
        record |= {"pictures_kept": kept, "pictures": [str(file) for file in files]}
        typer.echo(to_line(record))


def _event_records(details: StoredRun | None) -> list[dict[str, object]] | None:
    if details is None:
        return None
    return [{"time_s": time_s, "event": event} for time_s, event in details.events]


def _tell(screen: Screen, number: int, row: RunRow, details: StoredRun | None) -> None:
    virtual = " (virtual)" if row.virtual else ""
    screen.line(f"run       {number}, {row.uid}")
    screen.line(f"when      {row.when}, `{row.verb}` on {row.rig}{virtual}")
    took = "" if row.seconds is None else f" after {row.seconds:.2f} s"
    screen.line(f"outcome   {row.outcome.text}{took}")
    if row.first_right is not None:
        screen.line(f"first     reading was {'right' if row.first_right else 'wrong'}")
    screen.line()
    if details is None:
        if row.facelets:
            screen.net(Facelets(row.facelets))
        if row.moves:
            screen.line(f"moves     {row.moves}")
        if row.told:
            screen.line(f"told      {row.told}")
        screen.line("the other records of this run were deleted to free space in the journal")
        return
    timed = events_of(details)
    events = [event for _, event in timed]
    _tell_events(screen, events, scheme_of(events, details))
    print_times(screen, times_of(timed))
    try:
        versions = context_of(details).versions.items()
    except ValueError:
        screen.line("versions  unknown: a different version of the program wrote this record")
    else:
        screen.line(f"versions  {', '.join(f'{name} {version}' for name, version in versions)}")


def _tell_events(screen: Screen, events: Sequence[Event], scheme: Mapping[str, str]) -> None:
    """Print the run's output once more."""
    listener = ProgressListener(screen)
    if not any(isinstance(event, Read) for event in events):
        for plan in [event for event in events if isinstance(event, Planned)][:1]:
            screen.net(Facelets(plan.solution.facelets), scheme)
    for event in events:
        if isinstance(event, Ended):
            screen.line(f"ended     {event.error.text}")
        elif not isinstance(event, Entered):
            listener(event)
