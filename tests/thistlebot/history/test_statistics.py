"""What many solves come to."""

from datetime import date, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_rows import NOON, row, solves

from thistlebot.history.statistics import DNF, Averages, Summary, last_days, rolling_averages
from thistlebot.journal.rows import Outcome

TIMES = st.lists(st.one_of(st.floats(0.1, 100.0), st.just(DNF)), max_size=40)


def wca_average(times: list[float]) -> float:
    """Regulations 9f8 and 9f9: best and worst are left out; a second DNF is one too many."""
    if times.count(DNF) > 1:
        return DNF
    return sum(sorted(times)[1:-1]) / (len(times) - 2)


@settings(max_examples=40)
@given(TIMES, st.sampled_from([5, 12]))
def test_averages_are_those_of_the_regulations(times: list[float], of: int) -> None:
    expected = [wca_average(times[end - of : end]) for end in range(of, len(times) + 1)]
    assert rolling_averages(np.array(times), of).tolist() == pytest.approx(expected)


@settings(max_examples=40)
@given(TIMES)
def test_current_and_best_average(times: list[float]) -> None:
    rows = [
        row(number, seconds=time)
        if time != DNF
        else row(number, outcome=Outcome.STOPPED, seconds=2.0)
        for number, time in enumerate(times)
    ]
    summary = Summary.of(solves(*rows))
    averages = [wca_average(times[end - 5 : end]) for end in range(5, len(times) + 1)]
    if averages:
        found = (summary.ao5.current, summary.ao5.best)
        assert found == pytest.approx((averages[-1], min(averages)))
    else:
        assert summary.ao5 == Averages()
    solved = [time for time in times if time != DNF]
    assert summary.best_s == min(solved, default=None)
    assert summary.solves == len(times)


def test_what_counts() -> None:
    """Five times and one of these: a DNF is left out as the worst, and others are not there."""
    rows = [row(number, seconds=float(number)) for number in (1, 2, 3, 4, 5)]
    for outcome in (each for each in Outcome if each is not Outcome.VERIFIED):
        sixth = row(6, outcome=outcome, seconds=0.1, first_right=None)
        summary = Summary.of(solves(*rows, sixth))
        assert summary.solves == 5 + (outcome is not Outcome.PLANNED)
        assert summary.best_s == 1.0
        assert summary.best_number == 0
        timed = outcome not in (Outcome.PLANNED, Outcome.TURNED)
        average = (3 + 4 + 5) / 3 if timed else (2 + 3 + 4) / 3
        assert summary.ao5.current == pytest.approx(average), outcome


def test_shares_are_of_the_runs_where_somebody_knows() -> None:
    summary = Summary.of(
        solves(
            row(1),
            row(2, outcome=Outcome.UNVERIFIED, first_right=None),
            row(3, outcome=Outcome.REFUSED, first_right=False, turns=None),
            row(4, outcome=Outcome.FAILED, first_right=None),
            row(5, outcome=Outcome.TURNED, first_right=None, turns=18),
        )
    )
    assert summary.first_right == pytest.approx(1 / 2)
    assert summary.verified == pytest.approx(1 / 3)
    assert summary.median_turns == 20
    assert (summary.mean_s, summary.median_s) == (1.5, 1.5)


def test_days_are_those_of_the_clock_on_the_wall() -> None:
    midnight = datetime.combine(date.fromtimestamp(NOON), datetime.min.time()).timestamp()
    began = (midnight - 90_000, midnight - 1, midnight, midnight + 5, midnight + 86_400)
    found = solves(*(row(number, began=each) for number, each in enumerate(began)))
    days = [(day, those.numbers.tolist()) for day, those in last_days(found, 3)]
    assert [numbers for _, numbers in days] == [[4], [2, 3], [1]]
    assert [(days[0][0] - day).days for day, _ in days] == [0, 1, 2]
