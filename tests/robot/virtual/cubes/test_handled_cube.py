"""A cube in a machine that handles it: what the machine does becomes turns, or is refused."""

import pytest
from benches import SCRAMBLED, MachineBench, machine
from faulty_rig import Faults
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from robot.errors import RigError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.program import RigProgram
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.cubes.in_machine import parts_of

RIGS = {name: machine(name) for name in ("cubotino", "mindcub3r", "claws", "three", "four-claws")}
CUBOTINO = RIGS["cubotino"]
HOLDER, COVER = 0, 1
sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=4).map(MoveSequence.of)


@pytest.mark.parametrize("name", RIGS)
@settings(max_examples=4, deadline=None)
@given(moves=sequences, further=sequences)
def test_what_a_machine_does_is_what_was_planned(
    name: str, moves: MoveSequence, further: MoveSequence
) -> None:
    rig, bench = RIGS[name], MachineBench(RIGS[name])
    state = SCRAMBLED
    for each in (moves, further):  # the second program begins where the first one ended
        program = rig.plan(each, start=bench.driver.pose)
        bench.driver.run(program)
        state = state.apply(each)
        assert bench.virtual.violations == ()
        assert bench.virtual.state == state
        made = bench.virtual.moves
        assert made[len(made) - len(program.moves) :] == tuple(program.moves)
        assert bench.pose == program.end == bench.driver.pose


@pytest.mark.parametrize("name", ["cubotino", "claws"])
def test_a_cube_that_does_not_follow_stays_as_before_and_the_machine_continues(name: str) -> None:
    rig = RIGS[name]
    program = rig.plan(MoveSequence.parse("R U F"))
    first = next(turn for turn in rig.cube_turns(program) if turn.turns[0][0] in "xyz")
    bench = MachineBench(rig, faults=Faults(loose_at_move=first.step + 1))
    bench.driver.run(program)
    assert bench.virtual.violations == ()
    assert program.end is not None
    assert bench.pose.places == program.end.places
    assert bench.pose.held != program.end.held


def test_a_cube_that_was_dropped_is_turned_no_more() -> None:
    closing, spin = CUBOTINO.plan(MoveSequence.parse("D")).steps
    flip = CUBOTINO.plan(MoveSequence.parse("B")).steps[0]
    assert (spin.does, flip.does) == ("turn the lowest layer", "flip the cube")
    assert (closing.does, closing.duration_s) == ("close the cover", 0.3)
    bench = MachineBench(CUBOTINO)
    bench.driver.run(RigProgram((flip, spin)))
    (violation,) = bench.virtual.violations
    assert "holder middle, cover flipped" in violation
    bench.driver.run(CUBOTINO.plan(MoveSequence.parse("D")))
    assert bench.virtual.state == SCRAMBLED
    assert bench.virtual.jams == 1


class Hands:
    """Servo arms that are moved one by one, without a board."""

    def __init__(self, rig: ActionMachine) -> None:
        self.parts = parts_of(rig)
        self.cube = HandledCube(rig, self.parts, SCRAMBLED)
        self.now_s = 0.0
        for arm in self.parts.servos:
            arm.give(round(arm.at_us), 0.0)
        self.wait(0.1)

    def wait(self, time_s: float) -> None:
        self.now_s += time_s
        self.cube.look(self.now_s)

    def give(self, servo: int, pulse_us: int, time_s: float = 1.0) -> None:
        self.cube.look(self.now_s)
        self.parts.servos[servo].give(pulse_us, self.now_s)
        self.cube.look(self.now_s)
        self.wait(time_s)


@pytest.mark.parametrize(
    ("name", "given_pulses", "told"),
    [
        # A holder beyond its range.
        ("cubotino", [(HOLDER, 2550, 1.0)], "holder middle, cover open"),
        # The cover while the holder has gone a third of its way.
        ("cubotino", [(HOLDER, 2400, 0.05), (COVER, 1000, 1.0)], "holder by +1 and cover by -1"),
        # The holder below a closed cover without power, which holds nothing.
        ("cubotino", [(COVER, 1000, 1.0), (COVER, 0, 1.0), (HOLDER, 2400, 1.0)], "cover closed, "),
        # A cover that turns back half way to the flip, while the holder moves.
        (
            "cubotino",
            [(COVER, 2000, 0.0), (HOLDER, 600, 0.06), (COVER, 1300, 2.0)],
            "cover off its place and back",
        ),
        # A second claw that lets go.
        ("four-claws", [(1, 1100, 1.0), (3, 1100, 1.0)], "F-claw by +1"),
    ],
)
def test_what_no_action_does_is_noticed(
    name: str, given_pulses: list[tuple[int, int, float]], told: str
) -> None:
    hands = Hands(RIGS[name])
    for each in given_pulses:
        assert hands.cube.violations == []
        hands.give(*each)
    assert told in hands.cube.violations[0]
    assert hands.cube.state == SCRAMBLED


def test_a_motor_that_loses_steps_leaves_its_part_between_places() -> None:
    rig, steep = RIGS["three"], Trapezoid(800, 60_000, 9_000_000)
    cube = HandledCube(rig, parts_of(rig))
    cube.look(0.0)
    cube.turn(2, 800, steep)
    cube.look(1.0)
    assert cube.slips == 1
    assert cube.state == SOLVED
    with pytest.raises(RigError, match=r"\b5\b"):
        cube.turn(5, 1, steep)


def test_a_small_turn_there_and_back_moves_nothing_but_nothing_else_may_move_meanwhile() -> None:
    """The assistant finds out what a motor moves in this way."""
    rig = RIGS["three"]
    motors = list(rig.motors.values())
    cube, small = HandledCube(rig, parts_of(rig)), Trapezoid(100, 2000, 20_000)
    cube.look(0.0)
    for number, pulses in enumerate((100, -100, 100)):
        cube.turn(motors[0].channel, pulses, small, start_s=float(number))
        cube.look(number + 0.9)
    assert (cube.violations, cube.state) == ([], SOLVED)
    quarter = motors[1].turn(1)
    cube.turn(motors[1].channel, motors[1].steps_per_quarter, quarter, start_s=3.0)
    cube.look(9.0)
    assert len(cube.violations) == 1
    assert cube.state == SOLVED
