"""The verbs `run` and `scramble`: moves that are given, turned or only told."""

import json

import pytest
from serial.tools import list_ports

from cube.moves import MoveSequence
from cube.net import text_net
from cube.state import SOLVED
from run_thistlebot import thistlebot


def test_a_dry_run_tells_the_moves_and_needs_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", list)
    record = json.loads(thistlebot("run", "R L U2", "--dry-run", "--json").stdout)
    assert (record["moves"], record["executed"]) == ("R L U2", False)
    assert thistlebot("run", "R L U2").exit_code == 5


def test_a_dry_run_tells_how_to_hold_the_cube_and_what_becomes_of_it() -> None:
    shown = thistlebot("run", "R U2 F'", "--dry-run").stdout
    assert "hold      the cube with white up and green in front" in shown
    after = SOLVED.apply(MoveSequence.parse("R U2 F'")).to_facelets().text
    net = [line[27:].rstrip() for line in shown.splitlines()[-9:]]
    assert net == text_net(after).splitlines()
    assert "hold" not in thistlebot("run", "R", "--virtual").stdout


def test_slices_are_turned_by_the_faces_beside_them() -> None:
    """The cube is held by its centres; what comes after M turns the layer that is on top then."""
    record = json.loads(thistlebot("run", "M U", "--dry-run", "--json").stdout)
    assert record["moves"] == "R L' B"
    told = thistlebot("learn", "bidirectional", "--dry-run", "--scramble", "M", "--json").stdout
    assert json.loads(told.splitlines()[-1])["moves"] == "R' L"
    refused = thistlebot("run", "R Q2", "--dry-run")
    assert refused.exit_code == 2
    assert "slices M E S" in " ".join(refused.output.split())


def test_what_is_turned_is_said() -> None:
    result = thistlebot("run", "R U", "--virtual")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("turned    2 steps in") == 1
    assert "turned" not in thistlebot("run", "R U", "--virtual", "--dry-run").stdout


def test_a_scramble_shows_what_it_makes_of_a_solved_cube() -> None:
    for rig in ("six", "five"):
        asked = ("scramble", "--dry-run", "--seed", "4", "--rig", rig)
        record = json.loads(thistlebot(*asked, "--json").stdout)
        made = SOLVED.apply(MoveSequence.parse(record["moves"])).to_facelets()
        assert record["facelets"] == made.text
        assert set(record["moves"]) <= set("URFDLB2' ") - ({"U"} if rig == "five" else set())
    printed = thistlebot(*asked).stdout.splitlines()
    [head] = [line for line in printed if line.startswith("before")]
    wide = head.index("after")
    shown = [line[wide:].rstrip() for line in printed[printed.index(head) + 1 :]]
    assert shown == text_net(made.text).splitlines()
