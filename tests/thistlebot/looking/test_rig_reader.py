"""Cameras of rigs that move the cube before them."""

from collections.abc import Mapping

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import named_rig
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from thistlebot.errors import StoppedError, UsageError
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.looking.rig_views import load_rig_views
from thistlebot.session.session import Session
from thistlebot.session.virtual_world import VirtualWorld
from vision.reading import CubeReading

MACHINES = ("cubotino", "cubotino-fast", "mindcub3r", "claws", "three")


class Bench:
    """A shipped rig with a cube in it, before its own virtual cameras."""

    def __init__(
        self, name: str, state: CubeState, seed: int = 1, scheme: Mapping[str, str] | None = None
    ) -> None:
        self.rig = named_rig(name)
        self.clock = SimulatedClock()
        views = load_rig_views(self.rig, None, scheme, scheme)
        self.world = VirtualWorld(self.rig, state, seed, self.clock, views=views)
        self.driver = RigDriver(self.world.rig, self.rig, self.clock, seed=seed)
        self.driver.connect()
        self.reader = RigReader(
            RigScan(self.rig, views, scheme),
            self.world.cameras,
            self.ready,
            lambda: self.clock.sleep(self.rig.settle_ms / 1000),
            scheme=scheme,
        )

    def ready(self) -> RigDriver:
        self.driver.prepare()
        return self.driver

    def scan(self) -> CubeReading:
        return self.reader.read(self.reader.look())


@pytest.mark.parametrize("name", ["six", "five", *MACHINES])
def test_each_rig_reads_a_cube_and_goes_on_from_where_the_scan_ended(name: str) -> None:
    state = random_state(np.random.default_rng(11))
    bench = Bench(name, state)
    reading = bench.scan()
    assert reading.accepted
    assert reading.facelets == state.to_facelets()
    assert bench.world.rig.moves == ()  # only the whole cube was moved
    assert bench.world.rig.violations == ()
    again = bench.scan()  # named as before, although the cube lies in another way
    assert again.facelets == state.to_facelets()


def test_five_faces_are_enough_where_they_tell_the_sixth() -> None:
    bench = Bench("cubotino", random_state(np.random.default_rng(0)))
    frames = bench.reader.look()
    assert len(frames) == 5
    assert len(bench.reader.read(frames).unseen) == 8  # and the centre, which is what is left
    assert len(Bench("cubotino", SOLVED).reader.look()) == 6  # the sixth colour is nowhere else


def test_a_part_in_the_way_of_the_camera_hides_the_cube() -> None:
    bench = Bench("cubotino", SOLVED)
    driver = bench.ready()
    (camera,) = bench.world.cameras
    free = camera.read().image
    closing = next(
        step
        for step in bench.rig.plan(MoveSequence.parse("R F U")).steps
        if step.does == "close the cover"
    )
    driver.run(RigProgram((closing,), driver.pose))
    assert np.abs(camera.read().image.astype(int) - free).mean() > 5.0


def test_a_rig_that_has_to_move_and_may_not_says_so() -> None:
    bench = Bench("cubotino", SOLVED)
    still = RigReader(RigScan(bench.rig, bench.world.views), bench.world.cameras)
    with pytest.raises(UsageError, match="nothing may move here"):
        still.look()


def test_stops_are_told() -> None:
    bench = Bench("cubotino-fast", SOLVED)
    told: list[tuple[int, int]] = []
    bench.reader.on_stop = lambda done, total: told.append((done, total))
    bench.scan()
    assert [done for done, _ in told] == [1, 2, 3, 4, 5, 6]
    assert told[-1] == (6, 6)


def test_a_person_who_stops_a_scan_is_told_how_the_machine_stands() -> None:
    bench = Bench("cubotino", SOLVED)
    session = Session(
        lambda _: pytest.fail("nothing is solved"),
        bench.rig,
        reader=bench.reader,
        driver=bench.ready(),
        settle=bench.clock.sleep,
    )
    pauses = iter(range(100))

    def interrupted(_: float) -> None:
        if next(pauses) == 40:
            raise KeyboardInterrupt

    sleep = bench.clock.sleep
    bench.clock.sleep = lambda duration_s: (sleep(duration_s), interrupted(duration_s))[0]  # type: ignore[method-assign]
    with pytest.raises(StoppedError, match=r"stopped after \d+ steps"):
        session.run()
