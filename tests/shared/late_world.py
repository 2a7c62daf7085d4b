"""A virtual machine whose cameras are late, in simulated time."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from world import World

from cube.errors import ThistlebotError
from cube.facelets import Facelets
from cube.state import CubeState
from robot.ports.port import SimulatedClock
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.errors import MisreadError, NotVerifiedError
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
        self.rig: VirtualRig | None = None
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
        if self.rig is not None:
            standing = tuple(self.rig.stands(needs) for needs in self.needs)
            self.past.append(Moment(self.now_s(), self.rig.shown, standing))

    def seen_at(self, time_s: float) -> Moment:
        """Return what there was to see at a time; before the first one, the first."""
        found = bisect_right(self.past, time_s, key=lambda moment: moment.time_s)
        return self.past[max(0, found - 1)]


class LateWorld(World):
    """A virtual machine of which so many cameras are late, the first ones.

    Args:
        before: The cube that stood there until shortly before; None for the same one.
    """

    def __init__(
        self,
        solve: Solve,
        rig: str,
        state: CubeState,
        delay_s: float,
        *,
        before: CubeState | None = None,
        late: int = 2,
    ) -> None:
        self.past = PastClock()
        super().__init__(solve, rig, before or state, clock=self.past)
        self.past.needs = [camera.needs for camera in self.mechanism.cameras]
        self.past.rig = self.rig
        self.past.remember()
        for number, camera in enumerate(self.cameras[:late]):
            assert isinstance(camera, VirtualCamera)
            self._delay(camera, number, delay_s)
        self.ready()
        if before is not None:
            self.past.sleep(5.0)
            self.rig.state = state
            self.past.sleep(EXCHANGED_S)

    def _delay(self, camera: VirtualCamera, number: int, delay_s: float) -> None:
        names = tuple(sorted(self.virtual.views[number].names()))

        def seen() -> Moment:
            return self.past.seen_at(self.past.now_s() - delay_s)

        camera._state = lambda: seen().shown
        camera._covered = lambda: () if seen().standing[number] else names

    def end(self) -> str:
        """Solve the cube, and return how the run ended."""
        try:
            self.run()
        except NotVerifiedError:
            end = "not verified"
        except MisreadError:
            end = "refused"
        except ThistlebotError as error:
            end = type(error).__name__
        else:
            end = "verified"
        return end if self.solved or not any(self.verdicts) else f"wrong: {end}"

    @property
    def solved(self) -> bool:
        """Whether the cube is solved, however it is held."""
        shown = self.rig.shown.text
        return all(len(set(shown[face : face + 9])) == 1 for face in range(0, 54, 9))
