"""The verb `history list`: the runs in the journal, and their statistics."""

from datetime import datetime
from typing import Annotated

import msgspec
import typer

from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.journal.past_runs import past_runs, solves_by_rig
from thistlebot.journal.rows import EVERY_RUN, Outcome, RunRow, Wanted
from thistlebot.journal.sharing.cstimer import cstimer_csv
from thistlebot.journal.statistics import (
    DNF,
    Averages,
    Solves,
    Summary,
    last_days,
)
from thistlebot.journal.store import Store
from thistlebot.output import printable
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen

_LISTED = 20
_DAYS = 7
_TOLD = 60
"""Number of letters of the error text in the list; `history show` prints the rest."""


def list_(
    last: Annotated[
        int | None,
        typer.Option(
            "--last",
            metavar="N",
            min=1,
            help="Show the last N runs. Default: 20 in the list, else all.",
        ),
    ] = None,
    virtual: Annotated[
        bool, typer.Option("--virtual", help="Show runs of virtual machines instead of real ones.")
    ] = False,
    rig: Annotated[
        str | None,
        typer.Option("--rig", metavar="NAME", help="Show only runs of the rig with this name."),
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since",
            metavar="DATE",
            formats=["%Y-%m-%d", "%Y-%m-%d %H:%M"],
            help="Show only runs since this date.",
        ),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print the solves in csTimer's format.")] = (
        False
    ),
    json: options.Json = False,
) -> None:
    """List the runs, with statistics.

    The statistics are the best solve, averages of five and twelve as in speedcubing, the share of
    correct first readings, the share of verified solves, and the last few days.

    [bold]thistlebot history --since 2026-11-22[/]
    [bold]thistlebot history --csv > solves.csv[/]
    """
    if json and csv:
        raise UsageError("--json and --csv select different outputs; give one of them")
    screen = Screen(quiet=json or csv)
    with past_runs(Folders.of_platform(), screen.note) as store:
        wanted = _wanted(store, screen, rig, since, virtual=virtual)
        if wanted is None:
            return
        if csv:
            solved = store.latest(msgspec.structs.replace(wanted, solves=True), last or -1)
            typer.echo(printable(cstimer_csv(row for _, row in solved)), nl=False)
        elif json:
            for number, row in store.latest(wanted, last or -1):
                typer.echo(to_line({"number": number} | msgspec.structs.asdict(row)))
        else:
            by_rig = solves_by_rig(store, wanted) or {"": Solves.of(())}
            _list(screen, store.latest(wanted, last or _LISTED))
            for name, solves in reversed(by_rig.items()):
                _sum_up(screen, f" on {name}" if len(by_rig) > 1 else "", solves)


def _wanted(
    store: Store, screen: Screen, rig: str | None, since: datetime | None, *, virtual: bool
) -> Wanted | None:
    """Return the runs to show; None, with a note, if there are none.

    Raises:
        UsageError: There was never such a rig.
    """
    if not store.latest(EVERY_RUN, 1):
        screen.note("there are no runs yet; the first solve creates one")
        return None
    if rig is not None:
        rigs = dict.fromkeys(name for (name,) in store.columns("rig"))
        if rig not in rigs:
            raise UsageError(f"no runs of rig {rig!r}; the journal has runs of {', '.join(rigs)}")
    wanted = Wanted(
        virtual=(virtual,),
        rig=() if rig is None else (rig,),
        since=0.0 if since is None else since.timestamp(),
        imported=(False,),
    )
    found = store.columns("outcome", wanted=wanted)
    others = msgspec.structs.replace(wanted, virtual=(not virtual,))
    hidden = len(store.columns("id", wanted=others))
    if virtual or not hidden:
        if not found:
            screen.note("no runs of virtual machines match" if virtual else "no runs match")
        return wanted if found else None
    runs = f"{hidden} {'run' if hidden == 1 else 'runs'} of virtual machines"
    if any(outcome != Outcome.PLANNED for (outcome,) in found):
        screen.note(f"{runs} not listed; --virtual lists them")
        return wanted
    screen.note(f"no real machine was turned, so {runs} are listed, too")
    return msgspec.structs.replace(wanted, virtual=())


def _list(screen: Screen, rows: list[tuple[int, RunRow]]) -> None:
    wide = max(len(row.rig) for _, row in rows)
    screen.line(f"{'run':>6}  {'when':<19}  {'outcome':<11} {'seconds':>8} {'turns':>5}  rig")
    for number, row in rows:
        seconds = "–" if row.seconds is None else f"{row.seconds:.2f}"
        turns = "–" if row.turns is None else row.turns
        told = row.told if len(row.told) <= _TOLD else f"{row.told[:_TOLD]}…"
        figures = f"{row.outcome.text:<11} {seconds:>8} {turns:>5}"
        line = f"{number:>6}  {row.when}  {figures}  {row.rig:<{wide}}  {told}"
        screen.line(line.rstrip())


def _sum_up(screen: Screen, where: str, solves: Solves) -> None:
    """Print the statistics of a rig's solves, and the last days."""
    summary = Summary.of(solves)
    screen.line()
    screen.line(f"solves    {summary.solves}{where}")
    if not summary.solves:
        return
    if summary.best_s is not None:
        screen.line(f"best      {_time(summary.best_s)}, run {summary.best_number}")
        screen.line(f"mean      {_time(summary.mean_s)} over verified solves")
    for name, averages in (("ao5", summary.ao5), ("ao12", summary.ao12)):
        screen.line(f"{name:<9} {_averages(averages)}")
    screen.line(
        f"right     {_share(summary.first_right)} of the first readings that could be checked"
    )
    screen.line(f"verified  {_share(summary.verified)} of the solves that were turned")
    days = [(day, Summary.of(those)) for day, those in last_days(solves, _DAYS)]
    if len(days) < 2:
        return
    screen.line()
    screen.line(
        f"{'day':<10} {'solves':>6} {'median':>8} {'turns':>6} {'right':>7} {'verified':>8}"
    )
    for day, each in days[::-1]:
        turns = "–" if each.median_turns is None else f"{each.median_turns:g}"
        screen.line(
            f"{day} {each.solves:>6} {_time(each.median_s):>8} {turns:>6} "
            f"{_share(each.first_right):>7} {_share(each.verified):>8}"
        )


def _averages(averages: Averages) -> str:
    if averages.current is None:
        return "– (too few solves)"
    return f"{_time(averages.current)}, best {_time(averages.best)}"


def _time(seconds: float | None) -> str:
    return "–" if seconds is None else "DNF" if seconds == DNF else f"{seconds:.2f} s"


def _share(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
