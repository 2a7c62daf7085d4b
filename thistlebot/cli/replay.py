"""The verbs `history replay`, `history export` and `history import`."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.past_runs import find_run, past_runs
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.journal.run_row import row_of
from thistlebot.journal.sharing.bundle import (
    SUFFIX,
    bundle_name,
    bundles_in,
    read_bundle,
    write_bundle,
)
from thistlebot.journal.store import Store
from thistlebot.records import to_line
from thistlebot.session.replay import ReplayDifference, replay
from thistlebot.terminal.screen import Screen

_LONGEST = 60
"""Number of characters of a value that are printed."""

Runs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN…",
        help=f"Number of a run, `last`, a bundle, or a folder of bundles (*{SUFFIX}).",
    ),
]
Run = Annotated[str, typer.Argument(metavar="RUN", help="Number of a run, or `last`.")]


@dataclass(frozen=True, slots=True)
class _Found:
    """A run to replay, and the name to print for it."""

    name: str
    run: StoredRun | None
    pictures: tuple[Picture, ...]


def replay_runs(
    runs: Runs = None,
    every: Annotated[
        bool, typer.Option("--all", help="Replay every run in the journal that has pictures.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Read the pictures of runs again, and report differences.

    The exit code is 7 if a reading differs.

    [bold]thistlebot history replay last[/]
    [bold]thistlebot history replay --all bundles/[/]    after a code change: which readings differ?
    """
    if not runs and not every:
        raise UsageError("no run given: name a run (such as last), a bundle, or --all")
    screen = Screen(quiet=json)
    counts = {"same": 0, "otherwise": 0, "not replayed": 0}
    with past_runs(Folders.of_platform(), screen.note) as store, screen.progress() as progress:
        task = progress.add_task("replaying", total=None)
        for found in _chosen(store, runs or [], every=every):
            counts[_replay_one(found, screen, json=json)] += 1
            progress.update(task, advance=1)
    screen.line(", ".join(f"{count} {what}" for what, count in counts.items() if count))
    if counts["otherwise"]:
        raise typer.Exit(ExitCode.NOT_VERIFIED)


def _chosen(store: Store, names: list[str], *, every: bool) -> Iterator[_Found]:
    for name in names:
        path = Path(name)
        if path.is_dir():
            yield from (_Found(file.name, *read_bundle(file)) for file in bundles_in(path))
        elif path.is_file():
            yield _Found(path.name, *read_bundle(path))
        else:
            yield _stored(store, find_run(store, name))
    if every and not names:
        yield from (_stored(store, number) for (number,) in store.columns("id"))


def _stored(store: Store, number: int) -> _Found:
    row = store.row(number)
    assert row is not None, "a run that was found is there"
    return _Found(f"run {number}", store.run(row.uid), store.pictures(row.uid))


def _recorded(found: _Found) -> StoredRun:
    """Return the recorded data of a run.

    Raises:
        UsageError: They were deleted.
    """
    if found.run is None:
        raise UsageError("its record was deleted to free space")
    return found.run


def _replay_one(found: _Found, screen: Screen, *, json: bool) -> str:
    """Replay a run, print the result, and return its kind."""
    differences: list[ReplayDifference] = []
    why_not = ""
    try:
        differences = replay(_recorded(found), found.pictures).differences
    except UsageError as error:
        why_not = str(error)
    kind = "not replayed" if why_not else "otherwise" if differences else "same"
    if json:
        told: dict[str, object] = {"run": found.name, "uid": found.run.uid if found.run else None}
        told |= {"same": None if why_not else not differences, "not_replayed": why_not or None}
        typer.echo(to_line(told | {"differences": [asdict(each) for each in differences]}))
    screen.line(f"{found.name:<10} {'the same' if kind == 'same' else why_not or 'different:'}")
    for each in differences:
        where = f"{each.kind} {each.place}".strip()
        screen.line(f"  event {each.event}, {where}: {_shown(each.then)} → {_shown(each.now)}")
    return kind


def _shown(value: Any) -> str:
    text = "nothing" if value is None else value if isinstance(value, str) else to_line(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def export_run(
    run: Run,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"File to write. Default: run-…{SUFFIX} in this folder."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Pack a run into one file, for a bug report.

    It contains the pictures, but no user names and no paths.
    """
    screen = Screen(quiet=json)
    with past_runs(Folders.of_platform(), screen.note) as store:
        found = _stored(store, find_run(store, run))
    recorded = _recorded(found)
    file = output or Path(bundle_name(recorded))
    write_bundle(file, recorded, found.pictures)
    pictures = len(found.pictures)
    screen.line(f"wrote     {file} ({file.stat().st_size / 1e6:.1f} MB, {pictures} pictures)")
    if json:
        typer.echo(to_line({"file": str(file), "uid": recorded.uid, "pictures": pictures}))


def import_runs(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Bundles of runs.")],
    json: options.Json = False,
) -> None:
    """Import the runs of other computers.

    They join the journal, for `history show` and `history replay`, but do not count in the
    statistics of `history`.
    """
    screen = Screen(quiet=json)
    bundles = [(file, *read_bundle(file)) for file in files]  # all or none
    with past_runs(Folders.of_platform(), screen.note) as store:
        for file, run, pictures in bundles:
            number = store.number_of(run.uid)
            known = number is not None
            if not known:
                told = len(run.context) + sum(len(event) for _, event in run.events)
                store.require_room(told + sum(len(each.png) for each in pictures))
                for picture in pictures:
                    store.add_picture(run.uid, picture)
                store.add_run(msgspec.structs.replace(row_of(run), imported=True), run)
                number = store.number_of(run.uid)
            there = "is already in the journal" if known else f"from {file}"
            screen.line(f"run {number:<5} {there}")
            if json:
                typer.echo(to_line({"run": number, "uid": run.uid, "known": known}))
