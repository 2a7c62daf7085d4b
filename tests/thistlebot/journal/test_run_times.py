"""The clock from press to verified."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journals import READING, SOLUTION
from world import World, cube

from cube.state import SOLVED
from robot.ports.port import SimulatedClock
from thistlebot.events import Check, Checking, Entered, Event, Executed, Phase, Planned, Verified
from thistlebot.journal.run_times import RunClock, RunTimes
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.solving.solver import Solve
from vision.geometry.scene import TurningFace
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import FRAME_TIME_S, VirtualCamera

LONGEST_LOOK_S = 2 * FRAME_TIME_S
"""The rest of one picture and the whole of the next; the cameras take theirs side by side."""


class Timed(World):
    """A virtual machine that solved a cube and was timed, in a time that only it spends."""

    def __init__(self, solve: Solve, name: str = "six", shakes_s: float = 0.0) -> None:
        super().__init__(solve, name, cube(1))
        self.ready()
        self.shakes_s, self.turned_at_s = shakes_s, float("inf")
        self.on_event = self.note_turned
        cameras = [self.shaken(number) for number in range(2)] if shakes_s else self.cameras
        reader = RigReader(RigScan(self.mechanism, self.virtual.views), cameras, self.ready)
        self.began_s = self.clock.now_s()
        run_clock = RunClock(self.clock.now_s)
        self.run(reader=reader, checker=reader, listeners=[run_clock, self._hear])
        self.times = run_clock.times

    def shaken(self, number: int) -> VirtualCamera:
        """A camera that sees a face beside its detent for a while after the turns."""

        def turn() -> TurningFace | None:
            since_s = self.clock.now_s() - self.turned_at_s
            return TurningFace("R", 25.0) if 0.0 <= since_s < self.shakes_s else None

        viewpoint = corner_viewpoint(tuple(CORNER_CAMERAS)[number])
        return VirtualCamera(
            lambda: self.rig.shown, viewpoint, seed=3 + number, turn=turn, clock=self.clock
        )

    def note_turned(self, event: Event) -> None:
        if isinstance(event, Executed):
            self.turned_at_s = self.clock.now_s()

    @property
    def checks(self) -> list[Check]:
        return [event.check for event in self.of(Checking)]


def test_a_run_is_looking_and_turning_and_nothing_else_takes_machine_time(solve: Solve) -> None:
    """A cube that is seen solved at once needs no rest."""
    machine = Timed(solve)
    times = machine.times
    assert times.total_s == pytest.approx(machine.clock.now_s() - machine.began_s)
    assert FRAME_TIME_S <= times.look_s <= LONGEST_LOOK_S
    assert FRAME_TIME_S <= times.look_again_s <= LONGEST_LOOK_S
    (executed,) = machine.of(Executed)
    assert times.turn_s == pytest.approx(executed.time_s)
    assert times.idle_s == pytest.approx(0.0, abs=1e-9)
    assert machine.checks == [Check.LOOK, Check.READ]
    assert times.rest_s == 0.0


def test_faces_that_still_swing_are_given_their_rest(solve: Solve) -> None:
    """What is seen too early is no verdict: neither solved nor unsolved."""
    machine = Timed(solve, shakes_s=0.2)
    assert machine.rig.state == SOLVED
    assert machine.checks == [Check.LOOK, Check.READ, Check.REST, Check.LOOK, Check.READ]
    assert [event.solved for event in machine.of(Verified)] == [True]
    assert machine.times.rest_s == pytest.approx(machine.mechanism.settle_ms / 1000)


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
