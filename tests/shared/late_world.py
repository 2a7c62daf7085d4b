"""A virtual machine whose cameras are late, in simulated time."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cube.errors import ThistlebotError
from cube.facelets import Facelets
from cube.state import CubeState
from robot.ports.port import SimulatedClock
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from thistlebot.errors import MisreadError, NotVerifiedError
from thistlebot.events import Event, Verified
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_views import RigScan, load_rig_views
from thistlebot.session.session import Session
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.solver import Solve
from vision.virtual.virtual_camera import VirtualCamera

TICK_S = 1.0 / 60.0
EXCHANGED_S = 0.3
"""Time between an exchange of the cube and the press of the button."""


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
    """One run: its machine, and which of its cameras are late by how much, "one" or "both"."""

    machine: str
    cameras: str
    delay_s: float
    seed: int


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
        for number, camera in enumerate(self.world.cameras):
            assert isinstance(camera, VirtualCamera)
            if one.cameras == "both" or number == 0:
                self._delay(camera, number, one.delay_s)
        self.driver = RigDriver(self.world.rig, self.rig, self.clock)
        self.driver.connect()
        self.driver.prepare()
        if before is not None:
            self.clock.sleep(5.0)
            self.world.rig.state = state
            self.clock.sleep(EXCHANGED_S)

    def _delay(self, camera: VirtualCamera, number: int, delay_s: float) -> None:
        names = tuple(sorted(self.world.views[number].names()))

        def seen() -> Moment:
            return self.clock.seen_at(self.clock.now_s() - delay_s)

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
