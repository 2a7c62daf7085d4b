"""Calls in threads of their own: those of camera drivers take a while, and some never return."""

import threading
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


def begun(function: Callable[[], Answer]) -> Callable[[float | None], Answer]:
    """Begin a call in a thread of its own.

    The thread is left behind when the call hangs: nothing can end one that waits inside a driver.

    Returns:
        What waits for the answer, for so many seconds or for ever. It raises what the function
        raises, and a `TimeoutError` when the answer does not come in time.
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

    def answer(timeout_s: float | None) -> Answer:
        thread.join(timeout_s)
        if thread.is_alive():
            raise TimeoutError(f"no answer within {timeout_s:g} s")
        if errors:
            raise errors[0]
        return answers[0]

    return answer


def call_within(timeout_s: float, function: Callable[[], Answer]) -> Answer:
    """Return what a function returns, if it does within the time; see `begun`.

    Raises:
        TimeoutError: It did not return in time.
    """
    return begun(function)(timeout_s)
