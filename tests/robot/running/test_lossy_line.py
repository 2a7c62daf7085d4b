"""Whole sessions over a line that loses, flips, doubles and delays bytes, and comes off."""

import contextlib
import random
from collections.abc import Callable

import pytest

from cube.moves import ALL_MOVES, MoveSequence
from robot.errors import (
    AbortedError,
    BoardResetError,
    ForeignHostError,
    NoAnswerError,
    NoiseError,
    PortMissingError,
    RigError,
)
from robot.ports.port import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig


def random_moves(rng: random.Random, count: int) -> MoveSequence:
    return MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(count)).simplified()


def connect_patiently(driver: RigDriver, clock: SimulatedClock) -> None:
    """Begin again when the cable comes off during the greeting, or no answer comes through."""
    for _ in range(9):
        with contextlib.suppress(PortMissingError, NoiseError):
            driver.connect()
            return
        clock.sleep(1.0)
    driver.connect()


def session(
    rig: FaceMotors, faults: Faults, seed: int, on_packet: Callable[[str], None] | None = None
) -> None:
    """Run one session."""
    rng = random.Random(seed)
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, faults=faults, seed=seed)
    program = rig.plan(random_moves(rng, rng.randrange(1, 60)))
    driver = RigDriver(virtual, rig, clock, on_packet=on_packet, seed=seed)
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


@pytest.mark.exhaustive
@pytest.mark.timeout(3600)
def test_ten_thousand_sessions(rig: FaceMotors) -> None:
    """Half of the long packets are damaged, and now and then all copies of one are."""
    given_up = []
    for seed in range(10_000):
        faults = Faults(drop=0.01, flip=0.01, duplicate=0.01, delay=0.01, unplug=0.01)
        try:
            session(rig, faults, seed)
        except (AbortedError, BoardResetError, ForeignHostError):
            raise
        except (RigError, NoAnswerError):
            given_up.append(seed)
    assert len(given_up) <= 6
