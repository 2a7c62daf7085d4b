"""The verb `bench rigs`: the modelled times of all kinds of machines, for reading and solving."""

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.report import Report, Row
from cube.random_states import random_state
from cube.state import CubeState
from robot.rigs.catalogue import NAMES
from solver.stages.stage_tables import load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine


class PlannedRig(Row):
    """The modelled times of a machine.

    Attributes:
        rig: The machine.
        states: Number of states solved.
        scan_s: Time of the movements between the looks of a scan.
        solve_s: Mean time of the programs.
        longest_s: The longest program.
    """

    rig: Annotated[str, "<14"]
    states: int
    scan_s: Annotated[float, ".3f"]
    solve_s: Annotated[float, ".3f"]
    longest_s: Annotated[float, ".3f"]


def rigs(
    states: Annotated[int, typer.Option(metavar="N", min=1, help="Number of random states.")] = 50,
    only: Annotated[
        str, typer.Option("--rig", metavar="NAME", help="Measure this machine only. Default: all.")
    ] = "",
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Plan the same scans and solutions for all kinds of machines; times are modelled.

    The solutions are those of the four stages, so that the same plans give the same times on any
    computer.
    """
    if only not in ("", *NAMES):
        raise UsageError(f"--rig {only!r}: choose one of {', '.join(NAMES)}")
    report, drawn = Report(json=json, guides=False), np.random.default_rng(seed)
    cubes = [random_state(drawn) for _ in range(states)]
    report.show(_planned(cubes, [only] if only else list(NAMES), report))


def _planned(cubes: list[CubeState], names: list[str], report: Report) -> Iterator[PlannedRig]:
    folders = Folders.of_platform()
    solver = ThistlethwaiteSolver(load_stage_tables(TableStore(folders.cache / "tables")))
    solutions = [solver.solve(state).moves for state in cubes]
    for name in names:
        with open_machine(Choices(rig=Path(name), virtual=True), folders) as machine:
            rig, scan = machine.rig, machine.scan
            turnable = [
                moves for moves in solutions if {each.face for each in moves} <= {*rig.faces}
            ]
            times_s = [rig.plan(moves).time_s for moves in report.track(turnable, name)]
            scan_s = scan.first(None).time_s
        if times_s:
            yield PlannedRig(name, len(times_s), scan_s, statistics.mean(times_s), max(times_s))
