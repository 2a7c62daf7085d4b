"""Tell what huge pages are worth to a search: how many positions it looks at in a millisecond.

    python -m benchmarks.solver.huge_pages --objective htm --budget-ms 60

The same states are solved in fresh processes, in turn with huge pages and without: numpy asks for
them unless NUMPY_MADVISE_HUGEPAGE is 0.
"""

import argparse
import os
import statistics
import subprocess
import sys

import numpy as np

from cube.random_states import random_state
from solver.goal import Goal
from solver.search.anytime import solve
from solver.search.objectives import Objective, load_tables

SETTING = "NUMPY_MADVISE_HUGEPAGE"


def positions(objective: Objective, budget_ms: float, states: int) -> float:
    """Return the positions a millisecond, mean of random states; one more is solved before."""
    tables, rng = load_tables(objective=objective), np.random.default_rng(3)
    nodes = [
        solve(random_state(rng), tables=tables, objective=objective, budget_ms=budget_ms).nodes
        for _ in range(1 + states)
    ]
    return statistics.mean(nodes[1:]) / budget_ms


def main() -> None:
    """Measure in processes of their own, or once in this one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objective", choices=[*Goal], default=Goal.HTM)
    parser.add_argument("--budget-ms", type=float, default=60.0)
    parser.add_argument("--states", type=int, default=60)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--here", action="store_true", help="one run, in this process")
    given = parser.parse_args()
    if given.here:
        print(positions(Objective(given.objective), given.budget_ms, given.states))
        return
    command = [sys.executable, "-m", "benchmarks.solver.huge_pages", "--here", *sys.argv[1:]]
    found: dict[str, list[float]] = {"0": [], "1": []}
    for _ in range(given.runs):
        for setting, figures in found.items():
            environment = {**os.environ, SETTING: setting}
            told = subprocess.run(
                command, env=environment, check=True, stdout=subprocess.PIPE, text=True
            )
            figures.append(float(told.stdout))
    without, having = (statistics.mean(figures) for figures in found.values())
    print(f"{given.objective}, {given.budget_ms:g} ms: {without:.0f} positions a millisecond,")
    print(f"with huge pages {having:.0f}, {having / without:.2f} times as many")


if __name__ == "__main__":
    main()
