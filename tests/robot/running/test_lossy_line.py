"""Sessions over a line that loses, flips, doubles and delays bytes, comes off or carries none."""

import contextlib
import random

import pytest

from cube.moves import ALL_MOVES, MoveSequence
from robot.errors import (
    NoiseError,
    PortMissingError,
    RigError,
)
from robot.ports.clock import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig


def connect_patiently(driver: RigDriver, clock: SimulatedClock) -> None:
    """Begin again when the cable comes off during the greeting, or no answer comes through."""
    for _ in range(9):
        with contextlib.suppress(PortMissingError, NoiseError):
            driver.connect()
            return
        clock.sleep(1.0)
    driver.connect()


def session(rig: FaceMotors, faults: Faults, seed: int) -> None:
    """Run one session."""
    rng = random.Random(seed)
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, faults=faults, seed=seed)
    moves = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(rng.randrange(1, 60)))
    program = rig.plan(moves.simplified())
    driver = RigDriver(virtual, rig, clock, seed=seed)
    connect_patiently(driver, clock)
    driver.prepare()
    try:
        result = driver.run(program)
    finally:
        assert virtual.moves == program.moves_of(driver.executed).moves
        assert virtual.board.refusals == []
    assert result.executed == len(program.steps)


def test_no_move_is_wrong_repeated_or_skipped(rig: FaceMotors) -> None:
    for seed in range(25):
        rng = random.Random(-seed)
        faults = Faults(
            drop=rng.uniform(0, 0.01),
            flip=rng.uniform(0, 0.01),
            duplicate=rng.uniform(0, 0.01),
            delay=rng.uniform(0, 0.01),
            unplug=rng.choice((0.0, 0.02)),
            unplugged_s=rng.uniform(0.0, 2.0),
        )
        session(rig, faults, seed)


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


@pytest.mark.parametrize(
    ("moves", "lost", "turned", "told"),
    [
        # Steps that were turned shortly before the host gives up count.
        ("R U F R U F R U", (4.4, 0.66), 6, "6 of 8"),
        ("R U", (60.0, 0.0), 0, r"after 0 of 2 steps: .* the line"),
    ],
)
def test_a_line_that_carries_no_step_ends_the_run_and_what_was_turned_counts(
    rig: FaceMotors, moves: str, lost: tuple[float, float], turned: int, told: str
) -> None:
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, seed=1)
    line = BrokenLine(virtual, clock)
    driver = RigDriver(line, rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    line.break_for(*lost)
    with pytest.raises(RigError, match=told):
        driver.run(rig.plan(MoveSequence.parse(moves)))
    assert driver.executed == len(virtual.moves) == turned
