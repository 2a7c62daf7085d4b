"""The verb `bench corners`; the calibration, which it begins with, has tests of its own."""

import json

import msgspec
import pytest

from calibration import corner_benchmark
from robot.rigs.face_motors.corners import PAIR_KEYS, Corners
from robot.rigs.face_motors.mechanism import FaceMotors
from run_thistlebot import thistlebot

SAFE = Corners(
    cut=33.0,
    anti_cut=29.0,
    cut_after_half=33.0,
    anti_cut_after_half=29.0,
    opposite=33.0,
    **dict.fromkeys(PAIR_KEYS, 24.0),
)


def figures(monkeypatch: pytest.MonkeyPatch, corners: Corners) -> dict[str, dict[str, object]]:
    def calibrated(rig: FaceMotors, lanes: int) -> FaceMotors:
        assert lanes in (2, 4)
        return msgspec.structs.replace(rig, corners=corners)

    monkeypatch.setattr(corner_benchmark, "calibrated", calibrated)
    run = thistlebot("bench", "corners", "--programs", 20, "--budget-ms", 20, "--json")
    assert run.exit_code == 0, run.output
    records = [json.loads(line) for line in run.stdout.splitlines()]
    return {record["name"]: record for record in records}


def test_goals_are_met_with_safe_angles(monkeypatch: pytest.MonkeyPatch) -> None:
    found = figures(monkeypatch, SAFE)
    assert all(record["met"] for record in found.values())
    assert found["20 single quarter turns, without overlap"]["value"] == 801.9
    for board in ("two lanes", "four lanes"):
        assert found[f"{board}: programs of 10 with a jam or a lost step"]["value"] == 0
        wide = f"{board}, 5° too wide: solutions of 20 that jam"
        assert found[wide]["value"] > 15
        assert found[f"{wide} unseen"]["value"] == 0


def test_goals_are_missed_with_angles_that_jam(monkeypatch: pytest.MonkeyPatch) -> None:
    found = figures(monkeypatch, SAFE.widened(4))
    assert not found["two lanes: programs of 10 with a jam or a lost step"]["met"]
    assert not found["20 single quarter turns, corners cut, slowest of 20"]["met"]


def test_goals_are_missed_when_nothing_overlaps(monkeypatch: pytest.MonkeyPatch) -> None:
    found = figures(monkeypatch, Corners())
    missed = {name for name, record in found.items() if not record["met"]}
    assert {name.rpartition(", ")[2] for name in missed} >= {"quicker by", "slowest of 20"}
    assert any("5° too wide" in name for name in missed)
