"""Cameras of rigs that move the cube before them."""

import numpy as np
import pytest
from world import World, cube

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.program import RigProgram
from thistlebot.errors import StoppedError, UsageError
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.solving.solver import Solve
from vision.reading import CubeReading


def scan(world: World) -> CubeReading:
    return world.reader.read(world.reader.look())


@pytest.mark.parametrize("name", ["six", "five", "cubotino", "mindcub3r", "claws", "three"])
def test_each_rig_reads_a_cube_and_goes_on_from_where_the_scan_ended(name: str) -> None:
    world = World(rig=name, state=cube(11))
    reading = scan(world)
    assert reading.accepted
    assert reading.facelets == cube(11).to_facelets()
    assert world.rig.moves == ()  # only the whole cube was moved
    assert world.rig.violations == ()
    assert scan(world).facelets == reading.facelets  # named as before, although it lies otherwise


def test_five_faces_are_enough_where_they_tell_the_sixth() -> None:
    world = World(rig="cubotino", state=cube(0))
    frames = world.reader.look()
    assert len(frames) == 5
    assert len(world.reader.read(frames).unseen) == 8  # and the centre, which is what is left
    solved = World(rig="cubotino-fast", state=SOLVED)
    stops: list[tuple[int, int]] = []
    solved.reader.on_stop = lambda done, total: stops.append((done, total))
    assert len(solved.reader.look()) == 6  # the sixth colour is nowhere else
    assert [done for done, _ in stops] == [1, 2, 3, 4, 5, 6]
    assert stops[-1] == (6, 6)


def test_a_part_in_the_way_of_the_camera_hides_the_cube() -> None:
    world = World(rig="cubotino", state=SOLVED)
    driver = world.ready()
    (camera,) = world.cameras
    free = camera.read().image
    steps = world.mechanism.plan(MoveSequence.parse("R F U")).steps
    closing = next(step for step in steps if step.does == "close the cover")
    driver.run(RigProgram((closing,), driver.pose))
    assert np.abs(camera.read().image.astype(int) - free).mean() > 5.0


def test_a_rig_that_has_to_move_and_may_not_says_so() -> None:
    world = World(rig="cubotino", state=SOLVED)
    still = RigReader(RigScan(world.mechanism, world.virtual.views), world.cameras)
    with pytest.raises(UsageError):
        still.look()


def test_a_person_who_stops_a_scan_is_told_how_the_machine_stands(solve: Solve) -> None:
    world = World(solve, "cubotino", SOLVED)
    session = world.session()
    pauses = iter(range(100))
    sleep = world.clock.sleep

    def interrupted(duration_s: float) -> None:
        sleep(duration_s)
        if next(pauses) == 40:
            raise KeyboardInterrupt

    world.clock.sleep = interrupted  # type: ignore[method-assign]
    with pytest.raises(StoppedError, match=r"\d+ "):
        session.run()
