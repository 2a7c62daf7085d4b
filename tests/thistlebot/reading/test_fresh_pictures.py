"""Cameras whose pictures come late: nothing is claimed of a cube that they have not shown."""

from typing import Any

import numpy as np
import pytest
from late_world import LateWorld
from world import cube

from cube.state import SOLVED, CubeState
from thistlebot.events import Executed, Followed, Verified
from thistlebot.reading.late_cameras import PlayedLateness, WatchedCameras
from thistlebot.solving.solver import Solve
from vision.frame import Frame


def test_pictures_in_time_are_verified_at_a_glance(solve: Solve) -> None:
    world = LateWorld(solve, "six", cube(7), 0.0)
    assert world.end() == "verified"
    assert not world.of(Followed)
    assert len(world.of(Verified)) == 1


@pytest.mark.parametrize("late", [2, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_late_pictures_are_waited_for(solve: Solve, late: int) -> None:
    world = LateWorld(solve, "six", cube(8), 1.0, late=late)
    assert world.end() == "verified"
    assert world.solved
    assert len(world.of(Executed)) == 1
    (followed,) = world.of(Followed)
    assert followed.late_s == pytest.approx(1.0, abs=0.4)


@pytest.mark.parametrize(
    "state",
    [pytest.param(SOLVED, marks=pytest.mark.exhaustive), cube(9)],
    ids=["solved now", "scrambled now"],
)
def test_a_cube_that_was_exchanged_is_solved_whatever_the_old_pictures_show(
    solve: Solve, state: CubeState
) -> None:
    before = cube(10) if state == SOLVED else SOLVED
    world = LateWorld(solve, "six", state, 1.0, before=before)
    assert world.end() == "verified"
    assert world.solved


def test_pictures_that_are_too_late_or_never_change_prove_nothing(solve: Solve) -> None:
    world = LateWorld(solve, "six", cube(11), 60.0, before=SOLVED)
    assert world.end() == "not verified"
    assert world.events.count(Followed(None)) == 2
    assert world.rig.state == cube(11)


@pytest.mark.parametrize(
    "before",
    [pytest.param(None, marks=pytest.mark.exhaustive), SOLVED],
    ids=["same cube", "exchanged"],
)
def test_a_rig_that_carries_the_cube_looks_when_the_pictures_have_followed(
    solve: Solve, before: CubeState | None
) -> None:
    world = LateWorld(solve, "claws", cube(12), 1.0, before=before)
    assert world.end() == "verified"
    assert world.solved
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
    assert world.end() == "verified"
    assert watched == []


def test_cameras_that_never_show_how_the_cube_is_carried_are_refused(solve: Solve) -> None:
    world = LateWorld(solve, "claws", cube(13), 60.0)
    assert world.end() == "refused"
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
