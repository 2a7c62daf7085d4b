"""What every benchmark prints, for people and for programs."""

import json
from dataclasses import dataclass
from typing import Annotated

import pytest

from benchmarks.report import HIDDEN, Figure, Report, Row, Tenths


class Reading(Row):
    name: str
    share: Annotated[float, ".1%"]
    took_s: Tenths
    faults: tuple[str, ...] = ()
    note: str | None = None
    told: Annotated[str, HIDDEN] = ""


@dataclass
class Ends:
    ends: dict[str, int]


ROWS = (Reading("one", 0.25, 1.0, ("glare", "noise"), told="much"), Ends({"solved": 3, "lost": 1}))


def test_people_see_columns_and_programs_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    assert Report().show(ROWS) == 0
    titles, row, _, ends = filter(str.strip, capsys.readouterr().out.splitlines())
    assert titles.split() == ["name", "share", "took", "s", "faults", "note"]
    assert row.split() == ["one", "25.0%", "1.0", "glare,", "noise", "–"]
    assert ends.split() == ["solved", "3,", "lost", "1"]
    assert Report(json=True).show(ROWS) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["told"] == "much"
    assert second == {"ends": {"solved": 3, "lost": 1}}


def test_a_goal_that_is_missed_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    met, missed = Figure.at_most("wrong", 0, 0), Figure.at_least("right", 0.5, 0.9, "share")
    assert Report().show([Figure("lives", 3), met]) == 0
    assert "MISSED" not in capsys.readouterr().out
    assert Report().show([met, missed]) == 1
    assert "MISSED" in capsys.readouterr().out
