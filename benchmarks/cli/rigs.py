"""The verb `bench rigs`: the speed of the kinds of machines that handle the cube."""

import statistics
from collections.abc import Iterator
from typing import Annotated

import numpy as np
import typer

from benchmarks.report import Report, Row
from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import CubeState
from robot.rigs.action_machine.mechanism import NAMES, shipped
from robot.rigs.action_machine.paths import Holding, TurnlessPaths
from robot.rigs.action_machine.planner import Planner
from robot.rigs.action_machine.transitions import StateGraph
from robot.rigs.catalogue import default_rig
from solver.goal import Goal
from solver.search.anytime import candidates, solve
from thistlebot.cli import options
from thistlebot.errors import UsageError
from thistlebot.solving.approach import Approach
from thistlebot.terminal.ready_solver import ready_solver

_MOST = {"cubotino": 11, "cubotino-fast": 11, "mindcub3r": 11, "three": 11, "claws": 3}
"""Maximum number of further solutions to plan; fewer where planning takes long."""


class RigTime(Row):
    """A machine's modelled times.

    Attributes:
        rig: The machine.
        states: Number of states solved.
        mean_s: Mean time of a program.
        most_s: Time of the longest one.
    """

    rig: Annotated[str, "<14"]
    states: int
    mean_s: float
    most_s: float


def rigs(
    states: Annotated[int, typer.Option(metavar="N", min=1, help="Number of random states.")] = 200,
    only: Annotated[
        str, typer.Option("--rig", metavar="NAME", help="Measure this machine only. Default: all.")
    ] = "",
    budget_ms: Annotated[
        float, typer.Option("--budget-ms", metavar="MS", help="Processor time per solution.")
    ] = 100.0,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Plan solutions for all kinds of machines that handle the cube; report their modelled times.

    The faces of the default rig have a motor each: `bench solver --objective time` counts its time.
    """
    if only not in ("", *NAMES):
        raise UsageError(f"--rig {only!r}: choose one of {', '.join(NAMES)}")
    report = Report(json=json, guides=False)
    drawn = np.random.default_rng(seed)
    cubes = [random_state(drawn) for _ in range(states)]
    report.show(_measured(cubes, budget_ms, [only] if only else [*NAMES], report))


def _measured(
    cubes: list[CubeState], budget_ms: float, names: list[str], report: Report
) -> Iterator[RigTime]:
    approach = Approach(goal=Goal.HTM, budget_ms=budget_ms)
    tables = ready_solver(approach, default_rig(), report.screen).tables()

    def search(state: CubeState, budget_ms: float) -> MoveSequence:
        return solve(state, tables=tables, budget_ms=budget_ms).moves

    for name in names:
        machine = StateGraph(shipped(name))
        planner = Planner(TurnlessPaths(Holding(machine), (machine.start,)))
        times_s = []
        for state in report.track(cubes, name):
            found = candidates(state, search, budget_ms=budget_ms, most=_MOST.get(name, 0))
            times_s.append(min(map(planner.time_ms, found)) / 1000)
        mean_s, most_s = (round(each, 3) for each in (statistics.mean(times_s), max(times_s)))
        yield RigTime(name, len(times_s), mean_s, most_s)
