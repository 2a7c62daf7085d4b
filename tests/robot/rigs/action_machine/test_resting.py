"""The way back to where a cube is put in."""

import pytest

from cube.orientation import Orientation, orientations
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import named_rig
from robot.rigs.pose import Pose


@pytest.mark.parametrize("name", ["cubotino", "mindcub3r", "claws", "three"])
def test_every_state_leads_back_without_a_turn(name: str) -> None:
    rig = named_rig(name)
    assert isinstance(rig, ActionMachine)
    machine = rig.planning.machine
    for number, state in enumerate(machine.strides):
        held = orientations()[number % 24]
        program = rig.rest(Pose(state, held))
        assert program.moves_of(len(program.steps)).moves == ()
        assert program.start == Pose(state, held)
        assert program.end is not None
        assert program.end.places == machine.start
        assert bool(program.steps) == (state != machine.start)


def test_the_shortest_way_is_taken() -> None:
    rig = named_rig("cubotino")
    assert isinstance(rig, ActionMachine)
    closed_right = Pose((2, 0), Orientation())
    assert [step.does for step in rig.rest(closed_right).steps] == [
        "open the cover",
        "turn the cube",
    ]
