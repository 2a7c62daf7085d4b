"""How the solver's answers are counted and set beside other programs'."""

from importlib.util import find_spec

import pytest

from benchmarks.solver.answers import (
    BEST_OF_SIX,
    GREEDY,
    OURS,
    PEERS,
    STRICT,
    SolverRow,
    benchmark_solver,
    ratios,
)
from solver.errors import SolverError
from solver.search.objectives import load_tables
from solver.stages.stage_tables import StageTables
from solver.tables import TableStore


def test_results_come_for_each_solver_and_budget(
    store: TableStore, stage_tables: StageTables
) -> None:
    tables = load_tables(store)
    with pytest.raises(SolverError):
        next(benchmark_solver(tables, stage_tables, states=0))
    rows = list(benchmark_solver(tables, stage_tables, states=4, budgets_ms=(2, 10)))
    installed = [peer for peer in PEERS if find_spec(peer) or find_spec("twophase")]
    assert [row.solver for row in rows[:5]] == [GREEDY, BEST_OF_SIX, STRICT, OURS, OURS]
    assert len(rows) <= 5 + len(installed)
    greedy, best, strict, short, longer = rows[:5]
    assert longer.mean <= short.mean <= strict.mean <= best.mean <= greedy.mean <= 33
    assert longer.max >= longer.median
    assert sum(longer.histogram.values()) == longer.states == 4
    assert longer.nodes > short.nodes > 0
    assert 0 <= longer.budget_kept <= greedy.budget_kept == 1


def row(solver: str, budget_ms: float, mean: float, cpu_ms: float) -> SolverRow:
    return SolverRow(solver, "htm", budget_ms, 2, mean, mean, mean, {}, cpu_ms, 1.0, 0, 1.0)


def test_answers_are_set_beside_a_peers() -> None:
    peer = row("kociemba", 0.0, 20.0, 40.0)
    walk, ours = row("greedy, one chain", 0.0, 31.0, 1.0), row("thistlebot", 10.0, 19.0, 5.0)
    (ratio,) = ratios([walk, ours, peer], threads=2)
    assert (ratio.solver, ratio.peer, ratio.budget_ms) == ("thistlebot", "kociemba", 10.0)
    assert ratio.cost == pytest.approx(0.95)
    assert ratio.cpu == pytest.approx(0.25)  # two threads take it twice
    assert ratios([walk, ours]) == []
