"""The verb `bench start`: the cost of a first answer, and the memory of a solve.

It measures the processor time and the memory of a command in a separate process.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer

from benchmarks.report import Figure, Report
from cube.random_states import random_state
from robot.rigs.catalogue import default_rig
from solver.goal import Goal
from thistlebot.cli import options
from thistlebot.errors import ComputerError
from thistlebot.solving.approach import Approach
from thistlebot.terminal.ready_solver import ready_solver

_LAUNCHER = """
import json, os, sys
nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=nowhere)
_, status, usage = os.wait4(process, 0)
code = os.waitstatus_to_exitcode(status)
print(json.dumps([code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
"""
"""A small parent process, because the system adds the parent's memory to that of a new process."""
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes per unit in which the system reports the peak."""


@dataclass(frozen=True, slots=True)
class ProcessCost:
    """The cost of one process from its start to its end.

    Attributes:
        cpu_s: Processor time of all its threads, in the program and in the system, seconds.
        peak_mb: Maximum resident memory, including mapped files, 10⁶ bytes.
    """

    cpu_s: float
    peak_mb: float


def process_cost(command: Sequence[str], timeout_s: float = 120.0) -> ProcessCost:
    """Run a command to its end, and return its cost; discard its output.

    Args:
        command: A program, as a path, and its arguments.
        timeout_s: Its longest duration.

    Raises:
        ComputerError: The system does not report it, or the command fails or takes too long.
    """
    if not hasattr(os, "wait4"):
        raise ComputerError("this system does not report the cost of a process: use Linux or macOS")
    launch = [sys.executable, "-I", "-S", "-c", _LAUNCHER, *command]
    named = " ".join(command)
    with subprocess.Popen(
        launch,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as launcher:
        try:
            told, complaint = launcher.communicate(timeout=timeout_s)
        except BaseException as error:
            os.killpg(launcher.pid, signal.SIGKILL)  # the command, too
            if isinstance(error, subprocess.TimeoutExpired):
                raise ComputerError(f"`{named}` takes longer than {timeout_s:g} s") from None
            raise
    code, cpu_s, peak = json.loads(told) if launcher.returncode == 0 else (-1, 0.0, 0)
    if code != 0:
        raise ComputerError(f"`{named}` fails: {complaint.strip()[-500:]}")
    return ProcessCost(cpu_s, peak * _PEAK_UNIT / 1e6)


BUDGET_MS = 100.0
MOST_SHARE = 3.0
MOST_MB = 250.0
LIBRARIES = (sys.executable, "-c", "import numpy, numba")
"""The reference for the start: how quickly this machine loads Python's libraries."""


def start(
    runs: Annotated[int, typer.Option(metavar="N", min=1, help="Number of runs per command.")] = 9,
    objective: Annotated[
        list[Goal] | None,
        typer.Option(help="Measure the memory for this objective only; repeatable. Default: all."),
    ] = None,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Run `solve --facelets` in new processes; report its processor time and its peak memory.

    The runs use warm caches: the code is compiled, and the tables are built and have been read
    before. The time is compared with that of `python -c "import numpy, numba"`, run alternately; it
    includes the search of 100 ms.
    """
    report = Report(json=json, guides=False)
    goals = list(dict.fromkeys(objective or Goal))
    for goal in dict.fromkeys([Goal.HTM, *goals]):  # builds its tables, unless they are stored
        ready_solver(Approach(goal=goal), default_rig(), report.screen)
    report.show(measure(runs, goals, seed or 0))


def measure(runs: int, goals: Sequence[Goal], seed: int) -> Iterator[Figure]:
    """Measure all figures, one after the other.

    Args:
        runs: Number of runs of each command; the median counts, for memory the maximum.
        goals: The objectives whose memory is measured.
        seed: Seed of the cubes; each run has another one.

    Raises:
        ComputerError: A command fails, or this system does not report its cost.
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
    yield Figure("a warm solve: processor time", round(1000 * medians_s[1]), "ms")
    share = medians_s[1] / medians_s[0]
    yield Figure.at_most("a warm solve, as a share of the imports", share, MOST_SHARE, digits=2)
    for objective in goals:
        process_cost(_solve(cubes[0], objective))
        peak_mb = max(process_cost(_solve(cube, objective)).peak_mb for cube in cubes)
        name = f"a solve of {BUDGET_MS:g} ms, {objective.value}: peak memory"
        yield Figure.at_most(name, peak_mb, MOST_MB, "MB", 1)


def _solve(facelets: str, goal: Goal) -> list[str]:
    """Return the command that solves one cube, without options from the environment."""
    cube = ("--facelets", facelets, "--dry-run", "--json", "--rig", "six")
    how = ("--objective", goal.value, "--budget-ms", f"{BUDGET_MS:g}", "--threads", "1")
    return [sys.executable, "-m", "thistlebot", "solve", *cube, *how]
