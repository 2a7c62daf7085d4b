"""`calibrate motors` on motors of faces: what was found goes into the rig file."""

from pathlib import Path

import pytest

from documents.typed_toml import load_document
from robot.rigs.catalogue import default_rig, default_rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import SINGLE_KEYS, Corners
from run_thistlebot import record

WIDE = Corners(**dict.fromkeys(SINGLE_KEYS, 33.0))


@pytest.mark.usefixtures("simulated_time")
def test_angles_of_before_slow_no_motor_down_and_are_narrowed(tmp_path: Path) -> None:
    """They jam the cube when all faces turn together: no motor is too fast for that."""
    file, made = tmp_path / "rig.toml", tmp_path / "made.toml"
    angles = "".join(f"{key} = 33\n" for key in SINGLE_KEYS)
    file.write_text(default_rig_text().replace("[corners]\n", f"[corners]\n{angles}"))
    assert load_document(file, FaceMotors).corners == WIDE
    asked = ("calibrate", "motors", "--rig", file, "--virtual", "--faces", "U", "--no-corners")
    found = record(*asked, "--output", made)
    after = load_document(made, FaceMotors)
    assert found["rate_steps_s"] == after.motors["U"].rate_steps_s
    assert after.motors == default_rig().motors | {"U": after.motors["U"]}
    assert 20 < after.corners.cut < 33
