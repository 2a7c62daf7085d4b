"""Calls that may hang are waited for only so long."""

import threading

import pytest

from vision.cameras.timeouts import begun, call_within


def test_a_call_is_waited_for_only_so_long_and_its_errors_come_through():
    assert call_within(5.0, lambda: 7) == 7
    done = threading.Event()
    with pytest.raises(TimeoutError, match=r"0\.05 s"):
        call_within(0.05, lambda: done.wait(30.0))
    done.set()
    with pytest.raises(ZeroDivisionError):
        call_within(5.0, lambda: 1 / 0)


def test_calls_that_were_begun_run_at_the_same_time():
    meeting = threading.Barrier(2)
    waiting = [begun(lambda: meeting.wait(30.0)) for _ in range(2)]
    assert sorted(answer(None) for answer in waiting) == [0, 1]
    failing = begun(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        failing(None)
