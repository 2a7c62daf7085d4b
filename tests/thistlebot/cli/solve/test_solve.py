"""The verb `solve`: which board it takes, and what needs none."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from serial.tools import list_ports

from cube.facelets import SOLVED_FACELETS
from cube.net import text_net
from cube.random_states import random_state
from run_thistlebot import thistlebot
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


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


def test_the_moves_of_a_dry_run_come_with_how_to_hold_the_cube() -> None:
    told = thistlebot("solve", "--scramble", "R U F2", "--dry-run").stdout
    assert "hold      the cube with white up and green in front, in the usual colours\n" in told
    japanese = "white,red,green,blue,orange,yellow"
    told = thistlebot("solve", "--scramble", "R", "--dry-run", "--scheme", japanese).stdout
    assert "hold      the cube with white up and green in front\n" in told


@pytest.mark.parametrize("named", [False, True])
def test_photos_in_any_order_say_themselves_how_to_hold_the_cube(
    tmp_path: Path, named: bool
) -> None:
    """Taken with yellow up and blue in front, each whichever way up, and told or found so."""
    scheme = dict(zip("URFDLB", ("yellow", "red", "blue", "white", "orange", "green"), strict=True))
    state = random_state(np.random.default_rng(8))
    for number, face in enumerate("BULRFD"):
        viewpoint = hand_held_viewpoint(face, roll_deg=90.0 * number)
        with VirtualCamera(lambda: state, viewpoint, seed=number, scheme=scheme) as camera:
            cv2.imwrite(str(tmp_path / f"{number}.png"), camera.read().image)
    options = ("--scheme", ",".join(scheme.values())) if named else ()
    result = thistlebot("solve", "--photos", tmp_path, "--any-order", "--dry-run", *options)
    assert result.exit_code == 0, result.stderr
    up, front = ("yellow", "blue") if named else ("white", "green")
    assert f"hold      the cube with {up} up and {front} in front\n" in result.stdout
    # In the second row of the nets, the centres are those of the faces that are told.
    before = [line[:27].rstrip() for line in result.stdout.splitlines()[-9:]]
    assert (before[1].split()[1], before[4].split()[4]) == ("U", "F")
    assert ("\n".join(before) == text_net(state.to_facelets().text)) == named


def test_when_nothing_was_cut_off_there_is_nothing_to_resume() -> None:
    result = thistlebot("solve", "--resume")
    assert result.exit_code == 2
    assert "there is nothing to finish" in " ".join(result.stderr.split())
