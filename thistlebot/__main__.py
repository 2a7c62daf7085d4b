"""``python -m thistlebot`` and the script ``thistlebot``."""

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

STOPPED = 6
_STOPPED_WHILE_PARSING = 130
"""What typer makes of Ctrl-C before a verb has begun."""


def main() -> None:
    """Run the program; also while it is still loading, Ctrl-C ends it with code 6."""
    try:
        signal.signal(signal.SIGTERM, _interrupt)
        from thistlebot.cli.program import run_program

        run_program()
    except KeyboardInterrupt:
        _leave("thistlebot: stopped\n")
    except SystemExit as leaving:
        if leaving.code == _STOPPED_WHILE_PARSING:
            _leave("thistlebot: stopped\n")
        if leaving.code == STOPPED:
            _leave()
        raise


def _interrupt(_number: int, _frame: "FrameType | None") -> None:
    """Treat a request to end like Ctrl-C, so that motors stop at a detent."""
    raise KeyboardInterrupt


def _leave(message: str = "") -> None:
    """End with code 6, whatever Python remembers.

    A KeyboardInterrupt that passes through `exec` of a text, as in the making of a dataclass, makes
    the interpreter end by SIGINT even when it is caught later (python/cpython run_eval_code_obj).
    """
    sys.stderr.write(message)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(STOPPED)


if __name__ == "__main__":
    main()
