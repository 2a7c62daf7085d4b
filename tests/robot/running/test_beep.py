"""The buzzer on one of the board's outputs."""

import tomllib
from typing import Any

import msgspec
import pytest

from cube.moves import MoveSequence
from robot.ports.clock import SimulatedClock
from robot.protocol.messages import OutputMode
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig, default_rig_text, named_rig, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from robot.running.beep import BEEP_MS, beep
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig


def test_the_buzzer_sounds_once_and_nothing_else_moves() -> None:
    output = 1
    rig: Mechanism = msgspec.structs.replace(named_rig("claws"), buzzer=output)
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock)
    modes: list[tuple[float, OutputMode]] = []

    class Watch(list[OutputMode]):
        def __setitem__(self, at: Any, mode: Any) -> None:
            if at == output:
                modes.append((virtual.board.now_s, mode))
            super().__setitem__(at, mode)

    virtual.parts.outputs = Watch(virtual.parts.outputs)
    driver = RigDriver(virtual, rig, clock)
    driver.connect()
    driver.prepare()
    pose = driver.pose
    modes.clear()
    beep(driver, output)
    (on_s, on), (off_s, off) = modes
    assert (on, off) == (OutputMode.ON, OutputMode.OFF)
    assert off_s - on_s == pytest.approx(BEEP_MS / 1000, abs=0.02)
    assert driver.pose == pose
    assert driver.turned == MoveSequence()


def test_a_stop_does_not_leave_the_buzzer_on() -> None:
    class Interrupted(SimulatedClock):
        """Ctrl-C comes at a moment."""

        at_s = float("inf")

        def sleep(self, duration_s: float) -> None:
            super().sleep(duration_s)
            if self.now_s() > self.at_s:
                self.at_s = float("inf")
                raise KeyboardInterrupt

    rig = msgspec.structs.replace(default_rig(), buzzer=2)
    clock = Interrupted()
    virtual = VirtualRig(rig, clock)
    driver = RigDriver(virtual, rig, clock)
    driver.connect()
    driver.prepare()
    clock.at_s = clock.now_s() + BEEP_MS / 2000
    with pytest.raises(KeyboardInterrupt):
        beep(driver, 2)
    assert virtual.parts.outputs[2] is OutputMode.OFF


def test_an_output_that_cannot_be_the_buzzers_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="-1"):
        msgspec.convert(tomllib.loads("buzzer = -1\n" + default_rig_text()), FaceMotors)
    machine = tomllib.loads(rig_text("cubotino")) | {"buzzer": 1}
    machine["variables"]["light"] = {"places": ["off", "on"], "output": 1}
    with pytest.raises(msgspec.ValidationError, match=r"1.*light"):
        msgspec.convert(machine, ActionMachine)
