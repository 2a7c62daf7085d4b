"""Which orders are carried out."""

import pytest

from thistlebot.control.commands import Order, Scramble, Solve, decode_order
from thistlebot.control.desk import AHEAD_S, EXPIRY_S, Desk, RefusedError
from thistlebot.control.leases import Leases
from thistlebot.control.showing.view import View
from thistlebot.errors import UsageError

NOW_S = 1000.0


@pytest.fixture
def leases() -> Leases:
    return Leases(lambda: NOW_S)


@pytest.fixture
def desk(leases: Leases) -> Desk:
    return Desk(leases, lambda: View("s", run=4), lambda: NOW_S)


def test_orders_out_of_time_without_the_lease_or_for_another_run_are_refused(
    desk: Desk, leases: Leases
) -> None:
    lease = leases.take()
    first, last = NOW_S - EXPIRY_S, NOW_S + AHEAD_S
    for sent_s in (first + 0.01, NOW_S, last - 0.01):
        desk.require(Order(1, sent_s, Solve(), lease=lease, run=4))
    late = (first - 0.01, last + 0.01, *map(float, ("nan", "inf", "-inf")))
    wrong = {
        "expired": [(time_s, lease, 4) for time_s in late],
        "lease": [(NOW_S, "", 4), (NOW_S, "guess", 4)],
        "run": [(NOW_S, lease, 3)],
    }
    for kind, orders in wrong.items():
        for sent_s, held, run in orders:
            with pytest.raises(RefusedError) as caught:
                desk.require(Order(1, sent_s, Scramble(), lease=held, run=run))
            assert caught.value.kind == kind


def test_an_order_is_read_and_what_is_none_is_said() -> None:
    line = '{"id":7,"sent_s":1.5,"lease":"x","run":2,"do":{"command":"solve","dry_run":true}}'
    assert decode_order(line) == Order(7, 1.5, Solve(dry_run=True), lease="x", run=2)
    for wrong in (
        "",
        "null",
        "[]",
        "{}",
        '{"id":1,"sent_s":2,"do":{"command":"dance"}}',
        '{"id":1,"sent_s":2,"do":{"command":"solve","dry_run":"perhaps"}}',
        '{"id":1,"sent_s":2,"do":{"command":"solve"},"lease":5}',
        '{"id":1,"sent_s":2,"do":{"command":"solve"},"hurry":true}',
        b"\xff\xfe",
    ):
        with pytest.raises(UsageError):
            decode_order(wrong)
