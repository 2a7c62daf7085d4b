"""Scenarios of the session on the virtual rig, in simulated time."""

from collections.abc import Callable

import msgspec
import pytest
from world import Dim, World, cube

from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import named_rig
from robot.rigs.face_motors.rig_file import PAIR_KEYS, Corners
from solver.stages.solution import Solution
from thistlebot.errors import MisreadError, NotVerifiedError, StoppedError
from thistlebot.events import Ended, Entered, Event, Phase, Planned, Turned, decode, encode
from thistlebot.reading.rig_reader import RigReader
from thistlebot.solving.solver import Solve
from vision.frame import Frame


def test_a_scrambled_cube_is_seen_solved_and_the_next_one_follows(solve: Solve) -> None:
    world = World(solve, state=cube(1))
    session = world.session()
    plan = session.run()
    assert world.rig.state == SOLVED
    assert plan.state.apply(plan.solution.moves) == SOLVED
    seen = [Phase.SCAN, Phase.DECODE, Phase.PLAN, Phase.EXECUTE, Phase.VERIFY, Phase.DONE]
    assert world.phases == seen
    assert world.verdicts == [True]
    assert [decode(encode(event)) for event in world.events] == world.events
    world.rig.state = cube(3)
    session.run()
    assert world.rig.state == SOLVED
    assert session.phase is Phase.DONE


@pytest.mark.parametrize(("rig", "turned"), [("six", ""), ("six", "R"), ("claws", "")])
def test_a_cube_is_seen_again_if_the_motors_went_off_while_it_was_solved(
    solve: Solve, rig: str, turned: str
) -> None:
    """A proof takes minutes; in the meantime, anybody may turn a face."""
    world = World(rig=msgspec.structs.replace(named_rig(rig), idle_timeout_ms=2000))

    def solve_slowly(state: CubeState) -> Solution:
        if len(world.of(Planned)) == 0:
            world.clock.sleep(5.0)
            world.rig.state = world.rig.state.apply(MoveSequence.parse(turned))
        return solve(state)

    world.solve = solve_slowly
    plan = world.run()
    assert world.rig.state == SOLVED
    assert world.phases.count(Phase.SCAN) == 2
    assert len(world.of(Planned)) == (2 if turned else 1) or rig == "claws"
    assert str(plan.solution.moves) == " ".join(world.of(Planned)[-1].solution.moves.split())
    assert world.verdicts == [True]


def test_the_motors_stay_on_while_a_solution_is_searched_for_a_while(solve: Solve) -> None:
    world = World(rig=msgspec.structs.replace(named_rig("six"), idle_timeout_ms=6000))

    def solve_slowly(state: CubeState) -> Solution:
        world.clock.sleep(4.0)
        return solve(state)

    world.solve = solve_slowly
    world.run()
    assert world.phases.count(Phase.SCAN) == 1


def test_no_motor_moves_on_a_doubtful_reading(solve: Solve) -> None:
    world = World(solve)
    with pytest.raises(MisreadError) as caught:
        world.run(reader=world.seen_by(reader=Dim))
    assert caught.value.reread
    assert world.rig.moves == ()
    assert world.phases[-1] is Phase.FAILED
    assert isinstance(world.events[-1], Ended)


def test_a_slipped_face_is_noticed(solve: Solve) -> None:
    """The camera, not the count of moves, decides whether the cube is solved."""
    world = World(solve)

    class Slipping(RigReader):
        def glance(self) -> tuple[Frame, ...]:
            world.rig.state = SOLVED.apply(world.rig.moves[-1])
            return super().glance()

    with pytest.raises(NotVerifiedError):
        world.run(checker=world.seen_by(reader=Slipping))


def test_a_program_is_planned_for_the_lanes_of_its_board(solve: Solve) -> None:
    corners = Corners(cut=33.0, anti_cut=20.0, **dict.fromkeys(PAIR_KEYS, 15.0))
    rig = msgspec.structs.replace(named_rig("six"), corners=corners)
    for lanes in (2, 4):
        plan = World(solve, rig, cube(13), lanes=lanes).run()
        assert plan.program == rig.plan(plan.solution.moves, lanes)
        pairs = [step for step in plan.program.steps[1:] if len(step.turns) == 2]
        assert any(step.overlap_steps for step in pairs) == (lanes == 4)


def stopped(world: World, when: Callable[[Event], bool]) -> str:
    """Press Ctrl-C at an event, and return what is said then."""

    def interrupt(event: Event) -> None:
        if when(event):
            raise KeyboardInterrupt

    world.on_event = interrupt
    with pytest.raises(StoppedError) as stop:
        world.run()
    world.on_event = lambda _: None
    assert world.phases[-1] is Phase.STOPPED
    return str(stop.value)


def test_ctrl_c_while_turning_stops_at_a_detent(solve: Solve) -> None:
    world = World(solve, state=cube(7))
    stopped(world, lambda event: isinstance(event, Turned) and len(world.of(Turned)) == 3)
    assert world.rig._cube.misaligned_deg == {}  # type: ignore[attr-defined]
    assert 3 <= len(world.rig.moves) < len(solve(cube(7)).moves)
    world.run()
    assert world.rig.state == SOLVED


def test_ctrl_c_before_and_after_turning_says_whether_something_was_turned(solve: Solve) -> None:
    state = SOLVED.apply(Move("R", 1))
    said = {}
    for phase in (Phase.SCAN, Phase.PLAN, Phase.VERIFY):
        world = World(solve, state=state)
        said[phase] = stopped(world, lambda event, phase=phase: event == Entered(phase))
        assert world.rig.state == (SOLVED if phase is Phase.VERIFY else state)
    assert said[Phase.SCAN] == said[Phase.PLAN] != said[Phase.VERIFY]
