"""The verbs `bench firmware`, `bench rigs` and `bench start`."""

from pathlib import Path

import pytest

from benchmarks.cli import start
from benchmarks.cli.firmware import _safety
from benchmarks.cli.start import ProcessCost, process_cost
from robot.simulator.avr_simulator import AvrSimulator
from run_thistlebot import record, records


@pytest.mark.avr
def test_the_emergency_stop_is_in_time_and_said_to_be(firmware_build: Path) -> None:
    figure = next(_safety(AvrSimulator(firmware_build)))
    assert figure.name == "emergency stop to drivers off"
    assert 0 < figure.value <= 100
    assert figure.met


@pytest.mark.avr
@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("firmware_build")
def test_bench_firmware_meets_every_goal() -> None:
    figures = records("bench", "firmware")
    assert len(figures) >= 25
    assert [figure["name"] for figure in figures if not figure["met"]] == []


@pytest.mark.parametrize("name", ["cubotino", pytest.param("five", marks=pytest.mark.exhaustive)])
def test_ours_are_quicker(name: str) -> None:
    told = record("bench", "rigs", "--rig", name, "--states", 2, "--budget-ms", 20)
    assert told["rig"] == name
    assert told["met"] is True
    assert 0 < told["mean_ratio"] <= told["worst_ratio"] < 1
    assert told["mean_s"] < told["others_s"]


def test_a_machine_that_nobody_translates_for_is_timed() -> None:
    told = record("bench", "rigs", "--rig", "three", "--states", 1, "--budget-ms", 20)
    assert told["rig"] == "three"
    assert told["mean_s"] > 0


def test_a_solve_is_measured_in_fresh_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a missed goal is marked: then the same costs are held against another one."""
    known: dict[tuple[str, ...], ProcessCost] = {}

    def once(command: list[str]) -> ProcessCost:
        key = tuple(command)
        known[key] = known.get(key) or process_cost(command)
        return known[key]

    monkeypatch.setattr(start, "process_cost", once)
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
