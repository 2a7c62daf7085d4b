"""Cameras whose pictures come late: nothing is claimed of a cube that they have not shown."""

from dataclasses import replace
from typing import Any

import pytest
from world import cube

from benchmarks.late_cameras import LateRun, LateWorld
from cube.state import SOLVED, CubeState
from thistlebot.events import Check, Checking, Executed, Followed, Verified
from thistlebot.session.recorded_world import PlayedFreshness, RecordEndsError
from thistlebot.solving.solver import Solve

STEADY = LateRun("six", "steady", "both", 0.0, exchanged=False, seed=5)


def test_pictures_in_time_are_verified_at_a_glance(solve: Solve) -> None:
    world = LateWorld(STEADY, cube(7), None)
    assert world.solve(solve) == "verified"
    assert not [event for event in world.events if isinstance(event, Followed)]
    assert len([event for event in world.events if isinstance(event, Verified)]) == 1


@pytest.mark.parametrize("cameras", ["both", "one"])
def test_late_pictures_are_waited_for(solve: Solve, cameras: str) -> None:
    world = LateWorld(replace(STEADY, delay_s=1.6, cameras=cameras), cube(8), None)
    assert world.solve(solve) == "verified"
    assert world.solved
    assert len([event for event in world.events if isinstance(event, Executed)]) == 1
    (followed,) = (event for event in world.events if isinstance(event, Followed))
    assert followed.late_s == pytest.approx(1.6, abs=0.4)


@pytest.mark.parametrize("state", [SOLVED, cube(9)], ids=["solved now", "scrambled now"])
def test_a_cube_that_was_exchanged_is_solved_whatever_the_old_pictures_show(
    solve: Solve, state: CubeState
) -> None:
    before = cube(10) if state == SOLVED else SOLVED
    world = LateWorld(replace(STEADY, delay_s=2.0), state, before)
    assert world.solve(solve) == "verified"
    assert world.solved


def test_pictures_that_are_too_late_or_never_change_prove_nothing(solve: Solve) -> None:
    world = LateWorld(replace(STEADY, delay_s=60.0), cube(11), SOLVED)
    assert world.solve(solve) == "not verified"
    assert world.events.count(Followed(None)) == 2
    assert world.world.rig.state == cube(11)


def test_a_replay_repeats_what_only_the_comparison_of_pictures_decided() -> None:
    nothing: Any = None
    look, followed = Checking(Check.LOOK), Followed(1.5)
    seen = Verified(0, nothing, solved=True, reached=True)
    fresh = PlayedFreshness([look, followed, look, seen, look, seen])
    fresh(look)
    assert not fresh.saw_last_turn(nothing, ())
    assert fresh.answers(nothing, nothing) == 1.5
    fresh(look)
    assert fresh.saw_last_turn(nothing, ())
    fresh(seen)
    fresh(look)
    with pytest.raises(RecordEndsError):
        fresh.answers(nothing, nothing)
