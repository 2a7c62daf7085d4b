"""The way back to where a cube is put in."""

import pytest
from machines import machine

from cube.orientation import Orientation, orientations
from robot.rigs.pose import Pose


@pytest.mark.parametrize("name", ["cubotino", "mindcub3r", "claws", "three"])
def test_every_state_leads_back_without_a_turn(name: str) -> None:
    rig = machine(name)
    start = rig.planning.machine.start
    for number, state in enumerate(rig.planning.machine.strides):
        held = orientations()[number % 24]
        program = rig.rest(Pose(state, held))
        assert program.moves_of(len(program.steps)).moves == ()
        assert program.start == Pose(state, held)
        assert program.end is not None
        assert program.end.places == start
        assert bool(program.steps) == (state != start)


def test_the_shortest_way_is_taken() -> None:
    closed_right = Pose((2, 0), Orientation())
    does = [step.does for step in machine("cubotino").rest(closed_right).steps]
    assert does == ["open the cover", "turn the cube"]
