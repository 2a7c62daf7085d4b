"""A rig that takes no step any more: the host gives up, and tells what was turned."""

from dataclasses import dataclass

import pytest

from cube.moves import MoveSequence
from robot.errors import RigError
from robot.ports.clock import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig

LONG_FRAME = 16
"""A packet with a step is longer; a request for the status is shorter."""


class BrokenLine:
    """A line to a virtual rig that carries no step, and later nothing back."""

    def __init__(self, rig: VirtualRig, clock: SimulatedClock) -> None:
        self.name = rig.name
        self._rig = rig
        self._clock = clock
        self._begin_s = float("inf")
        self._steps_lost_s = 0.0
        self._silent_s = 0.0

    def break_for(self, steps_lost_s: float, silent_s: float) -> None:
        self._begin_s = self._clock.now_s()
        self._steps_lost_s, self._silent_s = steps_lost_s, silent_s

    def write(self, data: bytes) -> None:
        since_s = self._clock.now_s() - self._begin_s
        if not (len(data) > LONG_FRAME and 0 <= since_s < self._steps_lost_s):
            self._rig.write(data)

    def read(self, timeout_s: float) -> bytes:
        data = self._rig.read(timeout_s)
        since_s = self._clock.now_s() - self._begin_s - self._steps_lost_s
        return b"" if 0 < since_s < self._silent_s else data

    def reopen(self) -> None:
        self._rig.reopen()

    def close(self) -> None:
        self._rig.close()


@dataclass
class Bench:
    """A prepared rig behind such a line."""

    virtual: VirtualRig
    line: BrokenLine
    driver: RigDriver


@pytest.fixture
def bench(rig: FaceMotors) -> Bench:
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, seed=1)
    line = BrokenLine(virtual, clock)
    driver = RigDriver(line, rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    return Bench(virtual, line, driver)


def test_steps_turned_shortly_before_the_host_gives_up_count(bench: Bench, rig: FaceMotors) -> None:
    program = rig.plan(MoveSequence.parse("R U F R U F R U"))
    bench.line.break_for(steps_lost_s=4.4, silent_s=0.66)
    with pytest.raises(RigError, match="6 of 8"):
        bench.driver.run(program)
    assert bench.driver.executed == len(bench.virtual.moves) == 6


def test_a_line_that_carries_no_step_ends_the_run_with_no_face_turned(
    bench: Bench, rig: FaceMotors
) -> None:
    bench.line.break_for(steps_lost_s=60.0, silent_s=0.0)
    with pytest.raises(RigError, match="0 of 2"):
        bench.driver.run(rig.plan(MoveSequence.parse("R U")))
    assert bench.driver.executed == len(bench.virtual.moves) == 0
