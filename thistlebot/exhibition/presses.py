"""The button on the board and the keys of the terminal, as one source of presses."""

from enum import Enum, auto

from robot.running.driver import RigDriver
from thistlebot.events import Entered, Phase
from thistlebot.terminal.keyboard import Keyboard

_POLL_S = 0.01
_ENDS = tuple(map(Entered, (Phase.DONE, Phase.STOPPED, Phase.FAILED)))


class Press(Enum):
    """What somebody wants who presses."""

    SOLVE = auto()
    QUIT = auto()


class Presses:
    """Hears the button and the keys.

    Args:
        keyboard: The keys.
        driver: The board, connected.

    Attributes:
        touched: Whether `stop_at_touch` stopped the machine.
    """

    def __init__(self, keyboard: Keyboard, driver: RigDriver) -> None:
        self._keyboard = keyboard
        self._driver = driver
        self._quit = False
        self.touched = False

    @property
    def names(self) -> str:
        """Say what there is to press."""
        if self._keyboard.available:
            return "press the button or the space bar (q ends)"
        return "press the button"

    def next(self) -> Press | None:
        """Return the next press; None when none comes within some hundredths of a second.

        Raises:
            LinkError: The board is lost.
        """
        key = self._keyboard.key(_POLL_S) if self._keyboard.available else None
        if key == "q" or self._quit:
            return Press.QUIT
        if key == " " or self._driver.wait_for_button(_POLL_S):
            return Press.SOLVE
        return None

    def drop(self) -> None:
        """Forget what was pressed until now, but for ``q``, and whatever is still on its way.

        Raises:
            LinkError: The board is lost.
        """
        self._driver.forget_presses()
        self._quit |= "q" in list(iter(self._keyboard.key, None))
        self.touched = False

    def stop_at_touch(self, event: object) -> None:
        """Stop the machine when anything was pressed: any key, or the button; once.

        Nothing is waited for.

        Args:
            event: What the machine tells of itself; at its end there is nothing to stop.

        Raises:
            KeyboardInterrupt: Something was pressed.
        """
        if self.touched or event in _ENDS:
            return
        key = self._keyboard.key()
        self._quit |= key == "q"
        if key is not None or self._driver.wait_for_button(0.0):
            self.touched = True
            raise KeyboardInterrupt
