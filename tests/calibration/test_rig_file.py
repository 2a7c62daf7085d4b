"""Values changed in a rig file, comments kept."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.rig_file import with_corners, with_motors
from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.rigs.catalogue import default_rig, default_rig_text
from robot.rigs.face_motors.corners import Corners
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor

MOTORS = st.dictionaries(
    st.sampled_from("URFDLB"),
    st.builds(
        Motor,
        channel=st.just(0),
        direction=st.sampled_from((1, -1)),
        rate_steps_s=st.integers(50, 50_000),
        acceleration_steps_s2=st.integers(1_000, 20_000_000),
    ),
)


@given(MOTORS)
def test_the_new_text_is_the_new_rig_with_its_comments(changed: dict[str, Motor]) -> None:
    rig = default_rig()
    motors = {
        face: msgspec.structs.replace(motor, channel=rig.motors[face].channel)
        for face, motor in changed.items()
    }
    text = with_motors(default_rig_text(), motors)
    assert parse_document(text, FaceMotors, "new").motors == rig.motors | motors
    comments = [line for line in default_rig_text().split("\n") if line.startswith("#")]
    assert [line for line in text.split("\n") if line.startswith("#")] == comments


def test_missing_keys_and_tables_are_added_and_remarks_stay() -> None:
    text = 'name = "mine"\n[motors.U]  # the top\nchannel = 3 # third\n'
    made = with_motors(text, {"U": Motor(channel=2, direction=-1), "R": Motor(channel=1)})
    rig = parse_document(made, FaceMotors, "new")
    assert rig.motors["U"] == Motor(channel=2, direction=-1)
    assert rig.motors["R"] == Motor(channel=1)
    assert "channel = 2 # third" in made
    assert "# the top" in made


def test_a_wrong_file_is_not_touched() -> None:
    with pytest.raises(ConfigError):
        with_motors("name = 3\n", {})


def test_angles_are_written_into_their_table_in_order() -> None:
    angles = {"cut": 33.0, "anti_cut": 28.5, "opposite": 33.1}
    text = with_corners(default_rig_text(), angles)
    assert parse_document(text, FaceMotors, "new").corners == Corners(**angles)
    assert "[corners]\ncut = 33.0\nanti_cut = 28.5\nopposite = 33.1\n" in text
    again = with_corners(text, {"cut": 30.0})
    assert parse_document(again, FaceMotors, "new").corners == Corners(**angles | {"cut": 30.0})
    assert again.count("cut = 30.0") == 1


def test_the_older_key_gives_way_to_the_table() -> None:
    text = 'name = "mine"\noverlap_degrees = 12 # good cube\n[motors.U]\nchannel = 3\n'
    made = with_corners(text, {"cut": 20.0})
    rig = parse_document(made, FaceMotors, "new")
    assert rig.angles == Corners(cut=20.0)
    assert "overlap_degrees = 0 # good cube" in made
    assert with_corners(text, {}) == text


@pytest.mark.parametrize("line", ["corners.cut = 3", "corners = { cut = 3 }"])
def test_angles_that_stand_elsewhere_are_not_guessed_at(line: str) -> None:
    text = f'name = "mine"\n{line}\n[motors.U]\nchannel = 3\n'
    with pytest.raises(ConfigError):
        with_corners(text, {"cut": 20.0})
