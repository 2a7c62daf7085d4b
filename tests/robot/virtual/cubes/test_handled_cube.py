"""A cube in a machine that handles it: what the machine does becomes turns, or is refused."""

from random import Random

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from machines import SCRAMBLED, MachineBench, machine

from cube.moves import ALL_MOVES, MoveSequence
from cube.orientation import Orientation
from cube.state import SOLVED, CubeState
from robot.errors import RigError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.motion import Trapezoid
from robot.rigs.pose import Pose
from robot.rigs.program import RigProgram
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.cubes.turned_cube import parts_of
from robot.virtual.faults import Faults

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


def replayed(program: RigProgram) -> tuple[CubeState, Pose] | None:
    """Do by hand what each step's places say; None where no deed of the rig file does it."""
    machine = CUBOTINO.planning.machine
    state, cube, held = machine.start, SCRAMBLED, Orientation()
    for step in program.steps:
        assert step.pose is not None
        (part,) = step.actions
        number = ("the holder", "the cover").index(part.part)
        place = step.pose.places[number]
        if place == state[number]:
            continue
        change = ((number, state[number], place),)
        deeds = [each for each in machine.deeds if each.change == change and each.possible(state)]
        if not deeds:
            return None
        for turn in deeds[0].turns:
            cube = cube.apply(MoveSequence((held.move_of(turn.place, turn.quarters),)))
        held, state = held.then(deeds[0].rotation), deeds[0].after(state)
    return cube, Pose(state, held)


@settings(max_examples=10, deadline=None)
@given(
    moves=st.lists(st.sampled_from(ALL_MOVES), min_size=1, max_size=3).map(MoveSequence.of),
    mixed=st.randoms(use_true_random=False),
)
def test_steps_in_a_wrong_order_are_noticed(moves: MoveSequence, mixed: Random) -> None:
    steps = list(CUBOTINO.plan(moves).steps)
    assume(steps)
    for _ in range(2):
        a, b = mixed.randrange(len(steps)), mixed.randrange(len(steps))
        steps[a], steps[b] = steps[b], steps[a]
    program = RigProgram(tuple(steps), Pose(CUBOTINO.planning.machine.start))
    expected = replayed(program)
    bench = MachineBench(CUBOTINO)
    bench.driver.run(program)
    assert len(bench.virtual.violations) == (expected is None)
    if expected is not None:
        assert (bench.virtual.state, bench.pose) == expected


@pytest.mark.parametrize("name", ["cubotino", "claws"])
def test_a_cube_that_does_not_follow_lies_as_before_and_the_machine_goes_on(name: str) -> None:
    rig = RIGS[name]
    program = rig.plan(MoveSequence.parse("R U F"))
    first = next(turn for turn in rig.cube_turns(program) if turn.turns[0][0] in "xyz")
    bench = MachineBench(rig, faults=Faults(loose_at_move=first.step + 1))
    bench.driver.run(program)
    assert bench.virtual.violations == ()
    assert program.end is not None
    assert bench.pose.places == program.end.places
    assert bench.pose.held != program.end.held


@pytest.mark.parametrize("name", ["cubotino", "three"])
def test_a_cube_that_follows_twice_is_turned_twice(name: str) -> None:
    rig = RIGS[name]
    program = rig.plan(MoveSequence.parse("F"))
    turned = next(turn for turn in rig.cube_turns(program) if turn.turns[0][0] in "URFDLB")
    bench = MachineBench(rig, SOLVED, faults=Faults(doubled_at_move=turned.step + 1))
    bench.driver.run(program)
    assert bench.virtual.state == SOLVED.apply(MoveSequence.parse("F2"))


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
        (
            "cubotino",
            [(COVER, 1000, 1.0), (COVER, 0, 1.0), (HOLDER, 2400, 1.0)],
            "cover closed, ",
        ),
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
    assert told in hands.cube.violations[0].text
    assert hands.cube.state == SCRAMBLED


def test_a_cube_is_put_in_when_everything_is_where_it_starts() -> None:
    parts = parts_of(CUBOTINO)
    cube = HandledCube(CUBOTINO, parts)
    parts.servos[HOLDER].give(2400, 0.0)
    cube.look(0.0)
    cube.look(1.0)
    assert cube.violations == []
    assert cube.state == SOLVED


def test_the_next_cube_is_put_into_the_machine_as_it_stands() -> None:
    bench = MachineBench(CUBOTINO)
    moves = MoveSequence.parse("R U")
    bench.driver.run(CUBOTINO.plan(moves, start=bench.driver.pose))
    assert bench.driver.pose is not None
    assert bench.driver.pose.places != CUBOTINO.planning.start.places
    bench.virtual.state = SCRAMBLED
    bench.driver.pose = bench.driver.pose.taken_anew
    bench.driver.run(CUBOTINO.plan(moves, start=bench.driver.pose))
    assert bench.virtual.state == SCRAMBLED.apply(moves)
    assert bench.virtual.violations == ()


def test_a_servo_that_is_too_slow_is_noticed() -> None:
    bench = MachineBench(CUBOTINO)
    for arm in bench.virtual.parts.servos:
        arm.speed_us_s = 800.0
    bench.driver.run(CUBOTINO.plan(MoveSequence.parse("R")))
    bench.clock.sleep(5.0)
    assert bench.virtual.violations


def test_cameras_see_past_parts_that_stand_aside() -> None:
    bench = MachineBench(CUBOTINO)
    assert bench.virtual.stands({"cover": ("open",)})
    assert not bench.virtual.stands({"cover": ("closed", "flipped")})
    assert bench.virtual.stands({"cover": ("closed", "open"), "holder": ("middle",)})


def test_stickers_are_seen_where_the_machine_has_turned_them() -> None:
    bench = MachineBench(CUBOTINO, SOLVED)
    bench.driver.run(CUBOTINO.plan(MoveSequence.parse("L"), start=bench.driver.pose))
    shown = bench.virtual.shown
    centres = Orientation("".join(shown.text[4::9]))
    assert bench.driver.pose is not None
    assert centres == bench.driver.pose.held != Orientation()
    assert shown.counts() == dict.fromkeys("URFDLB", 9)


def three(direction: int = 1) -> HandledCube:
    """A cube in the machine of three motors, of which the front one may turn the other way."""
    rig = RIGS["three"]
    front = rig.variables["front"]
    assert front.motor is not None
    motor = msgspec.structs.replace(front.motor, direction=direction)
    variables = rig.variables | {"front": msgspec.structs.replace(front, motor=motor)}
    rig = msgspec.structs.replace(rig, variables=variables)
    cube = HandledCube(rig, parts_of(rig))
    cube.look(0.0)
    return cube


def test_a_motor_that_loses_steps_leaves_its_part_between_places() -> None:
    cube, steep = three(), Trapezoid(800, 60_000, 9_000_000)
    cube.turn(2, 800, steep)
    cube.look(1.0)
    assert cube.slips == 1
    assert cube.state == SOLVED
    with pytest.raises(RigError, match=r"\b5\b"):
        cube.turn(5, 1, steep)


def test_a_motor_of_another_direction_turns_the_other_way() -> None:
    cube = three(direction=-1)
    cube.turn(2, 800, RIGS["three"].motors["front"].turn(1))
    cube.look(1.0)
    assert cube.state == SOLVED.apply(MoveSequence.parse("F'"))


def test_motors_that_still_turn_are_waited_for() -> None:
    motors, cube = RIGS["three"].motors, three()
    cube.turn(0, -800, motors["upper"].turn(1), start_s=0.0)
    cube.look(0.07, motors_since_s=0.0)
    cube.turn(1, 800, motors["lower"].turn(1), start_s=0.0)
    cube.look(0.08)
    assert cube.violations == []
    assert cube.pose.held == Orientation().turned("y")
    assert cube.moves == []
