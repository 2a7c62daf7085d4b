"""What a calibration needs besides the rig: cameras, and a person who answers questions."""

from collections.abc import Callable

from cube.state import SOLVED, CubeState
from robot.running.program_run import RunProgress
from thistlebot.reading.reader import Look
from thistlebot.session.machine import Machine

_NEAR_US = 30.0
"""Distance at which a virtual arm has arrived: the host hears of the end of a step a bit late."""


class MachineObserver:
    """Looks through a machine's cameras; see `calibration.motors.CubeObserver`."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._reader = machine.view_reader()

    def look(self) -> Look:
        """Look at the cube; leave it unchanged."""
        frames = self._reader.look()
        reading = self._reader.read(frames)
        self._reader.return_cube()
        return Look(frames, reading)

    def solved(self) -> Look:
        """Look at a solved cube, which is put into a virtual machine."""
        if self._machine.choices.virtual:
            self._machine.world.rig.state = SOLVED
        return self.look()

    def state(self) -> CubeState | None:
        """Return the state of the cube, None if it cannot be read."""
        facelets = self.look().reading.facelets
        return None if facelets is None else CubeState.from_facelets(facelets)


class VirtualPerson:
    """Answers for a virtual machine, which always matches its rig file, and sees its arms.

    See `calibration.actuators.Person`.
    """

    def __init__(self, machine: Machine, note: Callable[[str], None]) -> None:
        self._machine = machine
        self.note = note
        self._arms_us: dict[int, list[float]] = {}

    def do(self, _: str) -> None:
        """Put in a solved cube, whatever the request."""
        self._machine.world.rig.state = SOLVED

    align = do

    def answer(self, _question: str, _kind: str) -> str:
        """Return yes: everything matches the rig file."""
        return ""

    def follow(self, progress: RunProgress) -> None:
        """Store the positions of the arms after each step."""
        arms = self._machine.world.rig.parts.servos
        self._arms_us[progress.executed] = [arm.at_us for arm in arms]

    def arrived(self, _: str, steps: int, pulses_us: dict[int, int]) -> bool:
        """Return whether the arms had arrived at that time."""
        seen, self._arms_us = self._arms_us.get(steps), {}
        return seen is not None and all(
            abs(seen[servo] - pulse_us) <= _NEAR_US for servo, pulse_us in pulses_us.items()
        )
