"""One action there and back: on the physical model, for every action of every machine."""

import pytest
from benches import MachineBench, machine

from cube.state import SOLVED
from robot.errors import NotPossibleError
from robot.rigs.action_machine.trials import find_action

CUBOTINO = machine("cubotino")


@pytest.mark.parametrize(
    ("name", "every"),
    [("cubotino", 1), ("mindcub3r", 1), ("claws", 1), ("three", 1), ("four-claws", 5)],
)
def test_actions_go_there_and_back(name: str, every: int) -> None:
    rig = machine(name)
    bench = MachineBench(rig, SOLVED)
    for rule in rig.actions[::every]:
        program = rig.there_and_back(rule.name)
        assert rule.name in [step.does for step in program.steps]
        bench.driver.run(program)
        assert program.end is not None
        assert program.end.places == rig.planning.machine.start
    bench.clock.sleep(1.0)
    assert bench.virtual.violations == ()
    for variable in rig.variables.values():
        if variable.servo is not None:
            start_us = variable.pulse_us[variable.start_place]
            assert bench.virtual.parts.servos[variable.servo].at_us == start_us


def test_an_action_is_known_by_its_name_or_beginning_or_part() -> None:
    for said, meant in (
        ("Flip the cube", "flip the cube"),
        ("flip the cube f", "flip the cube from the closed cover"),
        ("COVER", "flip the cube"),
        ("lower the lifter", "lower the lifter"),
    ):
        assert find_action(CUBOTINO.planning.machine, said).name == meant
    for said, told in (
        ("turn", "'turn the cube', 'turn the lowest layer'$"),
        ("", "'turn the cube', "),
        ("spin", "'spin'"),
    ):
        with pytest.raises(NotPossibleError, match=told):
            find_action(CUBOTINO.planning.machine, said)
