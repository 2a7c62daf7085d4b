"""The seam for other machines: what is read as what, and that nobody supposes motors on faces."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest

from cube.moves import Move, MoveSequence
from cube.state import SOLVED
from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.protocol.messages import Action, ActionKind, Begin, Step
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.actions import MotorTurn
from robot.rigs.catalogue import default_rig, default_rig_text, mechanism_type
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor
from robot.rigs.program import ProgramStep
from robot.virtual.cubes.slipping_cube import SlippingCube


def test_a_rig_file_is_read_as_what_its_kind_says() -> None:
    assert mechanism_type({"name": "mine"}) is FaceMotors
    assert mechanism_type({"kind": "actions"}) is ActionMachine
    for kind in ('"cradle"', "3", "[]", "{}"):
        text = f"kind = {kind}\n" + default_rig_text()
        found = mechanism_type(parse_document(text, dict, "rig.toml"))
        with pytest.raises(ConfigError, match=r"^rig.toml, line 1, kind: .*\bname\b"):
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


@dataclass
class TippingHold:
    """A cube that the first motor tips over to the right, and the second turns from below."""

    tips: int = 0
    asked: list[tuple[int, int]] = field(default_factory=list)

    def turn(self, channel: int, quarter_turns: int) -> Iterable[Move]:
        if channel == 0:
            self.tips += quarter_turns
            return ()
        return (Move("DRUL"[self.tips % 4], quarter_turns % 4),)

    def blocks(self, channel: int, other: int) -> bool:
        self.asked.append((channel, other))
        return channel != other


class TippingRig:
    """As much of a mechanism as a virtual cube asks for."""

    def __init__(self) -> None:
        self.held = TippingHold()
        self.motors = {"tip": Motor(channel=0), "table": Motor(channel=1)}

    def hold(self) -> TippingHold:
        return self.held


def test_a_virtual_cube_turns_as_its_mechanism_holds_it() -> None:
    rig = TippingRig()
    cube = SlippingCube(rig)
    motion = rig.motors["table"].turn(1)
    for channel in (1, 0, 1):
        cube.turn(channel, 400, motion)
    assert cube.state == SOLVED.apply(MoveSequence.parse("D R"))
    assert cube.moves == [Move("D", 1), Move("R", 1)]
    cube.turn(0, 100, rig.motors["tip"].turn(1))
    cube.turn(1, 400, motion)
    assert cube.slips == 1
    assert (0, 1) in rig.held.asked
    assert cube.misaligned_deg == {"tip": 22.5}
