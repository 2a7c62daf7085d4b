"""One action there and back: on the physical model, for every action of every machine."""

import msgspec
import pytest

from cube.state import SOLVED
from robot.errors import NotPossibleError
from robot.ports.clock import SimulatedClock
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.shipped import NAMES
from robot.rigs.action_machine.trials import find_action
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig


def machine(name: str) -> ActionMachine:
    rig = named_rig(name)
    assert isinstance(rig, ActionMachine)
    return rig


CUBOTINO = machine("cubotino")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "cubotino-fast"])
def test_every_action_goes_there_and_back(name: str) -> None:
    rig = machine(name)
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, SOLVED)
    driver = RigDriver(virtual, rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    for rule in rig.actions:
        program = rig.there_and_back(rule.name)
        assert rule.name in [step.does for step in program.steps]
        driver.run(program)
        assert program.end is not None
        assert program.end.places == rig.planning.machine.start
    clock.sleep(1.0)
    assert virtual.violations == ()
    for variable in rig.variables.values():
        if variable.servo is not None:
            start_us = variable.pulse_us[variable.start_place]
            assert virtual.parts.servos[variable.servo].at_us == start_us


def test_an_action_is_known_by_its_name_or_beginning_or_part() -> None:
    meant = {
        "Flip the cube": "flip the cube",
        "flip the cube f": "flip the cube from the closed cover",
        "COVER": "flip the cube",
        "lower the lifter": "lower the lifter",
    }
    found = {said: find_action(CUBOTINO.planning.machine, said).name for said in meant}
    assert found == meant
    for said, names in (
        ("turn", "'turn the cube', 'turn the lowest layer'"),
        ("", "'turn the cube', "),
        ("spin", "'spin'"),
    ):
        with pytest.raises(NotPossibleError, match=names):
            find_action(CUBOTINO.planning.machine, said)


def test_an_action_that_the_machine_never_comes_to_is_told() -> None:

    rules = [rule for rule in CUBOTINO.actions if rule.name != "close the cover"]
    rules = [rule for rule in rules if rule.name != "lower the lifter and close the cover"]
    never = msgspec.structs.replace(CUBOTINO, actions=tuple(rules))
    with pytest.raises(NotPossibleError, match="'open the cover'"):
        never.there_and_back("open the cover")
