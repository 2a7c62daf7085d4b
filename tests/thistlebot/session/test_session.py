"""Scenarios of the session on the virtual rig, in simulated time."""

from collections.abc import Callable

import msgspec
import pytest
from world import Dim, World, cube

from cube.moves import Move
from cube.state import SOLVED
from robot.rigs.catalogue import named_rig
from robot.rigs.face_motors.rig_file import PAIR_KEYS, Corners
from thistlebot.errors import MisreadError, NotVerifiedError, StoppedError
from thistlebot.events import Ended, Entered, Event, Phase, Turned, decode, encode
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
