"""A small turn there and back: shows which motor turns which face, and which way."""

import math

from cube.moves import Move
from robot.errors import NotPossibleError
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.planner import plan_steps
from robot.rigs.rig import Rig
from robot.running.driver import RigDriver

BUZZ_DEG = 12.0
BUZZES = 3
"""Once is easily missed."""
SLOWNESS = 4
"""A turn at a quarter of the rig's speed is seen, and heard, to go one way first."""


def buzz(driver: RigDriver, rig: Rig, face: str, angle_deg: float = BUZZ_DEG) -> int:
    """Turn a face a little clockwise and back again, some times.

    Every face has to stand at a detent. The board is told of shorter and slower quarter turns
    meanwhile; its settings are as before afterwards, however it ends.

    Args:
        driver: The rig, connected.
        rig: What it is made of.
        face: One of URFDLB.
        angle_deg: How far; faces beside it are not disturbed below 20 degrees.

    Returns:
        Step pulses of each little turn.

    Raises:
        NotPossibleError: The face has no motor, or the angle is below a step or not below a quarter
            turn; nothing was turned.
        RigError: The board did not do it.
        LinkError: The board cannot be reached.
    """
    motor = rig.motor(face)
    steps = round(motor.steps_per_quarter * angle_deg / 90.0) if math.isfinite(angle_deg) else 0
    smallest = SETTING_BY_KEY[Setting.STEPS_PER_QUARTER].minimum
    if not smallest <= steps < motor.steps_per_quarter:
        least = 90.0 * smallest / motor.steps_per_quarter
        raise NotPossibleError(f"a buzz of {angle_deg:g}° is not possible: {least:.1f}° to 89°")
    driver.prepare()
    rate = SETTING_BY_KEY[Setting.RATE_STEPS_S]
    acceleration = SETTING_BY_KEY[Setting.ACCELERATION_STEPS_S2]
    slowly = {
        Setting.STEPS_PER_QUARTER: steps,
        Setting.RATE_STEPS_S: max(rate.minimum, motor.rate_steps_s // SLOWNESS),
        Setting.ACCELERATION_STEPS_S2: max(
            acceleration.minimum, motor.acceleration_steps_s2 // SLOWNESS**2
        ),
    }
    moves = [[Move(face, 1)], [Move(face, 3)]] * BUZZES
    driver.set(motor.channel, slowly)
    try:
        driver.run(plan_steps(moves, rig))
    finally:
        # Ctrl-C ends with a little turn, perhaps with one that was not yet taken back.
        driver.prepare()
        if driver.executed % 2:
            driver.set(motor.channel, slowly)
            driver.run(plan_steps([[Move(face, 3)]], rig))
            driver.prepare()
    return steps
