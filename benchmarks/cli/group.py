"""The verbs `bench …`: the project's claims, measured on this computer."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Self

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from benchmarks.cli.corners import corners
from benchmarks.cli.rigs import rigs
from benchmarks.cli.start import start
from benchmarks.cli.vision import vision
from benchmarks.report import HIDDEN, Percent, Report, Row, Whole
from benchmarks.solver.answers import BenchResult, benchmark_solver, plot_svg, ratios
from documents.files import write_atomically
from robot.rigs.catalogue import default_rig
from solver.goal import Goal
from solver.search.metrics import METRICS
from thistlebot.cli import options
from thistlebot.config import Folders, load_rig
from thistlebot.errors import UsageError
from thistlebot.solving.approach import LONGEST_MS, Approach
from thistlebot.terminal.ready_solver import ready_solver


def solver(
    states: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of random states.")
    ] = 1000,
    budgets: Annotated[
        str,
        typer.Option(
            metavar="MS,…", help="Processor time per state; several budgets, separated by commas."
        ),
    ] = "1,10,100",
    objective: options.Objective = Goal.HTM,
    forbidden: options.Forbidden = "",
    threads: options.Threads = 1,
    memory: options.Memory = None,
    seed: options.Seed = 1,
    replays: Annotated[
        str,
        typer.Option(
            metavar="GOAL,…",
            help="Also solve for these objectives, and measure their answers by --objective.",
        ),
    ] = "",
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the histograms as an SVG picture.")
    ] = None,
    rig: options.Rig = None,
    json: options.Json = False,
) -> None:
    """Solve random states with several budgets, compare with other solvers, replay every answer.

    Peers are the PyPI packages kociemba and RubikTwoPhase, if they are installed. The ratios to the
    peers come last, because they depend less on the machine than milliseconds do.
    """
    report, goals, budgets_ms = Report(json=json, guides=False), _goals(replays), _budgets(budgets)
    screen = report.screen
    rig_ = load_rig(rig, Folders.of_platform()) if rig else default_rig()
    approach = Approach(goal=objective, threads=threads, forbidden=forbidden, memory_mb=memory)
    solving = ready_solver(approach, rig_, screen)
    others = {
        goal: ready_solver(replace(approach, goal=goal), rig_, screen).tables() for goal in goals
    }
    results = []
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
            report.add(SolverRow.of(result))
    report.show(ratios(results, threads))
    if plot is not None:
        write_atomically(plot, plot_svg(results))
        screen.note(f"wrote {plot}")


def _goals(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    unknown = [name for name in names if name not in METRICS]
    if unknown:
        raise UsageError(f"--replays {text!r}: choose from htm, qtm, axial and axial-qtm")
    return names


def _budgets(text: str) -> tuple[float, ...]:
    try:
        budgets = tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"--budgets {text!r}: write milliseconds such as 1,10,100") from error
    if not all(0 < budget <= LONGEST_MS for budget in budgets):
        raise UsageError(
            f"--budgets {text!r}: a budget must be more than 0 ms and at most {LONGEST_MS:g} "
            "ms, a day"
        )
    return budgets


class SolverRow(Row):
    """The summary of a `BenchResult`."""

    solver: Annotated[str, "<26"]
    objective: Annotated[str, "<10"]
    budget_ms: Annotated[float, "g"]
    states: int
    mean: float
    median: Annotated[float, "g"]
    max: Annotated[float, "g"]
    histogram: Annotated[dict[str, int], HIDDEN]
    cpu_ms: float
    budget_kept: Percent
    nodes: Annotated[int, HIDDEN]
    memory_mb: Whole

    @classmethod
    def of(cls, result: BenchResult) -> Self:
        """Summarise a result."""
        histogram = {f"{value:g}": count for value, count in result.histogram.items()}
        states, cpu_ms = len(result.values), sum(result.cpu_ms) / len(result.cpu_ms)
        told = result.solver, result.objective, result.budget_ms, states, result.mean
        turns = result.median, result.most, histogram
        return cls(*told, *turns, cpu_ms, result.kept, result.nodes, result.memory_mb)


VERBS = {
    "solver": solver,
    "vision": vision,
    "corners": corners,
    "rigs": rigs,
    "start": start,
}
"""The verbs of the group."""
