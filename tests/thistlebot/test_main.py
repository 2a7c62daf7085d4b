"""Requests to end, as the program hears them from its first moment on."""

import signal
import time

import pytest

from thistlebot.__main__ import _Requests


class Ticking:
    """A clock that counts from the start of the computer."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_the_first_request_counts_however_young_the_clock_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Ticking()
    monkeypatch.setattr(time, "monotonic", clock)
    requests = _Requests()
    with pytest.raises(KeyboardInterrupt):
        requests(signal.SIGINT, None)


def test_while_one_is_obeyed_others_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Ticking()
    monkeypatch.setattr(time, "monotonic", clock)
    requests = _Requests()
    with pytest.raises(KeyboardInterrupt):
        requests(signal.SIGINT, None)
    clock.now_s = 1.0
    requests(signal.SIGTERM, None)
    clock.now_s = 10.0  # the first one was not enough
    with pytest.raises(KeyboardInterrupt):
        requests(signal.SIGINT, None)
