"""The time of a warm machine from the press to the cube seen solved, with its parts.

Run `python -m benchmarks.press_to_verified --cubes 100`. Random cubes are solved one after the
other on the virtual machine: its motors turn as slowly as the rig file says, its cameras take the
time of their pictures, and reading takes its processor time here, so other programs do not count. A
search on several cores takes the time of one core. With ``--real-time`` all waits are real. The
exit code is 1 if a median misses its goal.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple

import numpy as np

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from frontends.exhibition.kiosk import QUICK_TURNS_BUDGET_MS
from robot.ports.port import Clock, MonotonicClock
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from solver.goal import Goal
from solver.stages.solution import Solution
from thistlebot.config import Folders
from thistlebot.journal.run_times import RunClock, RunTimes
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.session.session import Session
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solve, Solving
from thistlebot.terminal.progress_listener import print_times
from vision.cameras.camera import Camera, WrappedCamera
from vision.frame import Frame

TOTAL_GOAL_S = 1.5
IDLE_GOAL_S = 0.2
"""Of the total, without turning or exposing."""


class WorkClock:
    """A clock that jumps ahead when somebody waits, and runs while this program works."""

    def __init__(self) -> None:
        self._waited_s = 0.0
        self._still_s: float | None = None

    def now_s(self) -> float:
        """Return seconds of waiting or working."""
        return self._waited_s + (time.thread_time() if self._still_s is None else self._still_s)

    @contextmanager
    def still(self) -> Iterator[None]:
        """Count only waits, not work, during a context."""
        self._still_s = time.thread_time()
        try:
            yield
        finally:
            self._waited_s += self._still_s - time.thread_time()
            self._still_s = None

    def sleep(self, duration_s: float) -> None:
        """Advance the time at once."""
        self._waited_s += max(0.0, duration_s)


class TimedCamera(WrappedCamera):
    """A virtual camera whose rendering takes no time, like real light."""

    def __init__(self, camera: Camera, clock: WorkClock) -> None:
        super().__init__(camera)
        self._clock = clock

    def read(self) -> Frame:
        """See `Camera.read`."""
        return self.ask()()

    def ask(self) -> Callable[[], Frame]:
        """See `Camera.ask`."""
        picture = self._camera.ask()

        def wait() -> Frame:
            with self._clock.still():
                return picture()

        return wait


class TimedSolving:
    """A solver whose threads count on a clock that only counts one thread."""

    def __init__(self, solving: Solving, threads: int, clock: WorkClock) -> None:
        self._solving = solving
        self._threads = threads
        self._clock = clock

    def __call__(self, state: CubeState) -> Solution:
        """Solve a state; with several threads the calling one waits for them."""
        solution = self._solving(state)
        if self._threads > 1:
            self._clock.sleep(solution.cpu_ms / 1000 / self._threads)
        return solution


def timed_runs(clock: Clock, approach: Approach, cubes: int, seed: int) -> Iterator[RunTimes]:
    """Solve random cubes on the six-motor rig, and yield the times of each."""
    rig = named_rig("six")
    world = VirtualWorld(rig, clock=clock)
    solving = Solving(Folders.of_platform().cache, approach, rig)
    solving.wait()
    solve: Solve = solving
    cameras = world.cameras
    if isinstance(clock, WorkClock):
        solve = TimedSolving(solving, approach.searchers, clock)
        cameras = tuple(TimedCamera(camera, clock) for camera in cameras)
    driver = RigDriver(world.rig, rig, clock)
    driver.connect()
    reader = RigReader(RigScan(rig, world.views), cameras)
    run_clock = RunClock(clock.now_s)
    rng = np.random.default_rng(seed)
    for number in range(cubes + 1):
        world.rig.state = random_state(rng)
        run_clock.press()
        driver.prepare()
        Session(
            solve,
            rig,
            reader=reader,
            checker=reader,
            driver=driver,
            listeners=(run_clock,),
            settle=clock.sleep,
        ).run()
        if world.rig.state != SOLVED:
            raise AssertionError("seen solved, and is not")
        if number:
            yield run_clock.times


def measure(given: Given, report: Report) -> Rows:
    """Solve, and compare the medians with the goals; with `--json`, print every run, too."""
    clock, taken = MonotonicClock() if given.real_time else WorkClock(), []
    approach = Approach(goal=Goal.TIME, budget_ms=given.budget_ms, rig_turns=True)
    runs = timed_runs(clock, approach, given.cubes, given.seed)
    for times in report.track(runs, "cubes", given.cubes):
        report.record(times.to_record())
        taken.append(times)
    for what, seconds, goal_s in (
        ("from press to verified", [times.total_s for times in taken], TOTAL_GOAL_S),
        ("neither turning nor exposing", [times.idle_s for times in taken], IDLE_GOAL_S),
    ):
        median, most = map(float, np.quantile(seconds, [0.5, 0.9]))
        yield Figure.at_most(f"{what}, median", median, goal_s, "s")
        yield Figure(f"{what}, nine of ten", round(most, 3), "s")
    report.screen.line("the median of each part:")
    medians = np.median([*map(astuple, taken)], axis=0)
    print_times(report.screen, RunTimes(*map(float, medians)))


if __name__ == "__main__":
    usual = {"cubes": 100, "seed": 0, "budget_ms": QUICK_TURNS_BUDGET_MS}
    run(parser_of(__doc__, real_time=False, **usual), measure)
