"""The page of lessons lists every worksheet, and its commands run."""

import re
import shlex
from pathlib import Path

import pytest

from run_thistlebot import thistlebot
from thistlebot.exit_codes import ExitCode
from thistlebot.words.words import load_words
from thistlebot.worksheets.catalogue import all_worksheets

PAGE = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def test_every_worksheet_has_its_row() -> None:
    words = load_words("en")
    rows = re.findall(r"^\| `([\w-]+)` \| (\S+) \| (.+?) \| .+ \|$", PAGE, re.MULTILINE)
    assert rows == [(each.name, each.source, each.title.text(words)) for each in all_worksheets()]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_runs(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = thistlebot(*command)
    wrong = "--answer" in command  # the page's first answer is a wrong one
    assert done.exit_code == (ExitCode.NOT_VERIFIED if wrong else ExitCode.DONE), done.stderr
