"""The seam for other machines: what is read as what, and that nobody supposes motors on faces."""

import pytest

from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig, default_rig_text, mechanism_type
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor


def test_a_rig_file_is_read_as_what_its_kind_says() -> None:
    assert mechanism_type({"name": "mine"}) is FaceMotors
    assert mechanism_type({"kind": "actions"}) is ActionMachine
    for kind in ('"cradle"', "3", "[]", "{}"):
        text = f"kind = {kind}\n" + default_rig_text()
        found = mechanism_type(parse_document(text, dict, "rig.toml"))
        with pytest.raises(ConfigError, match=r"^rig.toml, line 1, kind: .*\bname\b"):
            parse_document(text, found, "rig.toml")


def test_a_face_without_a_motor_turns_like_the_slowest_one() -> None:
    rig = default_rig()
    slow = Motor(channel=0, rate_steps_s=1000)
    times = FaceMotors(name="two", motors={"U": slow, "R": rig.motors["R"]}).turn_times
    quarter_ms = 1000 * slow.turn(1).duration_s
    assert times.quarter_ms[0] == times.quarter_ms[2] == quarter_ms
    assert times.quarter_ms[1] == pytest.approx(40.0, abs=1e-3)
    assert times.half_ms[3] == 1000 * slow.turn(2).duration_s
