"""The verb `history`."""

from pathlib import Path

import pytest
from journals import NOON, keep, row

from run_thistlebot import record, records, thistlebot
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.rows import Outcome


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_runs_are_listed_and_summed_up(data: Path) -> None:
    rows = [row(number, seconds=1.0 + number / 10) for number in range(1, 30)]
    told = "turn 7 of 19, R2 by motor R, stopped a quarter turn short; " * 2
    rows.append(row(30, outcome=Outcome.UNVERIFIED, seconds=9.0, first_right=None, told=told))
    keep(data, rows)
    done = thistlebot("history")
    assert done.exit_code == 0, done.stderr
    listed, _, summed = done.stdout.partition("\n\n")
    lines = listed.splitlines()
    assert [int(line.split()[0]) for line in lines[1:]] == list(range(11, 31))
    assert lines[-1].endswith("six  " + told[:60] + "…")
    assert lines[-1].split()[3:6] == ["unverified", "9.00", "20"]
    figures = {line.split()[0]: line for line in summed.splitlines()}
    for name, numbers in (
        ("solves", "30"),
        ("best", "1.10 1"),
        ("mean", "2.50"),
        ("ao5", "3.80 1.30"),
        ("ao12", "3.45 1.65"),
        ("right", "100.0 %"),
        ("verified", "96.7 %"),
    ):
        assert set(numbers.split()) <= set(figures[name].replace(",", "").split()), name


def test_days_are_shown_when_there_are_several(data: Path) -> None:
    keep(data, [row(1), row(2, began=NOON + 86_400 * 2, seconds=None, outcome=Outcome.CUT_OFF)])
    *_, first, second = thistlebot("history").stdout.splitlines()
    assert first.split()[1:] == ["1", "1.50", "s", "20", "100.0", "%", "100.0", "%"]
    assert second.split()[1:] == ["1", "–", "20", "100.0", "%", "–"]


def test_runs_are_chosen(data: Path) -> None:
    def chosen(*options: object) -> list[int]:
        return [each["number"] for each in records("history", *options)]

    assert thistlebot("history").stdout == ""
    assert chosen() == []
    keep(data, [row(1, virtual=True)])
    assert "solves    1\n" in thistlebot("history").stdout
    keep(data, [row(2, outcome=Outcome.PLANNED)])
    assert chosen() == [1, 2]  # a dry run does not hide the runs of virtual machines
    keep(
        data,
        [
            row(3),
            row(4, rig="cubotino", verb="solve --to"),
            row(5, began=NOON + 86_400 * 3, outcome=Outcome.PLANNED),
        ],
    )
    assert chosen() == [2, 3, 4, 5]
    assert chosen("--virtual") == [1]
    assert chosen("--rig", "cubotino") == [4]
    assert chosen("--since", "2026-11-24") == [5]
    assert chosen("--last", 2) == [4, 5]
    assert chosen("--virtual", "--rig", "cubotino") == []
    assert "solves    1\n" in thistlebot("history").stdout
    assert "1 run of virtual machines" in thistlebot("history").stderr
    unknown = thistlebot("history", "--rig", "claws")
    assert unknown.exit_code == ExitCode.USAGE
    assert "six, cubotino" in unknown.stderr
    head, line = thistlebot("history", "--csv").stdout.splitlines()
    assert head == "No.;Time;Comment;Scramble;Date;P.1"
    assert line.startswith("1;1.500;;;2026-11-2")


def test_no_average_goes_over_two_rigs(data: Path) -> None:
    rigs = ("six", "cubotino")
    keep(data, [row(n, seconds=float(n), rig=rigs[n % 2]) for n in range(1, 11)])
    done = thistlebot("history")
    averages = [line for line in done.stdout.splitlines() if line.startswith("ao5")]
    assert averages == ["ao5       5.00 s, best 5.00 s", "ao5       6.00 s, best 6.00 s"]


def test_a_run_is_a_line_of_json(data: Path) -> None:
    keep(data, [row(7, outcome=Outcome.CUT_OFF, seconds=None)])
    assert record("history") == {
        "number": 1,
        "uid": "0000000000000007",
        "began": NOON + 420,
        "verb": "solve --wait",
        "virtual": False,
        "rig": "six",
        "outcome": "cut off",
        "seconds": None,
        "turns": 20,
        "facelets": "",
        "moves": "",
        "first_right": True,
        "told": "",
        "imported": False,
    }


def test_a_dry_run_is_listed_and_counts_nowhere() -> None:
    assert thistlebot("solve", "--scramble", "R U F2", "--dry-run").exit_code == 0
    told = record("history")
    assert (told["verb"], told["outcome"]) == ("solve --dry-run", "planned")
    assert thistlebot("history").stdout.endswith("solves    0\n")
