"""Values changed in a rig file, comments kept."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.rig_file import with_motors
from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.rigs.catalogue import default_rig, default_rig_text
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
