"""Waits for a call that may hang, as those of camera drivers do, but not for ever."""

import threading
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


def call_within(timeout_s: float, function: Callable[[], Answer]) -> Answer:
    """Return what a function returns, if it does within the time.

    The call runs in a thread of its own, which is left behind when it hangs: nothing can end a call
    that waits inside a driver.

    Raises:
        TimeoutError: It did not return in time.
    """
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def call() -> None:
        try:
            answers.append(function())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            errors.append(error)

    thread = threading.Thread(target=call, daemon=True, name="camera")
    thread.start()
    thread.join(timeout_s)
    if thread.is_alive():
        raise TimeoutError(f"no answer within {timeout_s:g} s")
    if errors:
        raise errors[0]
    return answers[0]
