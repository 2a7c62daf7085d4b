"""One virtual machine for tests in simulated time: a rig, a cube, cameras, faults, and a session.

`World` puts the parts together; `opened` opens the machine as verbs do, with files and a journal.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from cubes import cube
from faulty_rig import Faults, FaultyRig

from cube.state import CubeState
from robot.ports.port import SimulatedClock
from robot.rigs.catalogue import named_rig
from robot.rigs.mechanism import Mechanism
from robot.rigs.trapezoid import Trapezoid
from robot.running.driver import RigDriver
from thistlebot.config import Folders
from thistlebot.events import Entered, Event, Phase, Verified
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.reading.rig_views import load_rig_views
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.session import Plan, Session
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.solver import Solve
from vision.cameras.camera import Camera
from vision.frame import Frame
from vision.geometry.view import View

Kind = TypeVar("Kind")


SCRAMBLED = cube(41)


@cache
def views_of(rig: str) -> tuple[View, ...]:
    """Return the views of the cameras of a shipped rig."""
    return tuple(load_rig_views(named_rig(rig), None, None, None))


class LooseRig(FaultyRig):
    """A rig whose couplings hold no face on some channels."""

    loose: Collection[int] = ()

    def _turn(self, channel: int, steps: int, motion: Trapezoid, start_s: float) -> None:
        if channel not in self.loose:
            super()._turn(channel, steps, motion, start_s)


class Dim(RigReader):
    """Sees hardly anything until it has looked so often."""

    dark_looks = 10**9

    def look(self) -> tuple[Frame, ...]:
        self.dark_looks -= 1
        return super().look()

    def _pictures(self, cameras: Sequence[int], share: float) -> tuple[Frame, ...]:
        frames = super()._pictures(cameras, share)
        if self.dark_looks < 0:
            return frames
        return tuple(
            replace(frame, image=(frame.image * 0.012).astype(np.uint8)) for frame in frames
        )


class World:
    """A virtual machine before its cameras, its driver, and what its session published.

    The motors of `loose` channels hold no face; the `rest` are options of every session, such as
    the target.
    """

    def __init__(
        self,
        solve: Solve | None = None,
        rig: str | Mechanism = "six",
        state: CubeState = SCRAMBLED,
        *,
        faults: Faults | None = None,
        loose: Collection[int] = (),
        lanes: int = 2,
        clock: SimulatedClock | None = None,
        **rest: Any,
    ) -> None:
        self.mechanism: Mechanism = named_rig(rig) if isinstance(rig, str) else rig
        self.solve, self.rest = solve, rest
        self.clock = clock or SimulatedClock()
        self.virtual = VirtualWorld(
            self.mechanism, state, 3, self.clock, views=views_of(self.mechanism.name)
        )
        self.rig = LooseRig(self.mechanism, self.clock, state, faults, 3, lanes=lanes)
        self.rig.loose = loose
        self.virtual.rig = self.rig
        self.cameras = self.virtual.cameras
        self.driver = self.host(1)
        self.reader = self.seen_by()
        self.events: list[Event] = []
        self.on_event: Callable[[Event], object] = lambda _: None

    def host(self, seed: int) -> RigDriver:
        driver = RigDriver(self.rig, self.mechanism, self.clock, seed=seed)
        driver.connect()
        return driver

    def ready(self) -> RigDriver:
        self.driver.prepare()
        return self.driver

    def seen_by(
        self,
        cameras: Collection[Camera] | None = None,
        reader: type[RigReader] = RigReader,
        **options: Any,
    ) -> RigReader:
        """Return a reader of some cameras, those of the machine unless others are given."""
        scan = RigScan(self.mechanism, self.virtual.views)
        cameras = self.cameras if cameras is None else cameras
        settle = partial(self.clock.sleep, self.mechanism.settle_ms / 1000)
        return reader(scan, tuple(cameras), self.ready, settle, **options)

    def session(self, **options: Any) -> Session:
        parts = {"reader": self.reader, "checker": self.reader, "settle": self.clock.sleep}
        parts |= {"listeners": [self._hear]} | self.rest | options
        if "driver" not in options:
            parts["driver"] = self.ready()
        return Session(self.solve, self.mechanism, **parts)

    def run(self, **options: Any) -> Plan:
        return self.session(**options).run()

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        self.on_event(event)

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def phases(self) -> list[Phase]:
        return [event.phase for event in self.of(Entered)]

    @property
    def verdicts(self) -> list[bool]:
        """Whether each look at the end saw the cube at its target."""
        return [event.reached for event in self.of(Verified)]


class Agenda(SimulatedClock):
    """A simulated clock that does things when their time has come, in the thread that waits."""

    def __init__(self) -> None:
        super().__init__(1000.0)
        self._at: list[tuple[float, Callable[[], object]]] = []

    def later(self, time_s: float, *actions: Callable[[], object]) -> None:
        self._at += [(self.now_s() + time_s, action) for action in actions]

    def sleep(self, duration_s: float) -> None:
        super().sleep(duration_s)
        due = [each for each in self._at if each[0] <= self.now_s()]
        self._at = [each for each in self._at if each not in due]
        for _, action in sorted(due, key=lambda each: each[0]):
            action()


@contextmanager
def opened(
    folders: Folders,
    rig: str | Path = "six",
    *,
    state: CubeState,
    seed: int = 0,
    faults: Mapping[str, Any],
) -> Iterator[Machine]:
    """Open the virtual machine as the verbs do, in simulated time."""
    with open_machine(Choices(Path(rig), virtual=True, seed=seed), folders) as machine:
        machine._clock = SimulatedClock()
        machine.world.rig = FaultyRig(machine.rig, machine._clock, state, Faults(**faults))
        yield machine
