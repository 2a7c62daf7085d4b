"""The verb `school lesson`, as a person and as a program use it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sitting import sitting
from typer.testing import Result

from run_thistlebot import records, thistlebot
from teaching.worksheets.catalogue import all_worksheets
from thistlebot.exit_codes import ExitCode

pytestmark = pytest.mark.usefixtures("simulated_time")


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def lesson(*args: str) -> Result:
    return thistlebot("school", "lesson", *args)


def told(*args: str) -> dict[str, Any]:
    return dict(json.loads(lesson(*args, "--json").stdout.splitlines()[-1]))


def test_the_list_names_every_lesson() -> None:
    lines = lesson().stdout.splitlines()
    assert [line.split()[0] for line in lines] == [each.name for each in all_worksheets()]
    sources = [each["source"] for each in records("school", "lesson")]
    assert sources == [each.source for each in all_worksheets()]


def test_a_worksheet_keeps_its_answers_to_itself() -> None:
    shown, hint, solved = (
        lesson("theorem"),
        lesson("theorem", "--hint"),
        lesson("theorem", "--solutions"),
    )
    assert "Question 3" in shown.stdout
    assert "1/12" not in shown.stdout
    assert len(hint.stdout) > len(shown.stdout)
    assert "1/12" in solved.stdout
    assert "\x1b" not in solved.stdout


def test_right_wrong_and_skipped_answers() -> None:
    right = lesson("theorem", "--answer", "", "--answer", "", "--answer", "1/12")
    assert right.exit_code == ExitCode.DONE
    answers = told("theorem", "--answer", "", "--answer", "A", "--answer", "1/12")["answers"]
    assert [each["right"] for each in answers] == [None, False, True]
    assert "120°" in answers[1]["why"]
    wrong = lesson("S1", "--answer", "R", "--answer", "BDF", "--language", "en")
    assert wrong.exit_code == ExitCode.NOT_VERIFIED
    assert re.search(r"\b1 of 3\b", wrong.stdout)


def test_it_speaks_the_language_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_CH.UTF-8")
    assert "Expérience 1" in lesson("theorem").stdout
    assert "Experiment 1" in lesson("theorem", "--language", "en").stdout


def test_moves_are_tried_on_the_virtual_cube() -> None:
    tried = told("sums", "--try", "R")["tried"]
    assert tried["moves"] == ["R"]
    assert tried["before"] != tried["after"]
    shown = lesson("sums", "--try", "R").stdout
    assert re.search(r"before +after", shown)
    assert all(part in shown for part in ("modulo 360°", "corners -1", "edges -1", "ε +1", "S3: 4"))
    assert "(URF BRU DRB FRD)" in shown
    assert "(UR BR DR FR)" in shown


def test_pieces_are_swapped_and_turned_as_no_turn_can() -> None:
    tried = told("delta", "--try", "[R2, U2] URF-ULB UF+")["tried"]
    assert tried["operations"] == ["R2", "U2", "R2", "U2", "URF-ULB", "UF+"]
    assert len(tried["changed"]) == 6 + 10
    assert "U F R" in lesson("delta", "--try", "URF-ULB").stdout
    assert "F R U" in lesson("delta", "--try", "R' F2 U R2 F'").stdout
    assert lesson("delta", "--try", "URF-UF").exit_code == ExitCode.USAGE


def test_files_are_written_for_one_lesson_and_for_all(tmp_path: Path) -> None:
    page, several = tmp_path / "one.html", tmp_path / "hour.html"
    done = lesson("theorem", "--html", str(page))
    assert (done.exit_code, done.stdout) == (ExitCode.DONE, "")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    lesson("--hours", "1", "--html", str(several), "--language", "ru", "--solutions")
    assert "Рабочие листы" in several.read_text(encoding="utf-8")


def test_on_a_terminal_it_asks_until_the_answer_is_right_or_empty() -> None:
    with sitting("school", "lesson", "theorem", "--language", "en") as person:
        for answer in ("R", "?", "M U", "Q", "", "BDF", "1/12"):
            person.wait_for(r"\):")
            person.type(f"{answer}\r")
        assert person.leave() == ExitCode.NOT_VERIFIED
    assert "“Q”" in person.seen
    assert re.search(r"\b2 of 3\b", person.seen)
