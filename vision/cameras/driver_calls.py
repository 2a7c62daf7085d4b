"""Calls camera drivers without their messages, and in threads: some calls take long, or forever."""

import os
import threading
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import cv2


@cache
def silence_opencv() -> None:
    """Silence OpenCV, and FFmpeg inside it, from now on: our own errors say more."""
    # Read by OpenCV once, when FFmpeg is first needed; -8 is FFmpeg's AV_LOG_QUIET.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # Seconds to wait for a silent webcam on Linux; OpenCV's own default is 10.
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "4")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


Answer = TypeVar("Answer")


def begun(function: Callable[[], Answer]) -> Callable[[float | None], Answer]:
    """Begin a call in a separate thread.

    If the call hangs, the thread is abandoned: nothing can end a thread that waits inside a driver.

    Returns:
        A function that waits for the result, for some seconds or without limit. It raises the
        errors of the call, and a `TimeoutError` if there is no result in time.
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
    """Return the result of a function if it comes within the time; see `begun`.

    Raises:
        TimeoutError: It did not return in time.
    """
    return begun(function)(timeout_s)
