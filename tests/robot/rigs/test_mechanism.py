"""The seam for other machines: what is read as what, and that nobody supposes motors on faces."""

import pytest

from cube.moves import MoveSequence
from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.protocol.messages import Action, ActionKind, Begin, Step
from robot.rigs.actions import MotorTurn
from robot.rigs.catalogue import default_rig, default_rig_text, mechanism_type
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor
from robot.rigs.program import ProgramStep


def test_a_rig_file_without_a_kind_has_motors_on_the_faces_and_an_unknown_kind_is_refused() -> None:
    assert mechanism_type({"name": "mine"}) is FaceMotors
    for kind in ('"cradle"', "3", "[]", "{}"):
        text = f"kind = {kind}\n" + default_rig_text()
        found = mechanism_type(parse_document(text, dict, "rig.toml"))
        with pytest.raises(ConfigError, match=r"^rig.toml, line 1, kind: .* name"):
            parse_document(text, found, "rig.toml")


def test_a_small_turn_says_how_many_steps_it_takes() -> None:
    assert default_rig().buzz("F", 12).steps == 53


def test_a_step_waits_for_the_one_before_unless_told() -> None:
    step = ProgramStep((MotorTurn(2, -1, "face F"),), MoveSequence.parse("F'"), 0.0, 0.04)
    assert step.message() == Step(0, Begin.AFTER_END, 0, (Action(ActionKind.TURN, 2, -1),))


def test_a_face_without_a_motor_turns_like_the_slowest_one() -> None:
    rig = default_rig()
    slow = Motor(channel=0, rate_steps_s=1000)
    times = FaceMotors(name="two", motors={"U": slow, "R": rig.motors["R"]}).turn_times
    quarter_ms = 1000 * slow.turn(1).duration_s
    assert times.quarter_ms[0] == times.quarter_ms[2] == quarter_ms
    assert times.quarter_ms[1] == pytest.approx(40.0, abs=1e-3)
    assert times.half_ms[3] == 1000 * slow.turn(2).duration_s


def test_steps_of_a_journal_are_laid_out_as_they_were() -> None:
    program = default_rig().plan(MoveSequence.parse("R L' U2 U D F"))
    again = default_rig().plan_steps(step.moves for step in program.steps)
    assert again == program
