"""A short turn and a short sound: what a person looks at or listens for.

A small turn there and back shows which motor turns what, and in which direction. The buzzer is on
one of the board's outputs.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from cube.moves import MoveSequence
from robot.errors import LinkError
from robot.protocol.messages import OutputMode
from robot.rigs.actions import Act
from robot.rigs.mechanism import Buzz
from robot.rigs.program import ProgramStep, RigProgram
from robot.running.driver import RigDriver

BEEP_MS = 250


def beep(driver: RigDriver, output: int) -> None:
    """Sound a buzzer once; nothing else moves.

    Args:
        driver: The rig, connected.
        output: The output of the buzzer, from `Mechanism.buzzer`.

    Raises:
        RigError: The board refuses.
        LinkError: The board cannot be reached.
    """

    def end() -> None:
        driver.prepare()  # a stop drops the rest, and does not change outputs
        driver.run(_program(driver, Act.switch(output, OutputMode.OFF, "buzzer")))

    with _ended_by(driver, end):
        driver.run(_program(driver, Act.switch(output, OutputMode.ON, "buzzer"), Act.wait(BEEP_MS)))


@contextmanager
def _ended_by(driver: RigDriver, end: Callable[[], None]) -> Iterator[None]:
    """Call a function at the end, unless the link is lost: the error that says so is told.

    A request to stop does not end it: it restores what the interrupted work changed.
    """
    linked, wanted = True, driver.stop_wanted
    try:
        yield
    except LinkError:
        linked = False
        raise
    finally:
        if linked:
            driver.stop_wanted = lambda: False
            try:
                end()
            finally:
                driver.stop_wanted = wanted


def _program(driver: RigDriver, *parts: Act) -> RigProgram:
    nothing, pose = MoveSequence(), driver.pose
    steps = (ProgramStep((part,), nothing, 0.0, 0.0, does="sound", pose=pose) for part in parts)
    return RigProgram(tuple(steps), pose)


BUZZ_DEG = 12.0
"""The usual angle: turns below 20 degrees do not disturb neighbouring faces."""
BUZZES = 3
"""Number of repetitions, because a single turn is easily missed."""


def buzz(driver: RigDriver, small: Buzz) -> None:
    """Turn a motor a little clockwise and back, several times.

    Every face must be at a detent. During the turns the board has settings for shorter and slower
    quarter turns; they are restored afterwards, unless the link is lost.

    Args:
        driver: The rig, connected.
        small: The turn, from `Mechanism.buzz`.

    Raises:
        RigError: The board refuses or fails.
        LinkError: The board cannot be reached.
    """

    def end() -> None:
        # Ctrl-C ends with a small turn, perhaps one that was not yet undone.
        driver.prepare()
        if driver.executed % 2:
            driver.set(small.channel, small.settings)
            driver.run(RigProgram(small.program.steps[1:]))
            driver.prepare()

    driver.prepare()
    driver.set(small.channel, small.settings)
    with _ended_by(driver, end):
        # With these settings, the turns do not take their planned time.
        steps = [replace(step, start_s=0.0, duration_s=0.0) for step in small.program.steps]
        driver.run(RigProgram(tuple(steps * BUZZES)))
