"""The verb `history`."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from journal_rows import NOON, keep, row

from run_thistlebot import finished, thistlebot
from thistlebot.journal.rows import Outcome


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of the journal."""
    return tmp_path / "data"


def test_a_journal_without_runs_says_so() -> None:
    done = thistlebot("history")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "no runs yet" in done.stderr
    assert thistlebot("history", "--json").stdout == ""


def test_runs_are_listed_and_summed_up(data: Path) -> None:
    rows = [row(number, seconds=1.0 + number / 10) for number in range(1, 30)]
    told = "turn 7 of 19, R2 by motor R, was made by a quarter too little; " * 2
    rows.append(row(30, outcome=Outcome.UNVERIFIED, seconds=9.0, first_right=None, told=told))
    keep(data, rows)
    done = thistlebot("history")
    assert done.exit_code == 0, done.stderr
    listed = done.stdout.partition("\n\n")[0].splitlines()
    assert [int(line.split()[0]) for line in listed[1:]] == list(range(11, 31))
    assert listed[-1].endswith("six  " + told[:60] + "…")
    assert "unverified     9.00    20" in listed[-1]
    summed = done.stdout.partition("\n\n")[2].splitlines()
    assert summed == [
        "solves    30",
        "best      1.10 s, run 1",
        "mean      2.50 s of those that were verified",
        "ao5       3.80 s, best 1.30 s",
        "ao12      3.45 s, best 1.65 s",
        "right     100.0 % of the first readings that were checked",
        "verified  96.7 % of the solves whose moves were made",
    ]


def test_days_are_shown_when_there_are_several(data: Path) -> None:
    keep(data, [row(1), row(2, began=NOON + 86_400 * 2, seconds=None, outcome=Outcome.CUT_OFF)])
    *_, head, first, second = thistlebot("history").stdout.splitlines()
    assert head.split() == ["day", "solves", "median", "turns", "right", "verified"]
    assert first.split()[1:] == ["1", "1.50", "s", "20", "100.0", "%", "100.0", "%"]
    assert second.split()[1:] == ["1", "–", "20", "100.0", "%", "–"]


def test_runs_are_chosen(data: Path) -> None:
    keep(
        data,
        [
            row(1),
            row(2, virtual=True),
            row(3, rig="cubotino", verb="solve --resume"),
            row(4, began=NOON + 86_400 * 3, outcome=Outcome.PLANNED),
        ],
    )

    def chosen(*options: object) -> list[int]:
        done = thistlebot("history", "--json", *options)
        assert done.exit_code == 0, done.stderr
        return [json.loads(line)["number"] for line in done.stdout.splitlines()]

    assert chosen() == [1, 3, 4]
    assert chosen("--virtual") == [2]
    assert chosen("--rig", "cubotino") == [3]
    assert chosen("--since", "2026-11-24") == [4]
    assert chosen("--last", 2) == [3, 4]
    assert chosen("--virtual", "--rig", "cubotino") == []
    assert "solves    1\n" in thistlebot("history").stdout
    unknown = thistlebot("history", "--rig", "claws")
    assert unknown.exit_code == 2
    assert "six, cubotino" in unknown.stderr


def test_virtual_runs_are_shown_where_there_are_no_others(data: Path) -> None:
    keep(data, [row(1, virtual=True)])
    done = thistlebot("history")
    assert "these are of virtual ones" in done.stderr
    assert "solves    1\n" in done.stdout


def test_a_run_is_a_line_of_json(data: Path) -> None:
    keep(data, [row(7, outcome=Outcome.CUT_OFF, seconds=None)])
    (line,) = thistlebot("history", "--json").stdout.splitlines()
    assert json.loads(line) == {
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


def test_solves_go_to_cstimer(data: Path) -> None:
    keep(data, [row(1), row(2, outcome=Outcome.PLANNED), row(3, verb="solve --resume")])
    head, line = thistlebot("history", "--csv").stdout.splitlines()
    assert head == "No.;Time;Comment;Scramble;Date;P.1"
    assert line.startswith("1;1.500;;;2026-11-2")


def test_solves_are_drawn_here_or_into_a_file(data: Path, tmp_path: Path) -> None:
    keep(data, [row(number, seconds=float(number)) for number in range(1, 6)])
    for options in (("--plot",), ("--plot", "--last", 5), ("--last", 5, "--plot", "-")):
        assert "seconds   ▁▃▅▆█\n" in thistlebot("history", *options).stdout
    assert "seconds   ▁█\n" in thistlebot("history", "--last", 2, "--plot").stdout
    file = tmp_path / "solves.svg"
    done = thistlebot("history", "--plot", file)
    assert f"wrote {file}" in done.stderr.replace("\n", "")
    assert len(ET.parse(file).findall("{http://www.w3.org/2000/svg}circle")) == 5


def test_a_dry_run_is_listed_and_counts_nowhere() -> None:
    assert thistlebot("solve", "--scramble", "R U F2", "--dry-run").exit_code == 0
    (line,) = thistlebot("history", "--json").stdout.splitlines()
    record = json.loads(line)
    assert (record["verb"], record["outcome"]) == ("solve --dry-run", "planned")
    assert thistlebot("history").stdout.endswith("solves    0\n")
    assert thistlebot("history", "--plot").stdout == "no solve was verified yet\n"


def test_one_way_to_tell_them_is_chosen() -> None:
    done = thistlebot("history", "--json", "--csv")
    assert done.exit_code == 2
    assert "--json and --csv" in done.stderr


def test_a_journal_that_cannot_be_read_is_no_crash(data: Path) -> None:
    (data / "journal.sqlite").mkdir(parents=True)
    done = finished("history")
    assert done.returncode == 5
    assert "cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_heavy_is_loaded(data: Path) -> None:
    keep(data, [row(1)])
    script = (
        "import sys; from thistlebot.__main__ import main; sys.argv = ['thistlebot', 'history']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('cv2', 'numba', 'sklearn', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.endswith("[]\n"), done.stdout[-300:] + done.stderr
