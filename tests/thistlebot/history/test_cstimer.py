"""Solves in csTimer's form."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st
from journal_rows import row

from cube.moves import MoveSequence
from cube.state import SOLVED
from thistlebot.history.cstimer import cstimer_csv, scramble_of
from thistlebot.journal.rows import Outcome

MOVES = "R U2 F' L"
FACELETS = SOLVED.apply(MoveSequence.parse(MOVES).inverse()).to_facelets().text


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), delimiter=";"))


def test_a_line_is_as_cstimer_writes_it() -> None:
    solved = row(1, seconds=62.3456, facelets=FACELETS, moves=MOVES)
    head, line = cells(cstimer_csv([solved]))
    assert head == ["No.", "Time", "Comment", "Scramble", "Date", "P.1"]
    assert line[:4] == ["1", "1:02.346", "", "L' F U2 R'"]
    assert line[5] == "1:02.346"
    assert len(line[4]) == len("2026-11-22 12:00:00")


def test_only_solves_that_somebody_timed_are_numbered() -> None:
    rows = [
        row(1, outcome=Outcome.PLANNED),
        row(2, outcome=Outcome.STOPPED, seconds=3.0, told='by "you"; at once'),
        row(3, outcome=Outcome.TURNED),
        row(4, outcome=Outcome.CUT_OFF, seconds=None),
        row(5, seconds=3700.0, told="solved on from what was seen"),
    ]
    _, *lines = cells(cstimer_csv(rows))
    assert [line[:3] for line in lines] == [
        ["1", "DNF(3.000)", 'stopped: by "you"; at once'],
        ["2", "DNF(0.000)", "cut off"],
        ["3", "1:01:40.000", "solved on from what was seen"],
    ]


def test_a_scramble_makes_the_cube_that_was_read_or_is_not_told() -> None:
    assert scramble_of(row(1, facelets=FACELETS, moves="R U2")) == ""
    assert scramble_of(row(1, facelets=FACELETS)) == ""
    assert scramble_of(row(1, moves=MOVES)) == ""


@given(st.floats(0.0, 1e5))
def test_times_are_read_as_they_were_written(seconds: float) -> None:
    _, line = cells(cstimer_csv([row(1, seconds=seconds)]))
    parts = [float(part) for part in line[1].split(":")]
    told = sum(part * 60**place for place, part in enumerate(reversed(parts)))
    assert abs(told - seconds) <= 0.000501
    assert all(part < 60 for part in parts[1:])
