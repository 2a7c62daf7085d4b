"""The clock from press to verified."""

import pytest
from cubes import cube
from hypothesis import given, settings
from hypothesis import strategies as st
from journals import READING, SOLUTION
from world import World

from cube.state import SOLVED
from robot.ports.port import SimulatedClock
from thistlebot.events import Check, Checking, Entered, Event, Executed, Phase, Planned, Verified
from thistlebot.journal.run_times import RunClock, RunTimes
from thistlebot.solving.solver import Solve
from vision.geometry.scene import TurningFace
from vision.virtual.virtual_camera import FRAME_TIME_S

LONGEST_LOOK_S = 2 * FRAME_TIME_S
"""The rest of one picture and the whole of the next; the cameras take theirs side by side."""


def timed(world: World) -> RunTimes:
    """Solve the cube in a world whose time only it spends, and return what took how long."""
    world.ready()
    run_clock = RunClock(world.clock.now_s)
    began_s = world.clock.now_s()
    world.run(listeners=[run_clock, world._hear])
    assert run_clock.times.total_s == pytest.approx(world.clock.now_s() - began_s)
    return run_clock.times


def checks(world: World) -> list[Check]:
    return [event.check for event in world.of(Checking)]


def test_a_run_is_looking_and_turning_and_nothing_else_takes_machine_time(solve: Solve) -> None:
    """A cube that is seen solved at once needs no rest."""
    world = World(solve, state=cube(1))
    times = timed(world)
    assert FRAME_TIME_S <= times.look_s <= LONGEST_LOOK_S
    assert FRAME_TIME_S <= times.look_again_s <= LONGEST_LOOK_S
    (executed,) = world.of(Executed)
    assert times.turn_s == pytest.approx(executed.time_s)
    assert times.idle_s == pytest.approx(0.0, abs=1e-9)
    assert checks(world) == [Check.LOOK, Check.READ]
    assert times.rest_s == 0.0


def test_faces_that_still_swing_are_given_their_rest(solve: Solve) -> None:
    """What is seen too early is no verdict: neither solved nor unsolved."""
    world = World(solve, state=cube(1))
    still_s = float("inf")

    def swing(event: Event) -> None:
        nonlocal still_s
        if isinstance(event, Executed):
            still_s = world.clock.now_s() + 0.2

    def turn() -> TurningFace | None:
        return (
            TurningFace("R", 25.0) if world.of(Executed) and world.clock.now_s() < still_s else None
        )

    world.on_event = swing
    for camera in world.cameras:
        # A virtual camera asks the rig for the turning face; this one swings after the rig rests.
        camera._turn = turn
    times = timed(world)
    assert checks(world) == [Check.LOOK, Check.READ, Check.REST, Check.LOOK, Check.READ]
    assert world.verdicts == [True]
    assert world.rig.state == SOLVED
    assert times.rest_s == pytest.approx(world.mechanism.settle_ms / 1000)


EVENTS = [Entered(phase) for phase in Phase if phase is not Phase.DONE]
EVENTS += [Checking(check) for check in Check]
EVENTS += [Planned(SOLUTION), Executed(3, 0.5)]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0.0, 9.0), st.sampled_from(EVENTS))))
def test_no_time_is_lost_or_counted_twice(heard: list[tuple[float, Event]]) -> None:
    clock = SimulatedClock(5.0)
    run_clock = RunClock(clock.now_s)
    ended_s = None
    for time_s, event in heard:
        clock.sleep(time_s)
        run_clock(event)
        if ended_s is None and event in (Entered(Phase.STOPPED), Entered(Phase.FAILED)):
            ended_s = clock.now_s() - 5.0
    total_s = clock.now_s() - 5.0 if ended_s is None else ended_s
    assert run_clock.times.total_s == pytest.approx(total_s)
    record = run_clock.times.to_record()
    assert sum(record.values()) == pytest.approx(2 * total_s + record["idle_s"], abs=1e-4)


def test_a_press_begins_again() -> None:
    clock = SimulatedClock()
    run_clock = RunClock(clock.now_s)
    run_clock(Entered(Phase.SCAN))
    clock.sleep(3.0)
    run_clock(Verified(0, READING, solved=True, reached=True))
    clock.sleep(1.0)
    run_clock(Entered(Phase.DONE))
    assert run_clock.times == RunTimes(look_s=3.0)
    run_clock.press()
    clock.sleep(1.0)
    run_clock(Entered(Phase.EXECUTE))
    assert run_clock.times == RunTimes(between_s=1.0)
