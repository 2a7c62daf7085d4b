"""Machines that handle the cube, as the rest of the program sees them."""

import itertools

import pytest
from benches import MachineBench, machine

from cube.moves import FACES, MoveSequence
from cube.state import SOLVED
from robot.errors import NotPossibleError
from robot.protocol.messages import OutputMode
from robot.protocol.settings import Setting
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import ActionRule, Variable
from robot.rigs.action_machine.transitions import find_action
from robot.rigs.actions import Act
from robot.rigs.catalogue import named_rig
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Pose

QUICK = ("six", "cubotino", "cubotino-fast", "mindcub3r", "claws", "three")
"""Whose plans take no second."""
CUBOTINO = machine("cubotino")
MOVES = MoveSequence.parse("R U2 F'")


@pytest.mark.parametrize("name", QUICK)
def test_a_mechanism_keeps_to_what_it_promises(name: str) -> None:
    rig: Mechanism = named_rig(name)
    assert rig.name == name
    assert set(rig.faces) == set(FACES)
    program = rig.plan(MOVES)
    assert SOLVED.apply(program.moves) == SOLVED.apply(MOVES)
    for before, after in itertools.pairwise(program.steps):
        assert after.start_s >= before.start_s
    assert program.time_s == program.steps[-1].end_s
    assert rig.plan(MoveSequence()).steps == ()
    times = rig.turn_times
    assert all(0 < q <= h for q, h in zip(times.quarter_ms, times.half_ms, strict=True))
    assert all(setting.value >= 0 for setting in rig.settings())
    assert rig.ready().moves == MoveSequence()
    assert rig.fingerprint == named_rig(name).fingerprint


def test_a_plan_begins_where_another_one_ended() -> None:
    first = CUBOTINO.plan(MOVES)
    assert first.start == Pose(CUBOTINO.states.start)
    assert first.end == first.steps[-1].pose != first.start
    assert [first.pose_after(count) for count in (0, 1)] == [first.start, first.steps[0].pose]
    assert CUBOTINO.plan(MOVES, start=first.pose_after(4)).start == first.pose_after(4)
    with pytest.raises(NotPossibleError, match="R-fingers open, F-angle 0, F-fingers open"):
        machine("claws").plan(MOVES, start=Pose((0, 2, 0, 2)))  # it does not come to that


def test_after_a_rest_without_motors_claws_hold_the_cube_where_they_were() -> None:
    """But a stepper whose steps are counted has to be where counting begins."""
    pose = Pose((2, 1, 0, 0, 1, 1, 2, 0))
    ready = machine("four-claws").ready(pose)
    assert ready.end == pose
    sent_us = [part.value for step in ready.steps[1:] for part in step.actions]
    assert sent_us == [2400, 1100, 600, 1900, 1500, 1100, 2400, 1900]
    with pytest.raises(NotPossibleError, match="F-fingers at 'flip'"):
        machine("claws").ready(Pose((3, 0, 0, 1)))
    assert machine("claws").ready(Pose((3, 0, 0, 0))).steps == ()


def test_steppers_turn_layers_as_fast_as_the_file_says_and_servos_are_no_steppers() -> None:
    told = {(each.key, each.motor): each.value for each in machine("three").settings()}
    assert told[Setting.STEPS_PER_QUARTER, 2] == 800
    assert (Setting.GAP_US, 0) not in told
    with pytest.raises(NotPossibleError, match=r"'arm'.* table"):
        machine("mindcub3r").buzz("arm", 12)
    for name in ("mindcub3r", "claws", "three"):
        rig, checked = machine(name), 0
        for rule in rig.actions:
            motors = [rig.motors[each] for each in rule.change if each in rig.motors]
            if rule.layer and motors:
                for quarters, time_ms in enumerate(rule.time_ms, start=1):
                    turned_ms = 1000 * motors[0].turn(quarters).duration_s
                    assert turned_ms == pytest.approx(time_ms, rel=0.04)
                    checked += 1
        assert checked >= 2


def test_an_output_is_given_its_time() -> None:
    magnet = Variable(places=("off", "on"), output=2)
    rule = ActionRule(name="pull", change={"magnet": ("off", "on")}, time_ms=(80,), layer=("U",))
    back = ActionRule(name="let go", change={"magnet": ("on", "off")}, time_ms=(40,))
    rig = ActionMachine(
        name="magnet", kind="actions", variables={"magnet": magnet}, actions=(rule, back)
    )
    program = rig.plan(MoveSequence.parse("U2"))
    assert program.steps[0].actions == (Act.switch(2, OutputMode.ON, "the magnet"), Act.wait(80))
    assert program.time_s == pytest.approx(0.2)
    bench = MachineBench(rig, SOLVED)
    began_s = bench.clock.now_s()
    bench.driver.run(program)
    assert bench.clock.now_s() - began_s == pytest.approx(program.time_s, abs=0.02)
    assert bench.virtual.state == SOLVED.apply(MoveSequence.parse("U2"))
    assert bench.virtual.violations == ()


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
        assert program.end.places == rig.states.start
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
        assert find_action(CUBOTINO.states, said).name == meant
    for said, told in (
        ("turn", "'turn the cube', 'turn the lowest layer'$"),
        ("", "'turn the cube', "),
        ("spin", "'spin'"),
    ):
        with pytest.raises(NotPossibleError, match=told):
            find_action(CUBOTINO.states, said)
