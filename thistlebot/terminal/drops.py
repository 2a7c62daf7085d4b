"""Says what a virtual machine did to the cube that it must not do."""

from thistlebot.runs.events import Event, Executed, Read, Verified
from thistlebot.session.machine import Machine
from thistlebot.terminal.screen import Screen


class DropListener:
    """Tells once that a virtual machine dropped the cube, when it has done its work.

    Args:
        machine: The machine; it is a virtual one.
        screen: Where to say it.
    """

    def __init__(self, machine: Machine, screen: Screen) -> None:
        self._machine = machine
        self._screen = screen
        self._told = 0

    def __call__(self, event: Event) -> None:
        """Look at the machine after it moved, and after the cameras looked."""
        if isinstance(event, (Read, Executed, Verified)):
            violations = self._machine.world.rig.violations
            for text in violations[self._told :]:
                self._screen.problem(f"the virtual machine dropped the cube: {text}")
            self._told = len(violations)
