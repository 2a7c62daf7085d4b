"""What the program claims about a cube if the cameras' pictures come late.

Run `python -m benchmarks.late_cameras --runs 200`. Each run solves a cube on the virtual machine in
simulated time. The delay is steady, drifts, or jumps, between 0 and 4 seconds, of one camera or of
both. In every third run, the cube was exchanged a moment before: a late picture shows the one
before it. A claim is wrong if the session says that it saw the cube solved, and it is not; the exit
code is 1 if there is one.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchmarks.report import Given, Report, Row, Rows, parser_of, run
from cube.errors import ThistlebotError
from cube.facelets import Facelets
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.ports.port import SimulatedClock
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from solver.goal import Goal
from thistlebot.config import Folders
from thistlebot.errors import MisreadError, NotVerifiedError
from thistlebot.events import Event, Verified
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_views import RigScan, load_rig_views
from thistlebot.session.session import Session
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solve, Solving
from vision.virtual.virtual_camera import VirtualCamera

TICK_S = 1.0 / 60.0
EXCHANGED_S = 0.3
"""Time between an exchange of the cube and the press of the button."""

Delay = Callable[[float], float]
"""Returns the delay of the pictures at a time, in seconds."""


class Moment(NamedTuple):
    """What a camera would see at one time."""

    time_s: float
    shown: Facelets
    standing: tuple[bool, ...]


class PastClock(SimulatedClock):
    """A simulated clock that remembers what the cube looked like, and how its parts stood."""

    def __init__(self) -> None:
        super().__init__(1000.0)
        self.world: VirtualWorld | None = None
        self.needs: list[Mapping[str, Sequence[str]]] = []
        self.past: list[Moment] = []

    def sleep(self, duration_s: float) -> None:
        """Let the time pass in small steps."""
        end_s = self.now_s() + max(0.0, duration_s)
        while (left_s := end_s - self.now_s()) > 0.0:
            super().sleep(min(TICK_S, left_s))
            self.remember()

    def remember(self) -> None:
        """Take down what there is to see now."""
        if self.world is not None:
            rig = self.world.rig
            standing = tuple(rig.stands(needs) for needs in self.needs)
            self.past.append(Moment(self.now_s(), rig.shown, standing))

    def seen_at(self, time_s: float) -> Moment:
        """Return what there was to see at a time; before the first one, the first."""
        found = bisect_right(self.past, time_s, key=lambda moment: moment.time_s)
        return self.past[max(0, found - 1)]


@dataclass(frozen=True, slots=True)
class LateRun:
    """One run: its delay, and how it ended."""

    machine: str
    kind: str
    cameras: str
    delay_s: float
    exchanged: bool
    seed: int


def delay_of(one: LateRun) -> Delay:
    """Return the delay of a run at each time; the clock begins at 1000 s."""
    if one.kind == "steady":
        return lambda _now_s: one.delay_s
    if one.kind == "drifting":
        return lambda now_s: min(4.0, max(0.0, one.delay_s + 0.15 * (now_s - 1000.0)))
    rng = np.random.default_rng(one.seed)
    lasts_s = rng.uniform(0.4, 3.0, 2000).cumsum()
    delays_s = rng.uniform(0.0, one.delay_s, 2000)

    def jumping(now_s: float) -> float:
        return float(delays_s[np.searchsorted(lasts_s, now_s - 1000.0)])

    return jumping


class LateWorld:
    """A virtual machine whose cameras are late.

    Args:
        one: The machine and the delay.
        state: The cube.
        before: The cube that stood there until shortly before; None for the same one.

    Attributes:
        events: The events of its session.
    """

    def __init__(self, one: LateRun, state: CubeState, before: CubeState | None) -> None:
        self.clock = PastClock()
        self.events: list[Event] = []
        self.rig = named_rig(one.machine)
        views = load_rig_views(self.rig, None, None, None)
        self.world = VirtualWorld(
            self.rig, before or state, one.seed, self.clock, views=tuple(views)
        )
        self.clock.needs = [camera.needs for camera in self.rig.cameras]
        self.clock.world = self.world
        self.clock.remember()
        late = delay_of(one)
        for number, camera in enumerate(self.world.cameras):
            assert isinstance(camera, VirtualCamera)
            if one.cameras == "both" or number == 0:
                self._delay(camera, number, late)
        self.driver = RigDriver(self.world.rig, self.rig, self.clock)
        self.driver.connect()
        self.driver.prepare()
        if before is not None:
            self.clock.sleep(5.0)
            self.world.rig.state = state
            self.clock.sleep(EXCHANGED_S)

    def _delay(self, camera: VirtualCamera, number: int, late: Delay) -> None:
        names = tuple(sorted(self.world.views[number].names()))

        def seen() -> Moment:
            now_s = self.clock.now_s()
            return self.clock.seen_at(now_s - late(now_s))

        camera._state = lambda: seen().shown
        camera._covered = lambda: () if seen().standing[number] else names

    def solve(self, solve: Solve) -> str:
        """Solve the cube, and return how the run ended."""
        reader = RigReader(
            RigScan(self.rig, self.world.views),
            self.world.cameras,
            lambda: self.driver,
            lambda: self.clock.sleep(self.rig.settle_ms / 1000),
        )
        session = Session(
            solve,
            self.rig,
            reader=reader,
            checker=reader,
            driver=self.driver,
            listeners=(self._listen,),
            settle=self.clock.sleep,
        )
        try:
            session.run()
        except NotVerifiedError:
            end = "not verified"
        except MisreadError:
            end = "refused"
        except ThistlebotError as error:
            end = type(error).__name__
        else:
            end = "verified"
        claimed = any(isinstance(event, Verified) and event.reached for event in self.events)
        if claimed and not self.solved:
            return f"wrong: {end}"
        return end

    def _listen(self, event: Event) -> None:
        self.events.append(event)

    @property
    def solved(self) -> bool:
        """Whether the cube is solved, however it is held."""
        shown = self.world.rig.shown.text
        return all(len(set(shown[face : face + 9])) == 1 for face in range(0, 54, 9))


class LateRow(Row):
    """The runs of one kind."""

    machine: str
    delay: str
    cameras: str
    runs: int
    verified: int
    not_verified: int
    refused: int
    other: int
    wrong: int
    met: bool


MACHINES = ("six", "six", "six", "claws")
KINDS = ("steady", "drifting", "jumping")


def runs_of(number: int, seed: int) -> list[LateRun]:
    """Return the runs."""
    rng = np.random.default_rng(seed)
    return [
        LateRun(
            machine=MACHINES[each % len(MACHINES)],
            kind=KINDS[each // 4 % 3],
            cameras="both" if each // 12 % 2 == 0 else "one",
            delay_s=float(rng.uniform(0.0, 4.0)),
            exchanged=each % 3 == 2,
            seed=int(rng.integers(1 << 30)),
        )
        for each in range(number)
    ]


def measure(given: Given, report: Report) -> Rows:
    """Run them, and count the ends."""
    ends: dict[tuple[str, str, str], Counter[str]] = {}
    solvers: dict[str, Solving] = {}
    for machine in dict.fromkeys(MACHINES):
        approach = Approach(goal=Goal.TIME, budget_ms=100)
        solvers[machine] = Solving(Folders.of_platform().cache, approach, named_rig(machine))
        solvers[machine].wait()
    for one in report.track(runs_of(given.runs, given.seed), "runs", given.runs):
        rng = np.random.default_rng(one.seed)
        state = SOLVED if one.exchanged and one.seed % 2 else random_state(rng)
        before = random_state(rng) if one.exchanged else None
        if before is not None and one.seed % 4 == 0:
            before = SOLVED
        end = LateWorld(one, state, before).solve(solvers[one.machine])
        kind = one.kind + (", exchanged" if one.exchanged else "")
        ends.setdefault((one.machine, kind, one.cameras), Counter())[end] += 1
    for case, counts in sorted(ends.items()):
        verified, refused = counts["verified"], counts["refused"]
        unverified = counts["not verified"]
        wrong = sum(many for end, many in counts.items() if end.startswith("wrong"))
        other = counts.total() - wrong - verified - unverified - refused
        yield LateRow(
            *case,
            runs=counts.total(),
            verified=verified,
            not_verified=unverified,
            refused=refused,
            other=other,
            wrong=wrong,
            met=not wrong,
        )


if __name__ == "__main__":
    run(parser_of(__doc__, runs=200, seed=1), measure)
