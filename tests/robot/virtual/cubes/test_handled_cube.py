"""A cube in a machine that handles it: what the machine does becomes turns, or is refused."""

from random import Random

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.orientation import Orientation
from cube.state import SOLVED, CubeState
from robot.errors import RigError
from robot.ports.clock import SimulatedClock
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import named_rig
from robot.rigs.motion import Trapezoid
from robot.rigs.pose import Pose
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.cubes.turned_cube import parts_of
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig


def shipped(name: str) -> ActionMachine:
    rig = named_rig(name)
    assert isinstance(rig, ActionMachine)
    return rig


RIGS = {
    name: shipped(name) for name in ("cubotino", "cubotino-fast", "mindcub3r", "claws", "three")
}
CUBOTINO = RIGS["cubotino"]
SCRAMBLED = SOLVED.apply(MoveSequence.parse("R U2 F' L D B2"))

sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=6).map(MoveSequence.of)


class Bench:
    """A machine on a virtual board, ready, with a cube in it."""

    def __init__(
        self, rig: ActionMachine, state: CubeState = SCRAMBLED, faults: Faults | None = None
    ) -> None:
        self.clock = SimulatedClock()
        self.virtual = VirtualRig(rig, self.clock, state, faults)
        self.driver = RigDriver(self.virtual, rig, self.clock, seed=1)
        self.driver.connect()
        self.driver.prepare()

    @property
    def pose(self) -> Pose:
        cube = self.virtual._cube
        assert isinstance(cube, HandledCube)
        return cube.pose


@pytest.mark.parametrize("name", RIGS)
@settings(max_examples=3, deadline=None)
@given(moves=sequences, further=sequences)
def test_what_a_machine_does_is_what_was_planned(
    name: str, moves: MoveSequence, further: MoveSequence
) -> None:
    rig, bench = RIGS[name], Bench(RIGS[name])
    state = SCRAMBLED
    for each in (moves, further):  # the second program begins where the first one ended
        program = rig.plan(each, start=bench.driver.pose)
        bench.driver.run(program)
        state = state.apply(each)
        assert bench.virtual.violations == ()
        assert bench.virtual.state == state
        assert bench.virtual.moves[-len(program.moves) or len(bench.virtual.moves) :] == tuple(
            program.moves
        )
        assert bench.pose == program.end == bench.driver.pose


def test_four_claws_do_what_was_planned() -> None:
    rig = shipped("four-claws")
    bench = Bench(rig)
    program = rig.plan(MoveSequence.parse("R U"), start=bench.driver.pose)
    bench.driver.run(program)
    assert bench.virtual.violations == ()
    assert bench.virtual.state == SCRAMBLED.apply(MoveSequence.parse("R U"))
    assert bench.pose == program.end


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


@settings(max_examples=15, deadline=None)
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
    bench = Bench(CUBOTINO)
    bench.driver.run(program)
    if expected is None:
        assert len(bench.virtual.violations) == 1
    else:
        assert bench.virtual.violations == ()
        assert (bench.virtual.state, bench.pose) == expected


@pytest.mark.parametrize("name", ["cubotino", "claws"])
def test_a_cube_that_does_not_follow_lies_as_before_and_the_machine_goes_on(name: str) -> None:
    rig = RIGS[name]
    program = rig.plan(MoveSequence.parse("R U F"))
    first = next(turn for turn in rig.cube_turns(program) if turn.turns[0][0] in "xyz")
    bench = Bench(rig, faults=Faults(loose_at_move=first.step + 1))
    bench.driver.run(program)
    assert bench.virtual.violations == ()
    assert program.end is not None
    assert bench.pose.places == program.end.places
    assert bench.pose.held != program.end.held


def test_a_cube_that_was_dropped_is_turned_no_more() -> None:
    spin = CUBOTINO.plan(MoveSequence.parse("D")).steps[-1]
    flip = CUBOTINO.plan(MoveSequence.parse("B")).steps[0]
    assert (spin.does, flip.does) == ("turn the lowest layer", "flip the cube")
    bench = Bench(CUBOTINO)
    bench.driver.run(RigProgram((flip, spin)))
    (violation,) = bench.virtual.violations
    assert "holder by -1" in violation
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

    @property
    def violation(self) -> str:
        return self.cube.violations[0].text


HOLDER, COVER = 0, 1


def test_a_holder_beyond_its_range_is_noticed() -> None:
    hands = Hands(CUBOTINO)
    hands.give(HOLDER, 2550)
    assert hands.violation.endswith("holder middle, cover open")


def test_parts_that_move_at_the_same_time_are_noticed_unless_the_rig_file_allows_it() -> None:
    hands = Hands(CUBOTINO)
    hands.give(HOLDER, 2400, 0.05)  # a third of its way
    hands.give(COVER, 1000)
    assert "holder by +1" in hands.violation
    assert "cover by -1" in hands.violation
    assert hands.cube.state == SCRAMBLED


def test_a_holder_without_power_holds_nothing() -> None:
    hands = Hands(CUBOTINO)
    hands.give(COVER, 1000)
    hands.give(COVER, 0)
    hands.give(HOLDER, 2400)
    assert "cover closed" in hands.violation


def test_a_cube_is_put_in_when_everything_is_where_it_starts() -> None:
    parts = parts_of(CUBOTINO)
    cube = HandledCube(CUBOTINO, parts)
    parts.servos[HOLDER].give(2400, 0.0)
    cube.look(0.0)
    cube.look(1.0)
    assert cube.violations == []
    assert cube.state == SOLVED


def test_four_claws_that_let_go_drop_the_cube() -> None:
    hands = Hands(shipped("four-claws"))
    hands.give(1, 1100)
    assert hands.cube.violations == []
    hands.give(3, 1100)
    assert "F-claw by +1" in hands.violation


def test_a_cover_that_turns_back_half_way_while_the_holder_moves_is_noticed() -> None:
    parts = parts_of(CUBOTINO)
    cube = HandledCube(CUBOTINO, parts, SCRAMBLED)
    holder, cover = parts.servos[:2]
    for servo, pulse_us in ((holder, 1500), (cover, 1300)):
        servo.give(pulse_us, 0.0)
    cube.look(0.5)
    cover.give(2000, 1.0)  # on its way to flip the cube
    holder.give(600, 1.0)
    cube.look(1.0)
    cover.give(1300, 1.06)  # and back again
    cube.look(1.06)
    cube.look(3.0)
    (violation,) = cube.violations
    assert "cover" in violation.text


def test_cameras_see_past_parts_that_stand_aside() -> None:
    bench = Bench(CUBOTINO)
    assert bench.virtual.stands({"cover": ("open",)})
    assert not bench.virtual.stands({"cover": ("closed", "flipped")})
    assert bench.virtual.stands({"cover": ("closed", "open"), "holder": ("middle",)})


def test_stickers_are_seen_where_the_machine_has_turned_them() -> None:
    bench = Bench(CUBOTINO, SOLVED)
    bench.driver.run(CUBOTINO.plan(MoveSequence.parse("L"), start=bench.driver.pose))
    shown = bench.virtual.shown
    centres = Orientation("".join(shown.text[4::9]))
    assert bench.driver.pose is not None
    assert centres == bench.driver.pose.held != Orientation()
    assert shown.counts() == dict.fromkeys("URFDLB", 9)


def test_a_motor_that_loses_steps_leaves_its_part_between_places() -> None:
    rig = RIGS["three"]
    cube = HandledCube(rig, parts_of(rig))
    cube.look(0.0)
    steep = Trapezoid(800, 60_000, 9_000_000)
    cube.turn(2, 800, steep)
    cube.look(1.0)
    assert cube.slips == 1
    assert cube.state == SOLVED
    with pytest.raises(RigError, match="5"):
        cube.turn(5, 1, steep)


def test_a_motor_of_another_direction_turns_the_other_way() -> None:
    rig = RIGS["three"]
    front = rig.variables["front"]
    assert front.motor is not None
    other = msgspec.structs.replace(front, motor=msgspec.structs.replace(front.motor, direction=-1))
    turned = msgspec.structs.replace(rig, variables=rig.variables | {"front": other})
    cube = HandledCube(turned, parts_of(turned))
    cube.look(0.0)
    cube.turn(2, 800, front.motor.turn(1))
    cube.look(1.0)
    assert cube.state == SOLVED.apply(MoveSequence.parse("F'"))


def test_motors_that_still_turn_are_waited_for() -> None:
    rig = RIGS["three"]
    upper, lower = rig.motors["upper"], rig.motors["lower"]
    cube = HandledCube(rig, parts_of(rig))
    cube.look(0.0)
    cube.turn(0, -800, upper.turn(1), start_s=0.0)
    cube.look(0.07, motors_since_s=0.0)
    cube.turn(1, 800, lower.turn(1), start_s=0.0)
    cube.look(0.08)
    assert cube.violations == []
    assert cube.pose.held == Orientation().turned("y")
    assert cube.moves == []
