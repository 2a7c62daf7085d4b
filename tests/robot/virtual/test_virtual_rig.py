"""The virtual rig as more than one thread knows it, and its wire."""

import sys
import threading

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.ports.clock import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig

MOVES = MoveSequence.parse("R L' U2 D F R U R' U' F2 B2 L D' B U2 R2 F' L2 D B'")


def test_cameras_see_the_cube_while_it_is_turned(rig: FaceMotors) -> None:
    before = sys.getswitchinterval()
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
    sys.setswitchinterval(1e-6)  # threads take turns within a few instructions, and meet
    for watcher in watchers:
        watcher.start()
    try:
        driver.connect()
        for _ in range(8):
            driver.prepare()
            driver.run(rig.plan(MOVES))
            driver.run(rig.plan(MOVES.inverse()))
    finally:
        sys.setswitchinterval(before)
        over.set()
        for watcher in watchers:
            watcher.join()
    assert not failures
    assert virtual.state == SOLVED
    assert len(virtual.moves) == 8 * 2 * len(MOVES)
