"""The verb `show`."""

import json
import os
import sqlite3
from pathlib import Path

import cv2
import pytest
from journal_rows import keep, row
from recorded_runs import recorded, solve_virtually

from cube.state import SOLVED
from run_thistlebot import thistlebot
from thistlebot.errors import NotVerifiedError
from thistlebot.journal.rows import Outcome
from thistlebot.journal.store import FILE


@pytest.fixture
def data() -> Path:
    """The folder of the journal."""
    return Path(os.environ["THISTLEBOT_DATA_DIR"])


def test_a_run_is_told_from_the_first_look_to_the_last(cache_folder: Path, data: Path) -> None:
    solve_virtually(cache_folder, data, 1)
    [(kept, details, _)] = recorded(data)
    done = thistlebot("show", "last")
    assert done.exit_code == 0, done.stderr
    said = done.stdout
    assert f"run       1, {kept.uid}\n" in said
    assert "`solve` on six (virtual)\n" in said
    assert "outcome   verified after " in said
    assert f"\nreading   {kept.facelets}\n" in said
    assert f"\nmoves     {kept.moves}\n" in said
    assert "\nG0>G1 " in said
    *phases, versions, _ = said.splitlines()
    times = [float(line.removesuffix(" s").split()[1]) for line in phases[-5:]]
    assert sum(times) == pytest.approx(details.events[-1][0], abs=0.01)
    assert versions.startswith("versions  thistlebot ")
    assert said.endswith("\npictures  4\n")
    assert thistlebot("show", kept.uid[:6]).stdout == said
    record = json.loads(thistlebot("show", 1, "--json").stdout)
    assert (record["number"], record["uid"]) == (1, kept.uid)
    assert record["context"]["rig"]["name"] == "six"
    assert [each["time_s"] for each in record["events"]] == [time_s for time_s, _ in details.events]
    assert record["events"][0]["event"] == {"event": "entered", "phase": "scan"}
    assert (record["pictures_kept"], record["pictures"]) == (4, [])


def test_pictures_are_written_with_what_was_read(
    cache_folder: Path, data: Path, tmp_path: Path
) -> None:
    solve_virtually(cache_folder, data, 1)
    [(_, _, pictures)] = recorded(data)
    record = json.loads(thistlebot("show", 1, "--json", "--pictures", tmp_path / "seen").stdout)
    files = [Path(file) for file in record["pictures"]]
    assert [file.name for file in files] == [
        "scan-1.png",
        "scan-2.png",
        "verify-1.png",
        "verify-2.png",
    ]
    drawn = cv2.imread(str(files[0]))
    (tmp_path / "plain.png").write_bytes(pictures[0].png)
    plain = cv2.imread(str(tmp_path / "plain.png"))
    assert drawn.shape == plain.shape
    assert (drawn != plain).any()


def test_what_went_wrong_is_told(cache_folder: Path, data: Path) -> None:
    with pytest.raises(NotVerifiedError):
        solve_virtually(cache_folder, data, 3, slip_at_move=4)
    said = thistlebot("show", "last").stdout
    assert "outcome   unverified" in said
    assert "\nunsolved  " in said
    assert "motor U" in said.partition("\nended     ")[2]


def test_details_that_were_given_up_are_said(
    cache_folder: Path, data: Path, tmp_path: Path
) -> None:
    solve_virtually(cache_folder, data, 1)
    [(kept, _, pictures)] = recorded(data)
    database = sqlite3.connect(data / FILE)
    database.execute("DELETE FROM details")
    database.execute("DELETE FROM pictures WHERE number = 0")
    database.commit()
    database.close()
    done = thistlebot("show", "last", "--pictures", tmp_path / "seen")
    assert done.exit_code == 0
    assert "given up for want of room" in done.stdout
    assert kept.moves in done.stdout
    plain = [tmp_path / "seen" / f"picture-{number}.png" for number in (2, 3, 4)]
    assert [file.read_bytes() for file in plain] == [each.png for each in pictures[1:]]
    assert json.loads(thistlebot("show", "last", "--json").stdout)["events"] is None


def test_a_record_of_another_version_is_told_as_far_as_it_goes(data: Path, tmp_path: Path) -> None:
    facelets = SOLVED.to_facelets().text
    keep(data, [row(1, outcome=Outcome.FAILED, facelets=facelets, told="lost")])
    done = thistlebot("show", 1, "--pictures", tmp_path)
    assert done.exit_code == 0, done.stderr
    assert "this one cannot read" in done.stdout
    assert "another version recorded this run" in done.stderr.replace("\n", " ")
    assert "no pictures" in done.stderr


def test_an_unknown_run_is_a_usage_error(data: Path) -> None:
    assert thistlebot("show", "last").exit_code == 2
    keep(data, [row(1), row(2)])
    done = thistlebot("show", 9)
    assert done.exit_code == 2
    assert "1 to 2" in done.stderr
