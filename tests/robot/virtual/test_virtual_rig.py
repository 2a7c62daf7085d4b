"""The virtual rig as more than one thread knows it: cameras see the cube while it is turned."""

import sys
import threading
from collections.abc import Iterator

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.ports.clock import FastClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig

MOVES = MoveSequence.parse("R L' U2 D F R U R' U' F2 B2 L D' B U2 R2 F' L2 D B'")


@pytest.fixture
def _eager_threads() -> Iterator[None]:
    """Let threads take turns within a few instructions, so that they meet."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_eager_threads")
def test_cameras_see_the_cube_while_it_is_turned(rig: FaceMotors) -> None:
    clock = FastClock(10)
    virtual = VirtualRig(rig, clock)
    driver = RigDriver(virtual, rig, clock)
    over = threading.Event()
    failures: list[BaseException] = []

    def look_on() -> None:
        try:
            while not over.is_set():
                assert len(str(virtual.shown)) == 54
                virtual.stands({})
        except BaseException as error:  # noqa: BLE001 - told where the test can fail by it
            failures.append(error)

    watchers = [threading.Thread(target=look_on) for _ in range(3)]
    for watcher in watchers:
        watcher.start()
    try:
        driver.connect()
        for _ in range(4):
            driver.prepare()
            driver.run(rig.plan(MOVES))
            driver.run(rig.plan(MOVES.inverse()))
    finally:
        over.set()
        for watcher in watchers:
            watcher.join()
    assert not failures
    assert virtual.state == SOLVED
    assert len(virtual.moves) == 4 * 2 * len(MOVES)
