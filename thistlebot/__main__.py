"""``python -m thistlebot`` and the script ``thistlebot``.

Nothing is imported before the handler of Ctrl-C is set, not even Python's own library.
"""

import os
import sys
import time

STOPPED = 6
_COMPLETING = "_THISTLEBOT_COMPLETE"
"""A shell sets this variable of the environment when it asks what may follow on a line."""
_AGAIN_S = 0.05
_STOPPED_WHILE_PARSING = 130
"""The exception that typer raises for Ctrl-C before a command has begun."""
_REQUESTS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
"""Signals that ask the program to end: from a person, the system, or a closed terminal."""
_OBEYING_S = 3.0
"""Time in which a request must take effect; further requests in this time are ignored."""


def main() -> None:
    """Run the program; even while it is loading or ending, Ctrl-C ends it with code 6."""
    try:
        _run(_Ending())
    except KeyboardInterrupt as interruption:
        _leave(_stopped(interruption))


def _run(ending: "_Ending") -> None:
    try:
        import atexit
        import signal

        _replace_closed_streams()
        requests = _Requests()
        sys.unraisablehook = requests.come_again
        atexit.register(ending)  # the first one registered runs last
        for name in _REQUESTS:
            number = getattr(signal, name, None)  # Windows has none; nohup ignores it
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, requests)
        _stand_somewhere()
        # numpy would allocate memory for a thread per core; nothing here multiplies large matrices
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if os.environ.get(_COMPLETING, "").startswith("complete"):
            from thistlebot.cli.completion import answer_shell

            answer_shell()
        else:
            from thistlebot.cli.program import run_program

            run_program()
        ending.code = 0
    except SystemExit as leaving:
        if leaving.code == _STOPPED_WHILE_PARSING:
            _leave(_stopped(leaving))
        if leaving.code == STOPPED:
            _leave()
        ending.code = leaving.code or 0 if isinstance(leaving.code, int | None) else 1
        raise


def _replace_closed_streams() -> None:
    """Replace closed streams: the next file that is opened would get their numbers and outputs."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115,PTH123
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)  # it stays open, whatever replaces the other


def _stand_somewhere() -> None:
    """Leave a working folder that was deleted: libraries ask for it, and would fail."""
    try:
        os.getcwd()  # noqa: PTH109 - pathlib is not loaded yet
    except FileNotFoundError:
        os.chdir(os.sep)


def _stopped(interruption: BaseException) -> str:
    """Print that the user stopped the program, and any error that was about to be printed."""
    from thistlebot.errors import stopped_by

    return f"thistlebot: {stopped_by(interruption)}\n"


class _Requests:
    """Turns requests to end into Ctrl-C, so that motors stop at a detent.

    A second one must not interrupt the handling of the first: the board would continue to turn.
    """

    def __init__(self) -> None:
        self._obeyed_s = -_OBEYING_S

    def __call__(self, _number: int, _frame: object) -> None:
        """Interrupt the program, unless it is already ending."""
        now_s = time.monotonic()
        if now_s - self._obeyed_s >= _OBEYING_S:
            self._obeyed_s = now_s
            raise KeyboardInterrupt

    def come_again(self, dropped: "sys.UnraisableHookArgs") -> None:
        """Interrupt once more if Python drops an interrupt.

        Python drops an interrupt that arrives in a callback, for example of an import lock.
        """
        if isinstance(dropped.exc_value, KeyboardInterrupt):
            import threading

            self._obeyed_s = -_OBEYING_S
            again = threading.Timer(_AGAIN_S, _interrupt_main)
            again.daemon = True
            again.start()
        elif dropped.exc_type is not MemoryError:  # the main thread reports that one
            sys.__unraisablehook__(dropped)


class _Ending:
    """Ends the process at the end, before the interpreter is shut down.

    Python ends running threads by unwinding their stacks. In OpenCV, which is C++, that aborts the
    process with SIGABRT (python/cpython issue 87135).

    Attributes:
        code: The exit code; a bug is 1.
    """

    def __init__(self) -> None:
        self.code = 1

    def __call__(self) -> None:
        """End the process; signals are ignored from here on."""
        import signal

        for name in _REQUESTS:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):  # there is nobody left to report to
                continue
        os._exit(self.code)


def _interrupt_main() -> None:
    """Interrupt the main thread, even while it waits in a system call."""
    import _thread
    import signal
    import threading

    main_thread = threading.main_thread().ident
    if sys.platform == "win32" or main_thread is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main_thread, signal.SIGINT)


def _leave(message: str = "") -> None:
    """End with code 6 in any case.

    A KeyboardInterrupt that passes through `exec` of a text, such as during the creation of a
    dataclass, makes the interpreter end with SIGINT even if it is caught later (python/cpython
    run_eval_code_obj).
    """
    sys.stderr.write(message)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(STOPPED)


if __name__ == "__main__":
    main()
