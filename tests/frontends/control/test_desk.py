"""Which orders are carried out, and what waits for a watcher."""

from typing import Any

import pytest

from frontends.control.commands import Scramble, Solve
from frontends.control.desk import AHEAD_S, EXPIRY_S, Desk, Order, decode_order
from frontends.control.outbox import MOST_EVENTS, Outbox
from frontends.control.view_model.notices import Noted
from frontends.control.view_model.view import ViewModel
from frontends.control.worker import Task
from thistlebot.errors import RefusedError, UsageError

NOW_S = 1000.0


class Worker:
    """Takes whatever passes the desk."""

    corrects = False

    def __init__(self) -> None:
        self.begun: list[Task] = []

    def begin(self, task: Task) -> int:
        self.begun.append(task)
        return len(self.begun)


def test_orders_out_of_time_or_for_another_run_are_refused() -> None:
    worker: Any = Worker()
    desk = Desk(worker, lambda: ViewModel("s", run=4), lambda: NOW_S)
    first, last = NOW_S - EXPIRY_S, NOW_S + AHEAD_S
    for sent_s in (first + 0.01, NOW_S, last - 0.01):
        desk.take(Order(1, sent_s, Solve(), run=4))
    assert [task.command for task in worker.begun] == [Solve()] * 3
    late = (first - 0.01, last + 0.01, *map(float, ("nan", "inf", "-inf")))
    wrong = {"expired": [(time_s, 4) for time_s in late], "run": [(NOW_S, 3)]}
    for kind, orders in wrong.items():
        for sent_s, run in orders:
            with pytest.raises(RefusedError) as caught:
                desk.take(Order(1, sent_s, Scramble(), run=run))
            assert caught.value.kind == kind
    assert len(worker.begun) == 3


def test_an_order_is_read_and_what_is_none_is_said() -> None:
    line = '{"id":7,"sent_s":1.5,"run":2,"do":{"command":"solve","dry_run":true}}'
    assert decode_order(line) == Order(7, 1.5, Solve(dry_run=True), run=2)
    for wrong in (
        "",
        "null",
        "[]",
        "{}",
        '{"id":1,"sent_s":2,"do":{"command":"dance"}}',
        '{"id":1,"sent_s":2,"do":{"command":"solve","dry_run":"perhaps"}}',
        '{"id":1,"sent_s":2,"do":{"command":"solve"},"run":"x"}',
        '{"id":1,"sent_s":2,"do":{"command":"solve"},"hurry":true}',
        b"\xff\xfe",
    ):
        with pytest.raises(UsageError):
            decode_order(wrong)


EVENT, VIEW = Noted("n"), ViewModel("s")


def test_events_come_in_order_and_the_view_last_and_wake_a_watcher_once() -> None:
    woken: list[int] = []
    outbox = Outbox(lambda: woken.append(1))
    for number in range(3):
        outbox.put(number, EVENT, VIEW)
    assert len(woken) == 1
    assert outbox.take() == [(0, EVENT), (1, EVENT), (2, EVENT), (2, VIEW)]
    assert outbox.take() == []
    outbox.put(3, None, VIEW)
    assert len(woken) == 2
    assert outbox.take() == [(3, VIEW)]
    last = 2 * MOST_EVENTS - 1
    for number in range(last + 1):  # a watcher far behind is told so, and gets the view
        outbox.put(number, EVENT, VIEW)
    assert outbox.take() == [(0, None), (last, VIEW)]
    outbox.put(last + 1, EVENT, VIEW)
    assert outbox.take() == [(last + 1, EVENT), (last + 1, VIEW)]
