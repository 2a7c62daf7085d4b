"""Calls that may hang are waited for only so long."""

import threading

import pytest

from vision.cameras.timeouts import call_within


def test_a_call_is_waited_for_only_so_long_and_its_errors_come_through():
    assert call_within(5.0, lambda: 7) == 7
    done = threading.Event()
    with pytest.raises(TimeoutError, match=r"0\.05 s"):
        call_within(0.05, lambda: done.wait(30.0))
    done.set()
    with pytest.raises(ZeroDivisionError):
        call_within(5.0, lambda: 1 / 0)
