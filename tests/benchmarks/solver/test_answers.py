"""How the solver's answers are counted and set beside other programs', and written for them."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from importlib.util import find_spec

import pytest

from benchmarks.solver.agreement import pieces_text
from benchmarks.solver.answers import (
    BEST_OF_SIX,
    GREEDY,
    OURS,
    PEERS,
    STRICT,
    BenchResult,
    benchmark_solver,
    plot_svg,
    ratios,
)
from cube.moves import MoveSequence
from cube.state import SOLVED
from solver.errors import SolverError
from solver.search.objectives import load_tables
from solver.tables import TableStore


def test_results_come_for_each_solver_and_budget(store: TableStore) -> None:
    told: list[tuple[str, int, int]] = []
    tables = load_tables(store)
    with pytest.raises(SolverError):
        next(benchmark_solver(tables, states=0))
    results = list(
        benchmark_solver(
            tables, states=4, budgets_ms=(2, 10), progress=lambda *report: told.append(report)
        )
    )
    installed = [peer for peer in PEERS if find_spec(peer) or find_spec("twophase")]
    assert [r.solver for r in results[:5]] == [GREEDY, BEST_OF_SIX, STRICT, OURS, OURS]
    assert len(results) <= 5 + len(installed)
    greedy, best, strict, short, longer = results[:5]
    assert longer.mean <= short.mean <= strict.mean <= best.mean <= greedy.mean <= 33
    assert longer.most >= longer.median
    assert sum(longer.histogram.values()) == len(longer.values) == 4
    assert longer.nodes > short.nodes > 0
    assert (OURS + " 10 ms", 4, 4) in told
    picture = ET.fromstring(plot_svg(results))
    assert len(picture) > 10


def test_budgets_are_counted_with_a_grace_and_answers_are_set_beside_a_peers() -> None:
    """10 ms allow for a tenth and a millisecond more: of these four answers two came too late."""
    result = BenchResult(OURS, "htm", 10, (20.0,) * 4, (9.0, 11.9, 12.1, 30.0), 1, 1.0)
    assert result.kept == 0.5
    assert replace(result, budget_ms=0).kept == 1
    ours = BenchResult("thistlebot", "htm", 10.0, (18.0, 20.0), (5.0, 5.0), 0, 1.0)
    peer = BenchResult("kociemba", "htm", 0.0, (20.0, 20.0), (40.0, 40.0), 0, 1.0)
    walk = BenchResult("greedy, one chain", "htm", 0.0, (30.0, 32.0), (1.0, 1.0), 0, 1.0)
    (ratio,) = ratios([walk, ours, peer], threads=2)
    assert (ratio.solver, ratio.peer, ratio.budget_ms) == ("thistlebot", "kociemba", 10.0)
    assert ratio.cost == pytest.approx(0.95)
    assert ratio.cpu == pytest.approx(0.25)  # two threads take it twice
    assert ratios([walk, ours]) == []


def test_each_place_shows_its_piece_with_the_stickers_where_they_are() -> None:
    """R brings FR to UR with its F sticker on U, and so on round the face."""
    home = pieces_text(SOLVED.to_facelets()).split()
    turned = pieces_text(SOLVED.apply(MoveSequence.parse("R")).to_facelets()).split()
    assert home[:2] == ["UF", "UR"]
    assert len(set(home)) == 20
    assert {place: piece for place, piece in zip(home, turned, strict=True) if place != piece} == {
        "UR": "FR",
        "BR": "UR",
        "DR": "BR",
        "FR": "DR",
        "UFR": "FDR",
        "URB": "FRU",
        "DBR": "BUR",
        "DRF": "BRD",
    }
