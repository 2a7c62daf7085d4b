"""Measures the benefit of huge pages for a search, in positions per millisecond.

    python -m benchmarks.solver.huge_pages --objective htm --budget-ms 60

The same states are solved in fresh processes, alternately with huge pages and without: numpy
requests them unless NUMPY_MADVISE_HUGEPAGE is 0.
"""

import os
import statistics
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run
from cube.random_states import random_state
from solver.goal import Goal
from solver.search.anytime import solve
from solver.search.objectives import Objective, load_tables

SETTING = "NUMPY_MADVISE_HUGEPAGE"


def positions(objective: Objective, budget_ms: float, states: int) -> float:
    """Return positions per millisecond, the mean over random states; one more is solved before."""
    tables, rng = load_tables(objective=objective), np.random.default_rng(3)
    nodes = [
        solve(random_state(rng), tables=tables, objective=objective, budget_ms=budget_ms).nodes
        for _ in range(1 + states)
    ]
    return statistics.mean(nodes[1:]) / budget_ms


def measure(given: Given, report: Report) -> Rows:
    """Measure in separate processes."""
    asked = Objective(given.objective), given.budget_ms, given.states
    found: dict[str, list[float]] = {"0": [], "1": []}
    for setting in report.track([*found] * given.runs, "runs"):
        os.environ[SETTING] = setting
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
            found[setting].append(fresh.submit(positions, *asked).result())
    without, having = map(statistics.mean, found.values())
    told = f"{given.objective}, {given.budget_ms:g} ms: positions a millisecond"
    yield Figure(told, round(without))
    yield Figure(f"{told}, huge pages", round(having))
    yield Figure("times as many", round(having / without, 2))


if __name__ == "__main__":
    run(parser_of(__doc__, objective=Goal.HTM, budget_ms=60.0, states=60, runs=3), measure)
