"""The verb `bench corners`; the calibration, which it begins with, has tests of its own."""

from collections.abc import Sequence

import msgspec
import pytest

from benchmarks.cli import corners as corner_benchmark
from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import PAIR_KEYS, Corners
from run_thistlebot import records
from thistlebot.terminal.screen import Screen

SAFE = Corners(
    cut=33.0,
    anti_cut=29.0,
    cut_after_half=33.0,
    anti_cut_after_half=29.0,
    opposite=33.0,
    **dict.fromkeys(PAIR_KEYS, 24.0),
)


HOW = ("transitions ignored", "searched with them")


def figures(monkeypatch: pytest.MonkeyPatch, angles: Corners) -> dict[str, dict[str, object]]:
    def calibrated(rig: FaceMotors, lanes: int) -> FaceMotors:
        assert lanes in (2, 4)
        return msgspec.structs.replace(rig, corners=angles)

    monkeypatch.setattr(corner_benchmark, "calibrated", calibrated)
    args = ("--programs", 20, "--budget-ms", 20, "--states", 0)
    return {each["name"]: each for each in records("bench", "corners", *args)}


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


def test_the_transitions_are_worth_searching_on_two_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corner_benchmark, "_moves", _by_rig)
    monkeypatch.setattr(corner_benchmark, "calibrated", lambda rig, _lanes: _safe(rig))
    found = {
        figure.name: figure
        for figure in corner_benchmark.compare([SOLVED], 1.0, Screen(quiet=True))
    }
    saved = found["two lanes, 45° and 15°: least time, quicker by"]
    assert saved.met
    ignored, known = (found[f"two lanes, 45° and 15°: least time, {how}"] for how in HOW)
    assert saved.value == pytest.approx(100 * (1 - known.value / ignored.value), abs=0.2)
    assert not found["four lanes, calibrated: least time, quicker by"].met


def test_the_standard_error_is_that_of_the_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cubes, of which one alone is quicker: half the difference is saved, give or take half."""
    monkeypatch.setattr(corner_benchmark, "_moves", _one_of_two_by_rig)
    monkeypatch.setattr(corner_benchmark, "calibrated", lambda rig, _lanes: _safe(rig))
    drawn = corner_benchmark.compare([SOLVED, SOLVED], 1.0, Screen(quiet=True))
    found = {figure.name: figure.value for figure in drawn}
    told = "two lanes, 45° and 15°: least time"
    saved, error = found[f"{told}, quicker by"], found[f"{told}, standard error of that"]
    assert saved > 1
    assert error == pytest.approx(saved, abs=0.1)


def _one_of_two_by_rig(rigs: Sequence[FaceMotors], *_: object) -> list[list[MoveSequence]]:
    return [[*moves, MoveSequence.parse("R U")] for moves in _by_rig(rigs)]


def _safe(rig: FaceMotors) -> FaceMotors:
    return msgspec.structs.replace(rig, corners=SAFE)


def _by_rig(rigs: Sequence[FaceMotors], *_: object) -> list[list[MoveSequence]]:
    """What knows the corners turns a cut, what ignores them an anti-cut."""
    knows = [rig.corners.widest_deg == corner_benchmark.CUT_DEG for rig in rigs]
    return [[MoveSequence.parse("R U'" if cuts else "R U")] for cuts in knows]
