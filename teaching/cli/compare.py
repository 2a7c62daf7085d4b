"""The verb `school compare`: methods side by side, on one scramble or many random states."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from cube.random_states import random_state
from robot.rigs.mechanism import Mechanism
from solver.errors import SolverError
from teaching.cli.language import Facelets, Scramble
from teaching.comparison import StateTrial, run_trials
from teaching.comparison_report import published, results, table
from teaching.methods.catalogue import ENTRIES, PUBLISHED, parameters
from thistlebot.cli import options
from thistlebot.cli.option_rules import require_with
from thistlebot.config import Folders, load_rig
from thistlebot.errors import StoppedError, UsageError
from thistlebot.reading.typed_cube import TypedCube
from thistlebot.records import to_line
from thistlebot.session.cube_source import CubeSource, require_one
from thistlebot.terminal.screen import Screen

_MOST_JOBS = 256


def _jobs(number: int) -> int:
    if number == 0:
        raise typer.BadParameter("must be at least 1, or -1 for one per core")
    return number


Rigs = Annotated[
    list[Path] | None,
    typer.Option("--rig", metavar="FILE", help="Rig used to estimate times; repeatable."),
]

Methods = Annotated[
    str,
    typer.Option(
        metavar="NAME,…",
        help="Methods to compare, separated by commas. Default: all. Parameters: "
        "fridrich-plain:population=100:survivors=10:appended=5:generations=20000, "
        "thistlethwaite-five:one.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        metavar="N",
        max=_MOST_JOBS,
        callback=_jobs,
        help="Number of processes; -1 for one per core.",
    ),
]


def compare(
    context: typer.Context,
    states: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Solve N random states.")
    ] = None,
    scramble: Scramble = None,
    facelets: Facelets = None,
    order: options.Order = None,
    s4: Annotated[
        bool, typer.Option("--s4", help="Solve the three states whose results S4 published.")
    ] = False,
    methods: Methods = "",
    jobs: Jobs = -1,
    dask: Annotated[
        str | None,
        typer.Option(metavar="SCHEDULER", help="Run on a dask cluster instead of this computer."),
    ] = None,
    rig: Rigs = None,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Solve the same states by several methods.

    Every answer is replayed to check it. S2's evolution (fridrich-plain) has the parameters
    population, survivors, appended and generations. Thistlethwaite's methods with :one use one
    orientation of the cube, as S2 does, instead of six.

    With --json, the output has one line for each state, then one for each method and one for each
    published figure.

    [bold]thistlebot school compare --scramble "R U F2 D"[/]
    [bold]thistlebot school compare --states 1000 --methods fridrich,thistlethwaite-five-iddfs[/]
    [bold]thistlebot school compare --states 20 --methods thistlethwaite,thistlethwaite:one[/]
    [bold]thistlebot school compare --states 100000 --dask tcp://scheduler:8786[/]
    """
    screen, folders = Screen(quiet=json), Folders.of_platform()
    chosen = _methods(methods, one=scramble is not None or facelets is not None)
    require_with(context, ("order", "--facelets", facelets is not None))
    given = {"states": states, "scramble": scramble, "facelets": facelets}
    require_one(**given, s4=s4 or None)
    if not any((states, scramble is not None, facelets, s4)):
        raise UsageError(
            "no cube given: add --scramble MOVES, --facelets S, or --states N for random ones "
            "(100 take some minutes)"
        )
    typed = CubeSource(facelets=facelets, scramble=scramble, order=order).typed()
    if typed is not None:
        typed.tell(screen.note)
    cubes = _states(states, typed, seed or 0, s4=s4)
    rigs = _rigs(rig, folders)
    trials = _trials(cubes, chosen, (1 if len(cubes) == 1 else jobs, dask), screen)
    found, figures = results(trials, chosen, rigs), published(trials, chosen)
    for line in table(found, figures):
        screen.line(line)
    if json:
        for trial in trials:
            typer.echo(to_line({"facelets": trial.facelets, "attempts": trial.attempts}))
        for record in [*map(asdict, found), *map(asdict, figures)]:
            typer.echo(to_line(record))


def _trials(
    cubes: list[str], methods: tuple[str, ...], engine: tuple[int, str | None], screen: Screen
) -> list[StateTrial]:
    """Solve the cubes on some cores or a cluster, and show progress; return their trials in order.

    Raises:
        StoppedError: The user stopped.
    """
    trials: list[StateTrial] = []
    if not screen.live.is_terminal:
        screen.note(f"comparing {len(methods)} methods on {len(cubes)} states")
    columns = (TextColumn("comparing"), BarColumn(bar_width=30), MofNCompleteColumn())
    jobs, scheduler = engine
    with screen.progress(*columns, TimeRemainingColumn()) as bar:
        task = bar.add_task("", total=len(cubes))
        try:
            for trial in run_trials(cubes, methods, jobs=jobs, scheduler=scheduler):
                trials.append(trial)
                bar.update(task, completed=len(trials))
        except KeyboardInterrupt:
            raise StoppedError(f"stopped after {len(trials)} of {len(cubes)} states") from None
    return sorted(trials, key=lambda each: cubes.index(each.facelets))


def _methods(text: str, *, one: bool) -> tuple[str, ...]:
    """The named methods; by default all, or for random states those that solve any state."""
    names = tuple(dict.fromkeys(name for name in text.split(",") if name))
    for name in names:
        try:
            parameters(name)
        except SolverError as error:
            raise UsageError(str(error)) from error
    return names or tuple(entry.name for entry in ENTRIES if one or entry.any_state)


def _states(states: int | None, typed: TypedCube | None, seed: int, *, s4: bool) -> list[str]:
    if typed is not None:
        return [typed.state.to_facelets().text]
    if s4:
        return [figure.facelets for figure in PUBLISHED if figure.facelets]
    rng = np.random.default_rng(seed)
    return [random_state(rng).to_facelets().text for _ in range(states or 0)]


def _rigs(files: list[Path] | None, folders: Folders) -> dict[str, Mechanism]:
    """The rigs by name; rigs with the same name get a number."""
    rigs: dict[str, Mechanism] = {}
    for number, file in enumerate(files or [None], start=1):
        rig = load_rig(file, folders)
        rigs[rig.name if rig.name not in rigs else f"{rig.name} {number}"] = rig
    return rigs
