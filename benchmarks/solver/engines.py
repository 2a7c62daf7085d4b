"""Compares the search in axial turns with the one in single turns: turns, paired, by budget.

    python -m benchmarks.solver.engines --states 300

The search in axial turns gets special tables in which opposite faces do not turn together.
"""

import tempfile

import numpy as np

from benchmarks.report import Given, Percent, Report, Row, Rows, parser_of, run
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
    """Return the number of turns of a solution; NaN if none is found in time."""
    run = Run(engine, state, budget_ms)
    run.run()
    moves = run.outcome().moves
    return np.nan if moves is None else len(moves)


class BudgetRow(Row):
    """Mean turns of both searches with a budget, and the number of unsolved states of each."""

    budget_ms: int
    single: float
    axial: float
    more: Percent
    single_unsolved: int
    axial_unsolved: int


def compare(given: Given, report: Report) -> Rows:
    """Solve the same states with both."""
    rng = np.random.default_rng(5)
    states = [random_state(rng) for _ in range(given.states)]
    single = METRICS["htm"].six.load(TableStore())
    with tempfile.TemporaryDirectory() as folder:
        axial = _ALONE.load(TableStore(folder), base=SPARE.load(TableStore()))
        for budget_ms in (1, 10, 100):
            solved = report.track(states, f"{budget_ms} ms")
            found = np.array(
                [[turns(each, state, budget_ms) for each in (single, axial)] for state in solved]
            )
            unsolved = np.isnan(found)
            fewer, more = found[~unsolved.any(axis=1)].mean(axis=0)
            yield BudgetRow(budget_ms, fewer, more, more / fewer - 1, *unsolved.sum(axis=0))


if __name__ == "__main__":
    run(parser_of(__doc__, states=300), compare)
