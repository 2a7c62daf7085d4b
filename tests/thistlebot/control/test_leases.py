"""Who controls the machine."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from thistlebot.control.leases import GRACE_S, Leases


class Time:
    def __init__(self) -> None:
        self.s = 100.0

    def __call__(self) -> float:
        return self.s


def test_the_first_one_controls_and_keeps_control_when_it_loads_again() -> None:
    time = Time()
    leases = Leases(time)
    mine = leases.take()
    assert mine
    assert leases.take() == leases.take("guess") == ""
    assert leases.take(mine) == ""  # a copy of a tab that is still there
    leases.leave(mine)
    time.s += GRACE_S - 0.1
    assert leases.take(mine) == mine
    time.s += 10 * GRACE_S
    assert leases.holds(mine)


def test_control_is_free_when_the_controller_stays_away_or_gives_it() -> None:
    time = Time()
    leases = Leases(time)
    mine = leases.take()
    leases.leave(mine)
    assert leases.take() == ""
    time.s += GRACE_S + 0.1
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
        self.time = Time()
        self.leases = Leases(self.time)
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
        self.time.s += passed_s

    @invariant()
    def one_holds(self) -> None:
        holders = {lease for lease in self.known if self.leases.holds(lease)}
        assert len(holders) <= 1
        assert "" not in holders


TestOneController = OneController.TestCase
TestOneController.settings = settings(max_examples=20, stateful_step_count=30)
