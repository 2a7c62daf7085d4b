"""Which orders are carried out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(age_s=st.floats(-5.0, 5.0))
def test_an_order_expires(age_s: float) -> None:
    leases = Leases(lambda: NOW_S)
    desk = Desk(leases, lambda: View("s"), lambda: NOW_S)
    order = Order(1, NOW_S - age_s, Solve(), lease=leases.take())
    if -AHEAD_S + 1e-9 < age_s < EXPIRY_S - 1e-9:
        desk.require(order)
    elif not -AHEAD_S - 1e-9 <= age_s <= EXPIRY_S + 1e-9:
        with pytest.raises(RefusedError) as caught:
            desk.require(order)
        assert caught.value.kind == "expired"


def test_orders_out_of_time_without_the_lease_or_for_another_run_are_refused(
    desk: Desk, leases: Leases
) -> None:
    lease = leases.take()
    desk.require(Order(1, NOW_S, Solve(), lease=lease, run=4))
    wrong = {
        "expired": [(float(time), lease, 4) for time in ("nan", "inf", "-inf")],
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
