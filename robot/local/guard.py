"""A second process that switches servos off when the program that moves them dies or hangs.

Started by `robot.local.local_board` as ``python -m robot.local.guard JSON``. It expects a byte from
its input now and then. Without one for a while, or at the end of the input, it stops all pulses. An
``e`` ends it: the program has ended properly.
"""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from robot.errors import LinkError
from robot.local.pulse_outputs import PulseOutputs, open_outputs
from robot.rigs.board_file import BoardFile, PwmFile

BEAT, END = b".", b"e"
PATIENCE_S = 3.0
"""A program that is silent for this long counts as hanging."""
_STARTING_S = 20.0
_ENDING_S = 5.0
_TRYING_S = 60.0
_REST_S = 0.2
"""Between two attempts to switch off outputs that do not answer."""
PROGRAM = (sys.executable, "-m", "robot.local.guard")


class Guard:
    """The second process, as used by the first.

    Args:
        board: What to switch off.
        program: The command that starts the other process.

    Raises:
        LinkError: It does not start.
    """

    def __init__(self, board: BoardFile, program: Sequence[str] = PROGRAM) -> None:
        command = [*program, msgspec.json.encode(board).decode()]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], _STARTING_S)
        if not ready or not self._process.stdout.readline():
            self._process.kill()
            raise LinkError("the process that switches the servos off does not start")

    def beat(self) -> bool:
        """Report that the program is alive; return False if the servos are already off."""
        return self._say(BEAT)

    def end(self) -> None:
        """End the other process: the program ends properly."""
        self._say(END)
        self.leave()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING_S)
        self.kill()

    def leave(self) -> None:
        """Abandon the other process; it switches the servos off as soon as it can."""
        with suppress(OSError):
            self._pipe.close()

    def kill(self) -> None:
        """End the other process at once."""
        self.leave()
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    @property
    def _pipe(self) -> Any:
        assert self._process.stdin is not None
        return self._process.stdin

    def _say(self, what: bytes) -> bool:
        try:
            os.write(self._pipe.fileno(), what)
        except (OSError, ValueError):
            return False
        return True


def watch(outputs: PulseOutputs, patience_s: float) -> int:
    """Read the input until its end.

    Returns:
        0 if the program ended properly, else 1, with all pulses off.
    """
    while select.select([0], [], [], patience_s)[0]:
        said = os.read(0, 4096)
        if END in said:
            return 0
        if not said:
            break
    deadline_s = time.monotonic() + _TRYING_S
    while True:
        try:
            outputs.off()
        except OSError:
            if time.monotonic() > deadline_s:
                raise
            time.sleep(_REST_S)
        else:
            return 1


def main() -> int:
    """Guard the outputs that the first argument describes."""
    board = msgspec.json.decode(sys.argv[1], type=BoardFile | PwmFile)
    outputs = open_outputs(board, alone=False)

    def end(*_: object) -> None:
        outputs.off()
        sys.exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end)  # the system shuts down
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    return watch(outputs, PATIENCE_S)


if __name__ == "__main__":
    sys.exit(main())
