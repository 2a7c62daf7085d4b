"""The verb `lesson`, as a person and as a program use it."""

import json
import os
import pty
import re
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from run_thistlebot import command, finished, thistlebot
from thistlebot.exit_codes import ExitCode
from thistlebot.worksheets.catalogue import all_worksheets


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def lesson(*args: str) -> Result:
    return thistlebot("lesson", *args)


def told(*args: str) -> dict[str, Any]:
    return dict(json.loads(lesson(*args, "--json").stdout.splitlines()[-1]))


def test_the_list_names_every_lesson() -> None:
    lines = lesson().stdout.splitlines()
    assert [line.split()[0] for line in lines] == [each.name for each in all_worksheets()]
    records = [json.loads(line) for line in lesson("--json").stdout.splitlines()]
    assert [record["source"] for record in records] == [each.source for each in all_worksheets()]


def test_a_lesson_in_a_process_of_its_own() -> None:
    done = finished("lesson", "S1", "--answer", "R", "--answer", "BDF", "--language", "en")
    assert done.returncode == ExitCode.NOT_VERIFIED, done.stderr
    assert "Not yet. The word does something else. It does: corners moved: 4" in done.stdout
    assert "Right. B D F: a state can be reached exactly when" in " ".join(done.stdout.split())
    assert "Right answers: 1 of 3" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_worksheet_keeps_its_answers_to_itself() -> None:
    shown = lesson("theorem").stdout
    assert "Question 3" in shown
    assert "Hint" not in shown
    assert "1/12" not in shown
    assert "Hint" in lesson("theorem", "--hint").stdout
    assert "1/12: all re-assemblies fall into" in lesson("theorem", "--solutions").stdout


def test_right_wrong_skipped_and_unreadable_answers() -> None:
    right = lesson("theorem", "--answer", "", "--answer", "", "--answer", "1/12")
    assert right.exit_code == ExitCode.DONE
    assert right.stdout.count("Skipped.") == 2
    record = told("theorem", "--answer", "", "--answer", "A")
    assert [each["right"] for each in record["answers"]] == [None, False]
    assert "120°" in record["answers"][1]["why"]
    refused = lesson("theorem", "--answer", "R Q")
    assert refused.exit_code == ExitCode.USAGE
    assert "is no word of moves" in " ".join(refused.stderr.split())
    assert lesson("theorem", *(["--answer", "1"] * 4)).exit_code == ExitCode.USAGE
    assert lesson("nothing").exit_code == ExitCode.USAGE


@pytest.mark.parametrize(
    ("environment", "heading"),
    [
        ({"LC_ALL": "fr_CH.UTF-8"}, "Expérience 1"),
        ({"LC_ALL": "", "LANG": "ru_RU"}, "Опыт 1"),
        ({"LC_ALL": "", "LC_MESSAGES": "fr", "LANG": "ru_RU"}, "Expérience 1"),
        ({"LC_ALL": "de_DE.UTF-8"}, "Experiment 1"),
        ({"LC_ALL": "C"}, "Experiment 1"),
    ],
)
def test_it_speaks_the_language_of_the_system(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], heading: str
) -> None:
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert heading in lesson("theorem").stdout
    assert "Experiment 1" in lesson("theorem", "--language", "en").stdout


def test_moves_are_tried_on_the_virtual_cube() -> None:
    shown = lesson("sums", "--try", "R").stdout
    assert re.search(r"before +after", shown)
    assert "sum A of the corner angles, modulo 360°: 0°" in shown
    assert "signs: corners -1, edges -1, product ε +1" in shown
    assert "edges flipped by the marks of S3: 0, by those of S1: 4" in shown
    record = told("sums", "--try", "R")["tried"]
    assert record["moves"] == ["R"]
    assert record["before"] != record["after"]
    assert lesson("sums", "--try", "Q").exit_code == ExitCode.USAGE


def test_a_rig_turns_the_experiment() -> None:
    turned = lesson("theorem", "--turn", "--virtual")
    assert turned.exit_code == ExitCode.DONE, turned.stderr
    assert "turned    1 steps" in turned.stdout
    tried = lesson("theorem", "--try", "M U", "--turn", "--virtual", "--dry-run").stdout
    assert "moves     R L' B" in tried
    assert lesson("theorem", "--virtual").exit_code == ExitCode.USAGE
    refused = lesson("solids", "--turn", "--virtual")
    assert refused.exit_code == ExitCode.USAGE
    assert "turn no cube" in refused.stderr


def test_files_are_written_for_one_lesson_and_for_all(tmp_path: Path) -> None:
    page, text = tmp_path / "one.html", tmp_path / "all.md"
    done = lesson("theorem", "--html", str(page))
    assert (done.exit_code, done.stdout) == (ExitCode.DONE, "")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    lesson("--all", "--markdown", str(text), "--language", "ru", "--solutions")
    assert text.read_text(encoding="utf-8").startswith("# Рабочие листы")
    assert lesson("--html", str(page)).exit_code == ExitCode.USAGE
    assert lesson("theorem", "--all").exit_code == ExitCode.USAGE


def test_on_a_terminal_it_asks_until_the_answer_is_right_or_empty(tmp_path: Path) -> None:
    code, shown = in_terminal(tmp_path, "R\r?\rM U\rQ\r\rBDF\r1/12\r")
    assert os.waitstatus_to_exitcode(code) == ExitCode.NOT_VERIFIED
    for part in ("Answer (empty: skip, ?: hint):", "Hint: The second", "Cannot be read. “Q”"):
        assert part in shown
    assert "Right answers: 2 of 3" in shown


def test_ctrl_c_ends_the_questions(tmp_path: Path) -> None:
    code, shown = in_terminal(tmp_path, "R\r\x03")
    assert os.waitstatus_to_exitcode(code) == ExitCode.STOPPED
    assert "Traceback" not in shown


def wait_until_it_reads(process: int) -> None:
    """Type no faster than people: Python misses a Ctrl-C between its prompt and its `read`."""
    asleep = 0
    while asleep < 5:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        asleep = asleep + 1 if state == "S" else 0
        time.sleep(0.01)


def in_terminal(folder: Path, typed: str) -> tuple[int, str]:
    """Run the lesson in a terminal of its own, and type line by line when it asks."""
    child, terminal = pty.fork()
    if child == 0:
        words = command("lesson", "theorem", "--language", "en")
        os.execve(words[0], words, {**os.environ, "TERM": "xterm", "COLUMNS": "100"})
    shown = b""
    lines = re.findall(r"[^\r]*\r|\x03", typed)
    answered = 0
    while True:
        try:
            found = os.read(terminal, 4096)
        except OSError:  # Linux says so when the program has ended
            found = b""
        if not found:
            break
        shown += found
        if shown.count(b"hint): ") > answered and answered < len(lines):
            wait_until_it_reads(child)
            os.write(terminal, lines[answered].encode())
            answered += 1
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode(errors="replace"))
    (folder / "shown.txt").write_text(text, encoding="utf-8")
    return os.waitpid(child, 0)[1], text
