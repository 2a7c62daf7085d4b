"""The verb `bench start`: what a first answer costs, and how much memory a solve takes."""

import statistics
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np
import typer

from benchmarks.cli.figures import Figure, show
from cube.random_states import random_state
from robot.rigs.catalogue import default_rig
from solver.goal import Goal
from thistlebot.cli.options import declared as options
from thistlebot.cli.tables import wait_for_tables
from thistlebot.config import Folders
from thistlebot.measuring.process_cost import process_cost
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.screen import Screen

BUDGET_MS = 100.0
MOST_SHARE = 3.0
MOST_MB = 250.0
LIBRARIES = (sys.executable, "-c", "import numpy, numba")
"""What the start is held against: it tells of any machine how quick it loads Python's libraries."""


def start(
    runs: Annotated[
        int, typer.Option(metavar="N", min=1, help="How often each command is run.")
    ] = 9,
    objective: Annotated[
        list[Goal] | None,
        typer.Option(help="The memory for this objective only; repeat it. Default: all."),
    ] = None,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Run `solve --facelets` in fresh processes: its processor time, and the memory at its peak.

    Everything is warm: code is compiled, tables are built and have been read before. The time is
    held against that of `python -c "import numpy, numba"`, run in turn with it; the search of
    100 ms is part of it.
    """
    screen = Screen(quiet=json)
    goals = list(dict.fromkeys(objective or Goal))
    build_tables(list(dict.fromkeys([Goal.HTM, *goals])), screen)
    show(measure(runs, goals, seed or 0), screen, json=json)


def build_tables(goals: Sequence[Goal], screen: Screen) -> None:
    """Build the tables of some objectives, unless they are stored."""
    cache = Folders.of_platform().cache
    for goal in goals:
        solving = Solving(cache, Approach(goal=goal), default_rig(), screen.note, build=True)
        wait_for_tables(solving, screen)


def measure(runs: int, goals: Sequence[Goal], seed: int) -> Iterator[Figure]:
    """Measure all figures, one after the other.

    Args:
        runs: How often each command is run; the median counts, of memory the most.
        goals: The objectives whose memory is measured.
        seed: Of the cubes; each run has another one.

    Raises:
        ComputerError: A command fails, or this system does not tell what it costs.
    """
    rng = np.random.default_rng(seed)
    cubes = [random_state(rng).to_facelets().text for _ in range(runs)]
    process_cost(_solve(cubes[0], Goal.HTM))  # compiles what was never compiled
    libraries, ours = [], []
    for cube in cubes:
        libraries.append(process_cost(LIBRARIES).cpu_s)
        ours.append(process_cost(_solve(cube, Goal.HTM)).cpu_s)
    medians_s = statistics.median(libraries), statistics.median(ours)
    yield Figure("import numpy, numba: processor time", round(1000 * medians_s[0]), "ms")
    yield Figure("a solve, warm: processor time", round(1000 * medians_s[1]), "ms")
    share = medians_s[1] / medians_s[0]
    met = share <= MOST_SHARE
    yield Figure(
        "a solve, as a share of the imports", round(share, 2), "", f"≤ {MOST_SHARE:g}", met
    )
    for objective in goals:
        process_cost(_solve(cubes[0], objective))
        peak_mb = max(process_cost(_solve(cube, objective)).peak_mb for cube in cubes)
        name = f"a solve of {BUDGET_MS:g} ms, {objective.value}: memory at its peak"
        yield Figure(name, round(peak_mb, 1), "MB", f"≤ {MOST_MB:g}", peak_mb <= MOST_MB)


def _solve(facelets: str, goal: Goal) -> list[str]:
    """Return the command that solves one cube, whatever the environment says of options."""
    cube = ("--facelets", facelets, "--dry-run", "--json", "--rig", "six")
    how = ("--objective", goal.value, "--budget-ms", f"{BUDGET_MS:g}", "--threads", "1")
    return [sys.executable, "-m", "thistlebot", "solve", *cube, *how]
