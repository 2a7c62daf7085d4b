"""Cameras whose pictures come late, or hang: nothing is claimed of a cube that they do not show."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
import pytest
from cubes import cube
from world import SCRAMBLED, World

from cube.facelets import Facelets
from cube.state import SOLVED, CubeState
from robot.ports.port import SimulatedClock
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import thistlebot, told
from thistlebot.errors import MisreadError, NotVerifiedError
from thistlebot.events import Executed, Followed, Verified
from thistlebot.reading import fresh_pictures
from thistlebot.reading.late_cameras import PlayedLateness, WatchedCameras
from thistlebot.session.machine import Machine
from thistlebot.solving.solver import Solve
from vision.cameras import proven_camera
from vision.frame import Frame
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
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


@pytest.fixture(autouse=True)
def _longer_naps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer pictures in the same simulated time: each takes a while to draw."""
    monkeypatch.setattr(fresh_pictures, "_NAP_S", 0.4)


def test_pictures_in_time_are_verified_at_a_glance(solve: Solve) -> None:
    world = LateWorld(solve, "six", cube(7), 0.0)
    world.run()
    assert world.rig.state == SOLVED
    assert not world.of(Followed)
    assert len(world.of(Verified)) == 1


def test_late_pictures_are_waited_for(solve: Solve) -> None:
    """Also where one camera is late and the other is in time."""
    world = LateWorld(solve, "six", cube(8), 1.0, late=1)
    world.run()
    assert world.rig.state == SOLVED
    assert len(world.of(Executed)) == 1
    (followed,) = world.of(Followed)
    assert followed.late_s == pytest.approx(1.0, abs=0.4)


def test_a_cube_that_was_exchanged_is_solved_whatever_the_old_pictures_show(solve: Solve) -> None:
    world = LateWorld(solve, "six", cube(9), 1.0, before=SOLVED)
    world.run()
    assert world.rig.state == SOLVED


def test_pictures_that_are_too_late_or_never_change_prove_nothing(solve: Solve) -> None:
    world = LateWorld(solve, "six", cube(11), 60.0, before=SOLVED)
    with pytest.raises(NotVerifiedError):
        world.run()
    assert not any(world.verdicts)
    assert world.events.count(Followed(None)) == 2
    assert world.rig.state == cube(11)


def test_a_rig_that_carries_the_cube_looks_when_the_pictures_have_followed(solve: Solve) -> None:
    world = LateWorld(solve, "claws", cube(12), 1.0, before=SOLVED)
    world.run()
    assert world.rig.state == SOLVED
    assert len(world.of(Executed)) == 1


@pytest.mark.exhaustive
def test_a_rig_that_carries_the_cube_takes_no_more_pictures_if_they_are_in_time(
    solve: Solve, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = LateWorld(solve, "claws", cube(12), 0.0)
    watched: list[str] = []
    for camera in world.cameras:
        plain = type(camera.unrecorded)
        monkeypatch.setattr(plain, "read", lambda self: watched.append(self.name))
    world.run()
    assert world.rig.state == SOLVED
    assert watched == []


def test_cameras_that_never_show_how_the_cube_is_carried_are_refused(solve: Solve) -> None:
    world = LateWorld(solve, "claws", cube(13), 60.0)
    with pytest.raises(MisreadError):
        world.run()
    assert not world.of(Executed)


def test_a_replay_takes_the_next_picture_where_one_was_late() -> None:
    before, after = np.full((54, 3), 50.0), np.full((54, 3), 80.0)
    pictures = {"before": before, "late": before, "after": after}
    cameras: Any = WatchedCameras(
        lambda: (), lambda names: [pictures[name.source] for name in names]
    )
    before_, late, after_ = (
        (Frame(np.zeros((1, 1, 3), np.uint8), name, 7.0),) for name in pictures
    )
    played = PlayedLateness()
    assert [played.follow(before_, each, cameras) for each in (late, after_)] == [False, True]
    assert played.late_s > 0
    assert [played.follow(before_, each, cameras) for each in (late, late)] == [False, True]
    assert played.given_up
    assert played.follow(before_, late, cameras)


class Hanging(VirtualCamera):
    """Repeats its last picture for ever once it hangs."""

    hangs: Callable[[], bool]
    last: Frame | None = None

    def read(self) -> Frame:
        if self.last is None or not self.hangs():
            self.last = super().read()
        return self.last

    def ask(self) -> Callable[[], Frame]:
        return self.read


@pytest.mark.parametrize("moment", ["before", "while it turns"])
def test_a_camera_that_repeats_its_picture_verifies_nothing(
    moment: str, pty_rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a solved cube that it has shown from the beginning."""
    monkeypatch.setattr(proven_camera, "_PATIENCE_S", 0.3)
    port, rig = pty_rig()
    rig.state = SCRAMBLED
    names = cycle(CORNER_CAMERAS)  # the machine opens them again

    def opened(*_: object) -> Hanging:
        shows = (lambda: SOLVED) if moment == "before" else (lambda: rig.state)
        camera = Hanging(shows, corner_viewpoint(next(names)))
        camera.hangs = (lambda: True) if moment == "before" else (lambda: bool(rig.moves))
        return camera

    monkeypatch.setattr(Machine, "open_camera", opened)
    result = thistlebot("solve", "--rig", "six", "--port", port, "--json")
    assert result.exit_code != 0
    assert any(corner_viewpoint(name).name in told(result).text for name in CORNER_CAMERAS)
    if moment == "before":
        assert rig.moves == ()
    else:
        assert 0 < len(rig.moves) < 30
