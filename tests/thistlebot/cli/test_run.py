"""The verbs `run` and `scramble`: moves that are given, turned or only told."""

import json

import pytest
from serial.tools import list_ports

from run_thistlebot import thistlebot


def test_a_dry_run_tells_the_moves_and_needs_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", list)
    record = json.loads(thistlebot("run", "R L U2", "--dry-run", "--json").stdout)
    assert (record["moves"], record["executed"]) == ("R L U2", False)
    assert thistlebot("run", "R L U2").exit_code == 5


def test_what_is_turned_is_said() -> None:
    result = thistlebot("run", "R U", "--virtual")
    assert result.exit_code == 0, result.stderr
    assert "turned    2 steps in" in result.stdout
    assert "turned" not in thistlebot("run", "R U", "--virtual", "--dry-run").stdout
