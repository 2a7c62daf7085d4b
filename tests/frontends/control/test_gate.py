"""Which orders are carried out, who controls the machine, what waits for a watcher."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from frontends.control.commands import Scramble, Solve
from frontends.control.gate import AHEAD_S, EXPIRY_S, GRACE_S, Gate, Leases, Order, decode_order
from frontends.control.hub import MOST_EVENTS, Outbox
from frontends.control.view_model.notices import Noted
from frontends.control.view_model.view import ViewModel
from robot.ports.port import SimulatedClock
from thistlebot.errors import RefusedError, UsageError

NOW_S = 1000.0


def test_orders_out_of_time_without_the_lease_or_for_another_run_are_refused() -> None:
    leases = Leases(lambda: NOW_S)
    gate = Gate(leases, lambda: ViewModel("s", run=4), lambda: NOW_S)
    lease = leases.take()
    first, last = NOW_S - EXPIRY_S, NOW_S + AHEAD_S
    for sent_s in (first + 0.01, NOW_S, last - 0.01):
        gate.require(Order(1, sent_s, Solve(), lease=lease, run=4))
    late = (first - 0.01, last + 0.01, *map(float, ("nan", "inf", "-inf")))
    wrong = {
        "expired": [(time_s, lease, 4) for time_s in late],
        "lease": [(NOW_S, "", 4), (NOW_S, "guess", 4)],
        "run": [(NOW_S, lease, 3)],
    }
    for kind, orders in wrong.items():
        for sent_s, held, run in orders:
            with pytest.raises(RefusedError) as caught:
                gate.require(Order(1, sent_s, Scramble(), lease=held, run=run))
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


def test_the_first_one_controls_until_it_stays_away_or_gives_control() -> None:
    clock = SimulatedClock()
    leases = Leases(clock.now_s)
    mine = leases.take()
    assert mine
    assert leases.take() == leases.take("guess") == ""
    assert leases.take(mine) == ""  # a copy of a tab that is still there
    leases.leave(mine)
    clock.sleep(GRACE_S - 0.1)
    assert leases.take(mine) == mine  # it was loaded again
    clock.sleep(10 * GRACE_S)
    assert leases.holds(mine)
    leases.leave(mine)
    assert leases.take() == ""
    clock.sleep(GRACE_S + 0.1)
    other = leases.take()
    assert other not in ("", mine)
    assert not leases.holds(mine)
    leases.give(other)
    assert not leases.holds(other)
    assert not leases.holds("")


class OneController(RuleBasedStateMachine):
    """Whatever watchers do, at most one lease is in force."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = SimulatedClock()
        self.leases = Leases(self.clock.now_s)
        self.known: list[str] = [""]

    @rule(which=st.integers(0, 50))
    def take(self, which: int) -> None:
        self.known.append(self.leases.take(self.known[which % len(self.known)]))

    @rule(which=st.integers(0, 50))
    def give(self, which: int) -> None:
        self.leases.give(self.known[which % len(self.known)])

    @rule(which=st.integers(0, 50))
    def leave(self, which: int) -> None:
        self.leases.leave(self.known[which % len(self.known)])

    @rule(passed_s=st.floats(0.0, 10.0))
    def wait(self, passed_s: float) -> None:
        self.clock.sleep(passed_s)

    @invariant()
    def one_holds(self) -> None:
        holders = {lease for lease in self.known if self.leases.holds(lease)}
        assert len(holders) <= 1
        assert "" not in holders


TestOneController = OneController.TestCase
TestOneController.settings = settings(max_examples=20, stateful_step_count=30)


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
