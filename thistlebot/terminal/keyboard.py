"""Single key presses from the terminal, without waiting for Enter."""

import os
import sys
import time
from typing import Any, Self

if sys.platform == "win32":
    import msvcrt
else:
    import select
    import termios
    import tty


class Keyboard:
    """The keys pressed while the program works; none if input is not a terminal.

    As a context manager it switches the terminal to single keys and back. Ctrl-C still interrupts.
    """

    def __init__(self, *, wanted: bool = True) -> None:
        self._saved: list[Any] | None = None
        self.available = wanted and sys.stdin is not None and sys.stdin.isatty()

    def __enter__(self) -> Self:
        if self.available and sys.platform != "win32":
            self._saved = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *_: object) -> None:
        if self._saved is not None and sys.platform != "win32":
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._saved)
            self._saved = None

    def key(self, timeout_s: float = 0.0) -> str | None:
        """Return the next key pressed, or None if there is none within the time."""
        if not self.available:
            time.sleep(timeout_s)
            return None
        if sys.platform == "win32":
            until = time.monotonic() + timeout_s
            while not msvcrt.kbhit():
                if time.monotonic() >= until:
                    return None
                time.sleep(0.01)
            return msvcrt.getwch()
        ready, _, _ = select.select([sys.stdin], [], [], timeout_s)
        return os.read(sys.stdin.fileno(), 1).decode(errors="ignore") if ready else None
