"""Charts and times of solves, and csTimer's form of them."""

import csv
import io
import math
import xml.etree.ElementTree as ET

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from journal_rows import row, solves

from cube.moves import MoveSequence
from cube.state import SOLVED
from thistlebot.events import Entered, Looked, Phase
from thistlebot.history.past_runs import phase_times
from thistlebot.history.statistics import (
    Days,
    Solves,
    Summary,
    blocks,
    chart_svg,
    cstimer_csv,
    last_days,
    scramble_of,
)
from thistlebot.journal.rows import Outcome

SVG = "{http://www.w3.org/2000/svg}"


def drawn(count: int) -> tuple[Solves, Days]:
    """Solves of 1 to `count` seconds on two days, the last one stopped."""
    rows = [
        row(
            number,
            began=row(0).began + 86_400 * (number > count // 2),
            seconds=float(number),
            first_right=number % 2 == 0,
            outcome=Outcome.STOPPED if number == count else Outcome.VERIFIED,
        )
        for number in range(1, count + 1)
    ]
    found = solves(*rows)
    return found, [(day, Summary.of(those)) for day, those in last_days(found, 9)][::-1]


def test_blocks_rise_with_the_values() -> None:
    assert blocks(np.array([0.0, 0.5, 1.0, math.inf, math.nan]), 0.0, 1.0) == "▁▅█× "
    assert blocks(np.array([2.0, 2.0]), 2.0, 2.0) == "▁▁"


def test_the_picture_has_a_dot_for_each_time_and_the_average_of_twelve() -> None:
    picture = ET.fromstring(chart_svg(*drawn(16)))
    assert len(picture.findall(f"{SVG}circle")) == 15
    (line,) = picture.findall(f"{SVG}polyline")
    assert len(line.get("points", "").split()) == 5
    assert len(picture.findall(f"{SVG}rect")) == 1 + 2
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    assert all(str(title).endswith(": 50%") for title in titles)
    assert ET.fromstring(chart_svg(*drawn(0))).findall(f"{SVG}circle") == []


def test_a_phase_lasts_until_the_next_one() -> None:
    timed = [(0.1, Entered(Phase.SCAN)), (0.5, Looked(1, 1))]
    timed += [(0.75, Entered(Phase.DECODE)), (1.0, Entered(Phase.DONE))]
    assert phase_times(timed) == [(Phase.SCAN, 0.75), (Phase.DECODE, 0.25)]
    assert phase_times([]) == []
    cut_off = [(0.0, Entered(Phase.SCAN)), (0.5, Looked(1, 2))]
    assert phase_times(cut_off) == [(Phase.SCAN, 0.5)]  # until it was heard of last


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
