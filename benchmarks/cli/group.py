"""The verbs `bench …`: what is claimed, measured here."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from benchmarks.cli.corners import corners
from benchmarks.cli.firmware import firmware
from benchmarks.cli.rigs import rigs
from benchmarks.cli.start import start
from benchmarks.cli.vision import vision
from benchmarks.solver.answers import BenchResult, benchmark_solver, plot_svg, ratios
from documents.files import write_atomically
from robot.rigs.catalogue import default_rig
from robot.rigs.mechanism import Mechanism
from solver.goal import Goal
from solver.search.metrics import METRICS
from thistlebot.cli import options
from thistlebot.cli.tables import wait_for_tables
from thistlebot.config import Folders, load_rig
from thistlebot.errors import UsageError
from thistlebot.records import to_line
from thistlebot.solving.approach import LONGEST_MS, Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.screen import Screen


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    group = typer.Typer(no_args_is_help=True, help="Measure what is claimed, on this computer.")
    group.callback()(_group)
    group.command("solver")(solver)
    group.command("vision")(vision)
    group.command("firmware")(firmware)
    group.command("corners")(corners)
    group.command("rigs")(rigs)
    group.command("start")(start)
    app.add_typer(group, name="bench")


def _group() -> None:
    pass


def solver(
    states: Annotated[int, typer.Option(metavar="N", min=1, help="How many random states.")] = 1000,
    budgets: Annotated[
        str, typer.Option(metavar="MS,…", help="Processor time for each state, several budgets.")
    ] = "1,10,100",
    objective: options.Objective = Goal.HTM,
    forbidden: options.Forbidden = "",
    threads: options.Threads = 1,
    memory: options.Memory = None,
    seed: options.Seed = 1,
    replays: Annotated[
        str,
        typer.Option(
            metavar="GOAL,…", help="Also count the answers for these objectives by this one."
        ),
    ] = "",
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the histograms as an SVG picture.")
    ] = None,
    rig: options.Rig = None,
    json: options.Json = False,
) -> None:
    """Solve random states at several budgets, beside the installed peers; every answer is replayed.

    Peers are the PyPI packages kociemba and RubikTwoPhase, where they are installed. What they cost
    and take in the same run tells more of any machine than milliseconds do, so ratios come last.
    """
    screen, goals, budgets_ms = Screen(quiet=json), _goals(replays), _budgets(budgets)
    folders = Folders.of_platform()
    rig_ = load_rig(rig, folders) if rig else default_rig()
    approach = Approach(
        goal=objective, threads=threads, forbidden=forbidden.upper(), memory_mb=memory
    )
    solving = _ready(approach, rig_, folders, screen)
    others = {
        goal.value: _ready(replace(approach, goal=goal), rig_, folders, screen).tables()
        for goal in goals
    }
    results = []
    screen.line(_header(objective))
    with screen.progress(
        TextColumn("{task.description}"), BarColumn(bar_width=30), MofNCompleteColumn()
    ) as bar:
        task = bar.add_task("", total=states)
        for result in benchmark_solver(
            solving.tables(),
            states=states,
            seed=seed or 0,
            budgets_ms=budgets_ms,
            objective=solving.objective,
            forbidden=solving.forbidden,
            threads=threads,
            replays=others,
            progress=lambda name, done, total: bar.update(
                task, description=name, completed=done, total=total
            ),
        ):
            results.append(result)
            screen.line(_row(result))
            if json:
                typer.echo(to_line(_record(result)))
    for ratio in ratios(results, threads):
        screen.line(
            f"{ratio.solver} at {ratio.budget_ms:g} ms: {ratio.cost:.3f} of the mean of "
            f"{ratio.peer}, in {ratio.cpu:.2f} of its processor time"
        )
        if json:
            typer.echo(to_line(asdict(ratio)))
    if plot is not None:
        write_atomically(plot, plot_svg(results))
        screen.note(f"wrote {plot}")


def _ready(approach: Approach, rig: Mechanism, folders: Folders, screen: Screen) -> Solving:
    """Return a solver whose full tables are there."""
    solving = Solving(folders.cache, approach, rig, screen.note, build=True)
    wait_for_tables(solving, screen)
    return solving


def _header(objective: Goal) -> str:
    unit = "ms" if objective is Goal.TIME else objective.value
    return (
        f"{'solver':<26} {'budget':>8} {f'mean {unit}':>12} {'median':>7} {'max':>6} "
        f"{'cpu':>9} {'kept':>6} {'memory':>8}"
    )


def _goals(text: str) -> list[Goal]:
    names = [name for name in text.split(",") if name]
    unknown = [name for name in names if name not in METRICS]
    if unknown:
        raise UsageError(f"--replays {text!r}: choose of htm, qtm, axial and axial-qtm")
    return [Goal(name) for name in names]


def _budgets(text: str) -> tuple[float, ...]:
    try:
        budgets = tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"--budgets {text!r}: write milliseconds such as 1,10,100") from error
    if not all(0 < budget <= LONGEST_MS for budget in budgets):
        raise UsageError(
            f"--budgets {text!r}: a budget is above 0 ms and at most {LONGEST_MS:g}, a day"
        )
    return budgets


def _cpu_ms(result: BenchResult) -> float:
    return sum(result.cpu_ms) / len(result.cpu_ms)


def _row(result: BenchResult) -> str:
    budget = f"{result.budget_ms:g} ms" if result.budget_ms else "–"
    return (
        f"{result.solver:<26} {budget:>8} {result.mean:>12.2f} {result.median:>7g} "
        f"{result.most:>6g} {_cpu_ms(result):>6.2f} ms {100 * result.kept:>4.1f} % "
        f"{result.memory_mb:>5.0f} MB"
    )


def _record(result: BenchResult) -> dict[str, object]:
    return {
        "solver": result.solver,
        "objective": result.objective,
        "budget_ms": result.budget_ms,
        "states": len(result.values),
        "mean": result.mean,
        "median": result.median,
        "max": result.most,
        "histogram": {f"{value:g}": count for value, count in result.histogram.items()},
        "cpu_ms": _cpu_ms(result),
        "budget_kept": result.kept,
        "nodes": result.nodes,
        "memory_mb": result.memory_mb,
    }
