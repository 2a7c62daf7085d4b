"""Waits for a person to put another cube into the rig."""

from robot.running.driver import RigDriver
from thistlebot.errors import StoppedError
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen

POLL_S = 0.05


def wait_for_exchange(keyboard: Keyboard, screen: Screen, driver: RigDriver | None = None) -> None:
    """Ask for the other cube, and wait for a press from then on.

    Args:
        keyboard: Any key will do.
        screen: Where to ask.
        driver: The board whose button will do, too; None for no board.

    Raises:
        StoppedError: The user pressed ``q``.
        LinkError: The board was lost.
    """

    def pressed() -> bool:
        return driver is not None and driver.wait_for_button(POLL_S)

    pressed()  # while the cube was read, as what was typed then
    while keyboard.key() is not None:
        pass
    screen.line("exchange the cubes, then press the button or a key (q ends)")
    while not pressed():
        key = keyboard.key(POLL_S)
        if key == "q":
            raise StoppedError("stopped; nothing was turned")
        if key is not None:
            return
