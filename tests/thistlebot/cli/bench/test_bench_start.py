"""The verb `bench start`: what a first answer costs in a process of its own."""

import json

import pytest

from run_thistlebot import thistlebot
from thistlebot.cli.bench import start


def test_a_solve_is_measured_in_fresh_processes() -> None:
    run = thistlebot("bench", "start", "--runs", 1, "--objective", "htm", "--json")
    assert run.exit_code == 0, run.output
    records = [json.loads(line) for line in run.stdout.splitlines()]
    values = {record["name"]: record["value"] for record in records}
    imports_ms, solve_ms, share, peak_mb = values.values()
    assert imports_ms > 0
    assert solve_ms > start.BUDGET_MS  # the search is part of it
    assert share == pytest.approx(solve_ms / imports_ms, rel=0.02)
    assert 60 < peak_mb <= start.MOST_MB
    assert [record["goal"] for record in records] == ["", "", "≤ 3", "≤ 250"]
    assert records[-1]["met"] is True


def test_a_missed_goal_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "MOST_MB", 60.0)
    run = thistlebot("bench", "start", "--runs", 1, "--objective", "htm")
    assert run.exit_code == 0, run.output
    assert "≤ 60 MISSED" in run.stdout
    missed = run.stdout.splitlines()[-1]
    assert missed.startswith("goals missed: ")
    assert "a solve of 100 ms, htm: memory at its peak" in missed
