"""A small turn there and back: shows which motor turns what, and which way."""

from robot.rigs.mechanism import Buzz
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver

BUZZ_DEG = 12.0
"""Faces beside the one that turns are not disturbed below 20 degrees."""
BUZZES = 3
"""Once is easily missed."""


def buzz(driver: RigDriver, small: Buzz) -> None:
    """Turn a motor a little clockwise and back again, some times.

    Every face has to stand at a detent. The board is told of shorter and slower quarter turns
    meanwhile; its settings are as before afterwards, however it ends.

    Args:
        driver: The rig, connected.
        small: The turn, as `Mechanism.buzz` describes it.

    Raises:
        RigError: The board did not do it.
        LinkError: The board cannot be reached.
    """
    driver.prepare()
    driver.set(small.channel, small.settings)
    try:
        driver.run(RigProgram(small.program.steps * BUZZES))
    finally:
        # Ctrl-C ends with a little turn, perhaps with one that was not yet taken back.
        driver.prepare()
        if driver.executed % 2:
            driver.set(small.channel, small.settings)
            driver.run(RigProgram(small.program.steps[1:]))
            driver.prepare()
