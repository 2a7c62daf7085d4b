"""The verb `bench start`."""

import pytest

from benchmarks.cli import start
from benchmarks.cli.start import ProcessCost, process_cost
from run_thistlebot import records


def test_a_solve_is_measured_in_fresh_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a missed goal is marked: then the same costs are held against another one."""
    known: dict[tuple[str, ...], ProcessCost] = {}

    def once(command: list[str]) -> ProcessCost:
        key = tuple(command)
        known[key] = known.get(key) or process_cost(command)
        return known[key]

    monkeypatch.setattr(start, "process_cost", once)
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)  # tracing takes memory
    bench = ("bench", "start", "--runs", 1, "--objective", "htm")
    found = records(*bench)
    imports_ms, solve_ms, share, peak_mb = (each["value"] for each in found)
    assert imports_ms > 0
    assert solve_ms > start.BUDGET_MS  # the search is part of it
    assert share == pytest.approx(solve_ms / imports_ms, rel=0.02)
    assert 60 < peak_mb <= start.MOST_MB
    assert [each["goal"] for each in found] == ["", "", "≤ 3", "≤ 250"]
    assert found[-1]["met"] is True
    monkeypatch.setattr(start, "MOST_MB", 60.0)
    assert records(*bench)[-1]["met"] is False


def test_the_same_plans_take_the_same_time_anywhere() -> None:
    again = [records("bench", "rigs", "--states", 2, "--rig", "three") for _ in range(2)]
    assert again[0] == again[1]
    (planned,) = again[0]
    assert planned["states"] == 2
    assert 0 < planned["scan_s"] < planned["solve_s"] <= planned["longest_s"]
