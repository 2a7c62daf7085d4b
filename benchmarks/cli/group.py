"""The verbs `bench …`: the project's claims, measured on this computer."""

from typing import Annotated

import typer

from benchmarks.cli.vision import vision
from benchmarks.report import Report
from benchmarks.solver.answers import benchmark_solver, ratios
from robot.rigs.catalogue import default_rig
from solver.goal import Goal
from solver.stages.stage_tables import load_stage_tables
from solver.tables import TableStore
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
    rig: options.Rig = None,
    json: options.Json = False,
) -> None:
    """Solve random states with several budgets, compare with other solvers, replay every answer.

    Peers are the PyPI packages kociemba and RubikTwoPhase, if they are installed. The ratios to the
    peers come last, because they depend less on the machine than milliseconds do.
    """
    report, budgets_ms = Report(json=json, guides=False), _budgets(budgets)
    rig_ = load_rig(rig, Folders.of_platform()) if rig else default_rig()
    approach = Approach(goal=objective, threads=threads, forbidden=forbidden, memory_mb=memory)
    solving = ready_solver(approach, rig_, report.screen)
    rows = []
    for row in benchmark_solver(
        solving.tables(),
        load_stage_tables(TableStore(Folders.of_platform().cache / "tables")),
        states=states,
        seed=seed or 0,
        budgets_ms=budgets_ms,
        objective=solving.objective,
        forbidden=solving.forbidden,
        threads=threads,
        track=report.track,
    ):
        rows.append(row)
        report.add(row)
    report.show(ratios(rows, threads))


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


VERBS = {
    "solver": solver,
    "vision": vision,
}
"""The verbs of the group."""
