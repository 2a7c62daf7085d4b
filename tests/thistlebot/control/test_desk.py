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


@pytest.mark.parametrize("sent_s", [float("nan"), float("inf"), -float("inf")])
def test_a_time_that_is_none_has_expired(sent_s: float, desk: Desk, leases: Leases) -> None:
    with pytest.raises(RefusedError, match="nothing was done"):
        desk.require(Order(1, sent_s, Solve(), lease=leases.take()))


def test_a_watcher_gives_no_orders(desk: Desk, leases: Leases) -> None:
    leases.take()
    for lease in ("", "guess"):
        with pytest.raises(RefusedError) as caught:
            desk.require(Order(1, NOW_S, Scramble(), lease=lease))
        assert caught.value.kind == "lease"


def test_an_order_for_another_run_is_refused(desk: Desk, leases: Leases) -> None:
    lease = leases.take()
    desk.require(Order(1, NOW_S, Solve(), lease=lease, run=4))
    with pytest.raises(RefusedError) as caught:
        desk.require(Order(1, NOW_S, Solve(), lease=lease, run=3))
    assert caught.value.kind == "run"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"id":1,"sent_s":2,"do":{"command":"dance"}}',
        '{"id":1,"sent_s":2,"do":{"command":"solve","dry_run":"perhaps"}}',
        '{"id":1,"sent_s":2,"do":{"command":"solve"},"lease":5}',
        '{"id":1,"sent_s":2,"do":{"command":"solve"},"hurry":true}',
        b"\xff\xfe",
    ],
)
def test_what_is_no_order_is_said(line: str | bytes) -> None:
    with pytest.raises(UsageError, match="no command"):
        decode_order(line)


def test_an_order_is_read() -> None:
    line = '{"id":7,"sent_s":1.5,"lease":"x","run":2,"do":{"command":"solve","dry_run":true}}'
    assert decode_order(line) == Order(7, 1.5, Solve(dry_run=True), lease="x", run=2)
