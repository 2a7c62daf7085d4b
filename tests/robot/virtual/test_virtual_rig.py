"""The virtual rig as more than one thread knows it, and its wire."""

import random
import sys
import threading
from collections.abc import Iterator

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.ports.clock import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.virtual.faults import Faults, Wire
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
    clock = SimulatedClock()
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
        for _ in range(8):
            driver.prepare()
            driver.run(rig.plan(MOVES))
            driver.run(rig.plan(MOVES.inverse()))
    finally:
        over.set()
        for watcher in watchers:
            watcher.join()
    assert not failures
    assert virtual.state == SOLVED
    assert len(virtual.moves) == 8 * 2 * len(MOVES)


def test_a_damaged_byte_differs_in_one_bit_and_any_bit_may_be_it() -> None:
    wire = Wire(Faults(flip=1.0), random.Random(1))
    sent = bytes(range(256)) * 2
    wire.put(sent, 0.0)
    arrived = wire.take(0.0)
    changes = [one ^ other for one, other in zip(sent, arrived, strict=True)]
    assert set(changes) == {1 << bit for bit in range(8)}
