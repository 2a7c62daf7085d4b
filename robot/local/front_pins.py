"""A button and a lamp on pins of a Raspberry Pi."""

import subprocess
from collections.abc import Callable
from typing import Any

from robot.errors import LinkError
from robot.rigs.board_file import BoardFile

HELD_S = 1.0
"""A press that lasts at least this long means STOP."""
_BLINK_S = {"working": 0.5, "failed": 0.15}
_SHUT_DOWN = ("systemctl", "poweroff")


class FrontPins:
    """The button and the lamp of a rig file's ``[board]``.

    A short press starts a solve, a longer one stops the machine, and a very long one shuts the
    computer down if the rig file allows it. The lamp is on when the machine is ready, blinks slowly
    while it works and fast when it has stopped for a reason.

    Args:
        board: The table ``[board]``.
        pressed: Called after a short press.
        held: Called when a press becomes a long one.

    Raises:
        LinkError: A pin cannot be used; the message says what to do.
    """

    def __init__(
        self, board: BoardFile, pressed: Callable[[], None], held: Callable[[], None]
    ) -> None:
        self._pressed = pressed
        self._held = held
        self._shut_down_s = board.shut_down_s
        self._was_held = False
        self._shown = ""
        self._button: Any = None
        self._lamp: Any = None
        if board.button is None and board.lamp is None:
            return
        try:
            from gpiozero import LED, Button, GPIOZeroError
        except ImportError:
            raise LinkError(
                "a button or a lamp needs gpiozero, which is not installed: install thistlebot "
                "with the extra `pi`"
            ) from None
        try:
            if board.button is not None:
                self._button = Button(board.button, hold_time=HELD_S, hold_repeat=True)
                self._button.when_held = self._hold
                self._button.when_released = self._release
            if board.lamp is not None:
                self._lamp = LED(board.lamp)
        except (GPIOZeroError, OSError) as error:
            self.close()
            raise LinkError(
                f"the pins of button and lamp cannot be used ({error}): close other programs that "
                "use them, and add yourself to the group gpio"
            ) from None

    def show(self, state: str) -> None:
        """Let the lamp show ``off``, ``ready``, ``working`` or ``failed``."""
        if self._lamp is None or state == self._shown:
            return
        self._shown = state
        if state in _BLINK_S:
            self._lamp.blink(_BLINK_S[state], _BLINK_S[state])
        elif state == "ready":
            self._lamp.on()
        else:
            self._lamp.off()

    def close(self) -> None:
        """Switch the lamp off, and release the pins."""
        for device in (self._button, self._lamp):
            if device is not None:
                device.close()

    def _hold(self) -> None:
        first, self._was_held = not self._was_held, True
        if first:
            self._held()
        if self._shut_down_s and self._button.held_time + HELD_S >= self._shut_down_s:
            self._shut_down_s = 0.0
            subprocess.run(_SHUT_DOWN, check=False)

    def _release(self) -> None:
        if not self._was_held:
            self._pressed()
        self._was_held = False
