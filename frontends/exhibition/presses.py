"""The keys of the terminal, and presses of the button that start nothing."""

from robot.running.driver import RigDriver
from thistlebot.terminal.keyboard import Keyboard

QUIT, SOLVE, ALIGNED = "q", " ", "a"


class Presses:
    """Reads the keys. Those pressed while the machine is busy are dropped, except ``q``."""

    def __init__(self, keyboard: Keyboard, driver: RigDriver) -> None:
        self._keyboard = keyboard
        self._driver = driver
        self._quit = False

    @property
    def names(self) -> str:
        """Return the keys that can be pressed."""
        if self._keyboard.available:
            return "press the button or the space bar (q to quit)"
        return "press the button"

    def key(self) -> str | None:
        """Return the next key pressed, or None."""
        return QUIT if self._quit else self._keyboard.key()

    def drop(self) -> None:
        """Drop everything pressed until now, except ``q``, including presses in transit.

        Raises:
            LinkError: The board is lost.
        """
        self._driver.forget_presses()
        self._quit |= QUIT in list(iter(self._keyboard.key, None))

    def touched(self) -> bool:
        """Return whether a key or the button was pressed, without waiting."""
        key = self._keyboard.key()
        self._quit |= key == QUIT
        return key is not None or self._driver.wait_for_button(0.0)
