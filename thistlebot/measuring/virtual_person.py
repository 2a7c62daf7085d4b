"""Who stands beside the virtual machine, which is as its rig file says, and sees its arms."""

from collections.abc import Callable

from cube.state import SOLVED
from robot.running.program_run import RunProgress
from thistlebot.session.machine import Machine

_NEAR_US = 30.0
"""A virtual arm this near has arrived: the host learns of the end of a step a little late."""


class VirtualPerson:
    """Answers for the virtual machine; see `calibration.actuators.Person`.

    Args:
        machine: The machine.
        note: Told what was found.
    """

    def __init__(self, machine: Machine, note: Callable[[str], None]) -> None:
        self._machine = machine
        self._note = note
        self._arms_us: dict[int, list[float]] = {}

    def do(self, _: str) -> None:
        """Put a solved cube in, whatever was asked for."""
        self._machine.world.rig.state = SOLVED

    def answer(self, _: str) -> str:
        """Say yes: everything is as the rig file says."""
        return ""

    def note(self, text: str) -> None:
        """Hand on what was found."""
        self._note(text)

    def follow(self, progress: RunProgress) -> None:
        """Remember where the arms are after each step."""
        arms = self._machine.world.rig.parts.servos
        self._arms_us[progress.executed] = [arm.at_us for arm in arms]

    def arrived(self, _: str, steps: int, pulses_us: dict[int, int]) -> bool:
        """Say whether the arms had arrived then."""
        seen, self._arms_us = self._arms_us.get(steps), {}
        return seen is not None and all(
            abs(seen[servo] - pulse_us) <= _NEAR_US for servo, pulse_us in pulses_us.items()
        )
