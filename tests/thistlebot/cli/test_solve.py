"""The verb `solve`: which board it takes, and what needs none."""

import json

import pytest
from serial.tools import list_ports

from cube.facelets import SOLVED_FACELETS
from run_thistlebot import thistlebot


@pytest.fixture(autouse=True)
def _no_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", list)


@pytest.mark.parametrize("source", [("--scramble", "R"), ("--wait",)])
def test_without_a_board_no_virtual_one_is_taken_instead(source: tuple[str, ...]) -> None:
    result = thistlebot("solve", *source)
    assert result.exit_code == 5
    said = " ".join(result.stderr.split())
    assert "this computer has no serial port" in said
    assert "add --virtual" in said


def test_a_dry_run_needs_no_board() -> None:
    result = thistlebot("solve", "--facelets", SOLVED_FACELETS.text, "--dry-run", "--json")
    assert result.exit_code == 0, result.stderr
    record = json.loads(result.stdout)
    assert (record["moves"], record["verified"]) == ("", False)


def test_when_nothing_was_cut_off_there_is_nothing_to_resume() -> None:
    result = thistlebot("solve", "--resume")
    assert result.exit_code == 2
    assert "there is nothing to finish" in " ".join(result.stderr.split())
