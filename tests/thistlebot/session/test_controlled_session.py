"""Whole solves on models of controllers that speak G-code: look, solve, turn, look again."""

from collections.abc import Iterable

import msgspec
import numpy as np
import pytest

from cube.random_states import random_state
from cube.state import SOLVED
from robot.ports.port import SimulatedClock
from robot.rigs.board_file import GCodeFile
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from thistlebot.config import Folders
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_scan import RigScan
from thistlebot.reading.rig_views import load_rig_views
from thistlebot.session.session import Session
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from vision.cameras.proven_camera import ProvenCamera

MACHINES = [("six", "grbl"), ("six", "marlin"), ("three", "grbl")]


def unsolved(name: str, dialect: str, seeds: Iterable[int]) -> list[int]:
    """Solve a random cube for each seed, and return the seeds whose cubes are not solved."""
    rig = msgspec.structs.replace(named_rig(name), board=GCodeFile(), port=f"{dialect}:/dev/x")
    views = load_rig_views(rig, None, None, None)
    drivers: list[RigDriver] = []
    solving = Solving(
        Folders.of_platform().cache, Approach(budget_ms=60.0), rig, pose=lambda: drivers[-1].pose
    )
    solving.wait()
    left = []
    for seed in seeds:
        clock = SimulatedClock()
        state = random_state(np.random.default_rng(seed))
        world = VirtualWorld(rig, state, seed, clock, views=views)
        driver = RigDriver(world.open_port(), rig, clock, seed=seed)
        drivers.append(driver)
        driver.connect()
        driver.prepare()
        cameras = tuple(ProvenCamera(each, clock.now_s) for each in world.cameras)
        reader = RigReader(
            RigScan(rig, views),
            cameras,
            lambda driver=driver: driver,
            lambda clock=clock: clock.sleep(rig.settle_ms / 1000),
        )
        session = Session(
            solving, rig, reader=reader, checker=reader, driver=driver, settle=clock.sleep
        )
        session.run()  # which raises unless the camera saw the cube solved
        if world.rig.state != SOLVED:
            left.append(seed)
    return left


@pytest.mark.parametrize(("name", "dialect"), MACHINES)
def test_a_cube_is_solved_through_a_controller(name, dialect):
    assert unsolved(name, dialect, range(2)) == []


@pytest.mark.exhaustive
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("name", "dialect"), MACHINES)
def test_two_hundred_cubes_are_solved_through_a_controller(name, dialect):
    assert unsolved(name, dialect, range(200)) == []
