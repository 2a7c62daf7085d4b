"""Could the search in axial turns do what the one in single turns does? Turns, paired, by budget.

    python -m benchmarks.solver.engines --states 300

The search in axial turns gets tables of its own, in which opposite faces do not turn together.
"""

import argparse
import tempfile

import numpy as np

from cube.random_states import random_state
from cube.state import CubeState
from solver.search.engine import Engine, Run, Tuning
from solver.search.metrics import METRICS, SPARE, AxialTurns
from solver.search.tables.axial import Cut
from solver.search.tables.axial_turns import Prices
from solver.tables import TableStore

_ALONE = AxialTurns(
    Cut("htm-alone", Prices(1, 1, together=False), 6, 8, 8, version=1),
    Tuning(24, 10, ((0, 1, 0.0), (10, 2, 0.0), (11, 3, 3.0))),
)


def turns(engine: Engine, state: CubeState, budget_ms: float) -> float:
    """How many turns a search needs; NaN if it finds no solution in time."""
    run = Run(engine, state, budget_ms)
    run.run()
    moves = run.outcome().moves
    return np.nan if moves is None else len(moves)


def main() -> None:
    """Solve the same states with both."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--states", type=int, default=300)
    given = parser.parse_args()
    rng = np.random.default_rng(5)
    states = [random_state(rng) for _ in range(given.states)]
    single = METRICS["htm"].six.load(TableStore())
    with tempfile.TemporaryDirectory() as folder:
        axial = _ALONE.load(TableStore(folder), base=SPARE.load(TableStore()))
        print("budget   single    axial     more   unsolved: single, axial")
        for budget_ms in (1, 10, 100):
            found = np.array(
                [[turns(each, state, budget_ms) for each in (single, axial)] for state in states]
            )
            unsolved = np.isnan(found)
            fewer, more = found[~unsolved.any(axis=1)].mean(axis=0)
            missed = unsolved.sum(axis=0)
            print(
                f"{budget_ms:3} ms {fewer:10.2f} {more:8.2f} {100 * (more / fewer - 1):+7.1f} %"
                f" {missed[0]:10} {missed[1]:7}"
            )


if __name__ == "__main__":
    main()
