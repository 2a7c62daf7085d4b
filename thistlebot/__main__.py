"""``python -m thistlebot`` and the script ``thistlebot``.

Nothing is imported before Ctrl-C is looked after, not even from Python's own library.
"""

import os
import sys
import time

STOPPED = 6
_AGAIN_S = 0.05
_STOPPED_WHILE_PARSING = 130
"""What typer makes of Ctrl-C before a verb has begun."""
_REQUESTS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Requests to end: of a person, of the system, and of a terminal that is closed."""
_OBEYING_S = 3.0
"""So long a request may take to be obeyed; those that come meanwhile change nothing."""


def main() -> None:
    """Run the program; also while it is still loading, Ctrl-C ends it with code 6."""
    ending = _Ending()
    try:
        import atexit
        import signal

        requests = _Requests()
        sys.unraisablehook = requests.come_again
        atexit.register(ending)  # the first to be registered is the last to run
        for name in _REQUESTS:
            number = getattr(signal, name, None)  # Windows has no SIGHUP, and nohup ignores it
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, requests)
        _stand_somewhere()
        # numpy would take memory for a thread a core; nothing here multiplies large matrices
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from thistlebot.cli.program import run_program

        run_program()
        ending.code = 0
    except KeyboardInterrupt as interruption:
        _leave(_stopped(interruption))
    except SystemExit as leaving:
        if leaving.code == _STOPPED_WHILE_PARSING:
            _leave(_stopped(leaving))
        if leaving.code == STOPPED:
            _leave()
        ending.code = leaving.code or 0 if isinstance(leaving.code, int | None) else 1
        raise


def _stand_somewhere() -> None:
    """Leave a working folder that was deleted: libraries ask where it is, and would fail."""
    try:
        os.getcwd()  # noqa: PTH109 - pathlib is not loaded yet
    except FileNotFoundError:
        os.chdir(os.sep)


def _stopped(interruption: BaseException) -> str:
    """Say that the user stopped the program, and the error that was about to be told."""
    from thistlebot.errors import stopped_by

    return f"thistlebot: {stopped_by(interruption)}\n"


class _Requests:
    """Makes requests to end Ctrl-C, so that motors stop at a detent.

    A second one must not cut off what the first one began: the board would turn on.
    """

    def __init__(self) -> None:
        self._obeyed_s = -_OBEYING_S

    def __call__(self, _number: int, _frame: object) -> None:
        """Interrupt the program, unless it is being ended."""
        now_s = time.monotonic()
        if now_s - self._obeyed_s >= _OBEYING_S:
            self._obeyed_s = now_s
            raise KeyboardInterrupt

    def come_again(self, dropped: "sys.UnraisableHookArgs") -> None:
        """Interrupt once more when Python drops an interrupt.

        It does so when one falls into a callback, such as that of a lock of an import.
        """
        if isinstance(dropped.exc_value, KeyboardInterrupt):
            import threading

            self._obeyed_s = -_OBEYING_S
            again = threading.Timer(_AGAIN_S, _interrupt_main)
            again.daemon = True
            again.start()
        elif dropped.exc_type is not MemoryError:  # of which the main thread tells
            sys.__unraisablehook__(dropped)


class _Ending:
    """Ends the process when all is done, before the interpreter is taken down.

    Python ends threads that still run by unwinding their stacks. In OpenCV, which is C++, that
    aborts the process with SIGABRT (python/cpython issue 87135).

    Attributes:
        code: The exit code; a bug is 1.
    """

    def __init__(self) -> None:
        self.code = 1

    def __call__(self) -> None:
        """End it; signals have lost their meaning, too."""
        import signal

        for name in _REQUESTS:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):  # whoever could hear of it was told
                continue
        os._exit(self.code)


def _interrupt_main() -> None:
    """Interrupt the main thread, also while it waits in a call of the system."""
    import _thread
    import signal
    import threading

    main_thread = threading.main_thread().ident
    if sys.platform == "win32" or main_thread is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main_thread, signal.SIGINT)


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
