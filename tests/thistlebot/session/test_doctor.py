"""What doctor says of rigs that cannot do what they should: in one place, once."""

from pathlib import Path

import pytest

from robot.rigs.catalogue import rig_text
from run_thistlebot import thistlebot

CAMERA = """
[[cameras]]
name = "above"
device = 0
sees = ["U"]
"""


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    return tmp_path / "rig.toml"


def findings(*options: object) -> tuple[int, list[str]]:
    done = thistlebot("doctor", *options)
    return done.exit_code, [line for line in done.stdout.splitlines() if line.startswith("bad")]


def test_a_board_with_too_few_servos_is_refused_before_anything_moves(pty_rig) -> None:
    port, virtual = pty_rig()
    code, bad = findings("--rig", "four-claws", "--port", port)
    assert code == 2
    (board,) = [line for line in bad if "servo" in line]
    assert "variables.B-angle.servo is 6 and variables.B-claw.servo is 7" in board
    done = thistlebot("buzz", "let R go", "--rig", "four-claws", "--port", port)
    assert done.exit_code == 2
    assert "variables.B-angle.servo is 6" in " ".join(done.stderr.split())
    assert virtual.board.accepted == 0


def test_a_machine_that_brings_too_few_faces_to_its_layer_is_told_once(rig: Path) -> None:
    text = rig_text("cubotino")
    flips = text.index("# A way there and a way back"), text.index('[[actions]]\nname = "lower the')
    rig.write_text(text[: flips[0]] + text[flips[1] :])
    code, bad = findings("--rig", rig, "--virtual")
    assert code == 2
    assert len([line for line in bad if "only D may" in line]) == 1


def test_faces_that_no_camera_ever_sees_are_told_once(rig: Path) -> None:
    assert findings("--rig", "cubotino", "--virtual") == (0, [])  # it shows one after the other
    text = rig_text("three")
    rig.write_text(text[: text.index("[[cameras]]")] + CAMERA)
    code, bad = findings("--rig", rig, "--virtual")
    assert code == 2
    assert len([line for line in bad if "never see faces R, F, D, L, B" in line]) == 1
