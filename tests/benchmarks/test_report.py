"""What every benchmark prints, for people and for programs."""

import json

import pytest

from benchmarks.report import Figure, Report, Row, Tenths


class Reading(Row):
    name: str
    took_s: Tenths
    faults: tuple[str, ...]
    ends: dict[str, int]
    note: str | None = None


def test_people_see_columns_and_programs_records(capsys: pytest.CaptureFixture[str]) -> None:
    row = Reading("one", 1.0, ("glare", "noise"), {"solved": 3})
    rows = (row, Figure("lives", 3), Figure.at_most("wrong", 0, 0))
    assert Report().show(rows) == 0
    said = capsys.readouterr().out
    shown = [*filter(str.strip, said.splitlines())][1].split()
    assert shown == ["one", "1.0", "glare,", "noise", "solved", "3", "–"]
    assert Report(json=True).show((row, Figure.at_most("wrong", 0.9, 0.5))) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["faults"], first["ends"]) == (["glare", "noise"], {"solved": 3})
    assert second["met"] is False
