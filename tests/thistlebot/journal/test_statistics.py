"""What many solves come to, how they are drawn, and csTimer's form of them."""

import csv
import io
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journals import NOON, keep, row, solves

from cube.moves import MoveSequence
from cube.state import SOLVED
from thistlebot.journal.journal import journal_size
from thistlebot.journal.past_runs import solves_by_rig
from thistlebot.journal.rows import Outcome, Wanted
from thistlebot.journal.sharing.cstimer import cstimer_csv, scramble_of
from thistlebot.journal.statistics import (
    DNF,
    Averages,
    Summary,
    last_days,
    rolling_averages,
)
from thistlebot.journal.store import Store

TIMES = st.lists(st.one_of(st.floats(0.1, 100.0), st.just(DNF)), max_size=40)


def wca_average(times: list[float]) -> float:
    """Regulations 9f8 and 9f9: best and worst are left out; a second DNF is one too many."""
    if times.count(DNF) > 1:
        return DNF
    return sum(sorted(times)[1:-1]) / (len(times) - 2)


@settings(max_examples=40)
@given(TIMES)
def test_averages_are_those_of_the_regulations(times: list[float]) -> None:
    rows = [
        row(number, seconds=time)
        if time != DNF
        else row(number, outcome=Outcome.STOPPED, seconds=2.0)
        for number, time in enumerate(times)
    ]
    summary = Summary.of(solves(*rows))
    for of, found in ((5, summary.ao5), (12, summary.ao12)):
        averages = [wca_average(times[end - of : end]) for end in range(of, len(times) + 1)]
        assert rolling_averages(np.array(times), of).tolist() == pytest.approx(averages)
        if averages:
            assert (found.current, found.best) == pytest.approx((averages[-1], min(averages)))
        else:
            assert found == Averages()
    solved = [time for time in times if time != DNF]
    assert summary.best_s == min(solved, default=None)
    assert summary.solves == len(times)


NOTHING, UNTIMED, FAILED, TIMED = "nothing", "a solve", "a DNF", "a time"
KINDS = {
    "a verified solve": ({}, TIMED),
    "a solve by the button": ({"verb": "solve --wait"}, TIMED),
    "a solve without a check": ({"outcome": Outcome.TURNED}, UNTIMED),
    "a solve that was not verified": ({"outcome": Outcome.UNVERIFIED}, FAILED),
    "a solve that was stopped": ({"outcome": Outcome.STOPPED}, FAILED),
    "a solve that was cut off": ({"outcome": Outcome.CUT_OFF, "seconds": None}, FAILED),
    "a cube that was read in doubt": ({"outcome": Outcome.REFUSED, "turns": None}, FAILED),
    "a cube that was solved already": ({"turns": 0}, NOTHING),
    "a dry run": ({"outcome": Outcome.PLANNED}, NOTHING),
    "a dry run that was refused": (
        {"verb": "solve --dry-run", "outcome": Outcome.REFUSED, "turns": None},
        NOTHING,
    ),
    "a pattern": ({"verb": "solve --to"}, NOTHING),
    "a scramble, or moves that were given": ({"verb": "run"}, NOTHING),
    "another machine's run": ({"imported": True}, NOTHING),
    "a virtual machine's run": ({"virtual": True}, NOTHING),
    "another rig's run": ({"rig": "cubotino"}, NOTHING),
}
"""What a run is, and what it adds to the statistics of a rig; the table of docs/journal.md."""


@pytest.mark.parametrize(("fields", "adds"), KINDS.values(), ids=KINDS)
def test_what_a_run_adds_to_the_statistics(
    fields: dict[str, Any], adds: str, tmp_path: Path
) -> None:
    """Five solves and one more: a DNF is left out as the worst of the five, a time as the best."""
    rows = [row(number, verb="solve", seconds=float(number)) for number in (1, 2, 3, 4, 5)]
    keep(tmp_path, [*rows, row(6, **{"verb": "solve", "seconds": 0.1, **fields})])
    store = Store(tmp_path, journal_size())
    wanted = Wanted(virtual=(False,), imported=(False,), rig=("six",))
    summary = Summary.of(solves_by_rig(store, wanted)["six"])
    store.close()
    assert summary.solves == 5 + (adds != NOTHING)
    assert summary.best_s == (0.1 if adds == TIMED else 1.0)
    average = {FAILED: 3 + 4 + 5, TIMED: 2 + 3 + 4}.get(adds, 2 + 3 + 4) / 3
    assert summary.ao5.current == pytest.approx(average)


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


MOVES = "R U2 F' L"
FACELETS = SOLVED.apply(MoveSequence.parse(MOVES).inverse()).to_facelets().text


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), delimiter=";"))


def test_lines_of_solves_that_somebody_timed_are_as_cstimer_writes_them() -> None:
    """A scramble makes the cube that was read, or is not told."""
    rows = [
        row(1, seconds=62.3456, facelets=FACELETS, moves=MOVES),
        row(2, outcome=Outcome.PLANNED),
        row(3, outcome=Outcome.STOPPED, seconds=3.0, told='by "you"; at once'),
        row(4, outcome=Outcome.TURNED),
        row(5, outcome=Outcome.CUT_OFF, seconds=None),
        row(6, seconds=3700.0, told="solved on from what was seen"),
    ]
    head, first, *others = cells(cstimer_csv(rows))
    assert head == ["No.", "Time", "Comment", "Scramble", "Date", "P.1"]
    assert first[:4] == ["1", "1:02.346", "", "L' F U2 R'"]
    assert first[5] == "1:02.346"
    assert len(first[4]) == len("2026-11-22 12:00:00")
    assert [line[:3] for line in others] == [
        ["2", "DNF(3.000)", 'stopped: by "you"; at once'],
        ["3", "DNF(0.000)", "cut off"],
        ["4", "1:01:40.000", "solved on from what was seen"],
    ]
    for told in ({"facelets": FACELETS, "moves": "R U2"}, {"facelets": FACELETS}, {"moves": MOVES}):
        assert scramble_of(row(1, **told)) == ""


def test_a_damaged_time_is_written_all_the_same() -> None:
    rows = [row(number, seconds=each) for number, each in enumerate((1e308, -1.0, -1e308))]
    assert len(cells(cstimer_csv(rows))) == 4


@given(st.floats(0.0, 1e5))
def test_times_are_read_as_they_were_written(seconds: float) -> None:
    _, line = cells(cstimer_csv([row(1, seconds=seconds)]))
    parts = [float(part) for part in line[1].split(":")]
    told = sum(part * 60**place for place, part in enumerate(reversed(parts)))
    assert abs(told - seconds) <= 0.000501
    assert all(part < 60 for part in parts[1:])
