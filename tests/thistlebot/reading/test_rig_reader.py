"""Cameras of rigs that move the cube before them."""

from typing import Any

import numpy as np
import pytest
from world import World, cube

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.rigs.program import RigProgram
from thistlebot.errors import StoppedError, UsageError
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_views import RigScan
from vision.reading import CubeReading

MACHINES = ("six", "five", "cubotino", "mindcub3r", "claws", "three")


class Scanned(World):
    """A shipped rig with a cube in it, before its own virtual cameras."""

    def __init__(self, rig: str, state: CubeState = SOLVED, **rest: Any) -> None:
        super().__init__(lambda _: pytest.fail("nothing is solved"), rig, state, **rest)

    def scan(self) -> CubeReading:
        return self.reader.read(self.reader.look())


@pytest.mark.parametrize("name", MACHINES)
def test_each_rig_reads_a_cube_and_continues_from_where_the_scan_ended(name: str) -> None:
    machine = Scanned(name, cube(11))
    reading = machine.scan()
    assert reading.accepted
    assert reading.facelets == cube(11).to_facelets()
    assert machine.rig.moves == ()  # only the whole cube was moved
    assert machine.rig.violations == ()
    again = machine.scan()  # named as before, although the cube lies in another way
    assert again.facelets == cube(11).to_facelets()


def test_five_faces_are_enough_where_they_tell_the_sixth() -> None:
    reader = Scanned("cubotino", cube(0)).reader
    frames = reader.look()
    assert len(frames) == 5
    assert len(reader.read(frames).unseen) == 8  # and the centre, which is what is left


def test_a_part_in_the_way_of_the_camera_hides_the_cube() -> None:
    machine = Scanned("cubotino")
    driver = machine.ready()
    (camera,) = machine.cameras
    free = camera.read().image
    steps = machine.mechanism.plan(MoveSequence.parse("R F U")).steps
    closing = next(step for step in steps if step.does == "close the cover")
    driver.run(RigProgram((closing,), driver.pose))
    assert np.abs(camera.read().image.astype(int) - free).mean() > 5.0


def test_a_rig_that_has_to_move_and_may_not_says_so() -> None:
    machine = Scanned("cubotino")
    still = RigReader(RigScan(machine.mechanism, machine.virtual.views), machine.cameras)
    with pytest.raises(UsageError):
        still.look()


def test_stops_are_told() -> None:
    """Six of them, where the sixth colour is nowhere but on the sixth face."""
    machine = Scanned("cubotino-fast")
    told: list[tuple[int, int]] = []
    seen: list[int] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))
        colours = machine.reader.glimpsed().reshape(6, 9, 3)
        seen.append(np.count_nonzero(~np.isnan(colours).any(axis=(1, 2))))

    machine.reader.on_stop = tell
    assert machine.scan().facelets == SOLVED.to_facelets()
    assert [done for done, _ in told] == seen == [1, 2, 3, 4, 5, 6]
    assert told[-1] == (6, 6)


def test_a_person_who_stops_a_scan_is_told_how_the_machine_stands() -> None:
    machine = Scanned("cubotino")
    session = machine.session()
    pauses = iter(range(100))
    sleep = machine.clock.sleep

    def interrupted(duration_s: float) -> None:
        sleep(duration_s)
        if next(pauses) == 40:
            raise KeyboardInterrupt

    machine.clock.sleep = interrupted  # type: ignore[method-assign]
    with pytest.raises(StoppedError, match=r"\d+ "):
        session.run()
