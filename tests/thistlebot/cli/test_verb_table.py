"""The table of verbs says what the verbs themselves say, and none is loaded for it."""

import subprocess
import sys
from itertools import pairwise

import pytest
import typer

from run_thistlebot import finished, thistlebot
from thistlebot.cli.program import build, build_index
from thistlebot.cli.verbs import VERBS


def test_every_verb_is_summed_up_as_it_does_itself() -> None:
    group = typer.main.get_command(build())
    helps = {name: command.help.split("\n\n")[0] for name, command in group.commands.items()}
    assert {name: " ".join(text.split()) for name, text in helps.items()} == {
        name: verb.summary for name, verb in VERBS.items()
    }
    assert list(group.commands) == list(VERBS)


def test_the_list_looks_the_same_without_loading_them() -> None:
    group = typer.main.get_command(build_index())
    assert list(group.commands) == list(VERBS)
    told = [
        text.partition("Options")[2]
        for text in (finished("--help").stdout, thistlebot("--help").stdout)
    ]
    assert told[0] == told[1] != ""


def test_help_wraps_where_the_terminal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for verb in (*VERBS, "calibrate motors", "calibrate camera", "bench firmware"):
        told = thistlebot(*verb.split(), "--help").stdout.partition("╭")[0]
        assert "...]..." not in told
        lines = [line.strip() for line in told.splitlines()]
        for line, following in pairwise(lines):
            fits = len(line) + len(following.split(" ")[0]) < 78
            example = line.startswith("thistlebot ") or following.startswith("thistlebot ")
            assert not (line and following and fits) or example, (verb, line, following)
            assert not line.startswith("thistlebot ") or not following[:1].islower() or example


def test_help_and_version_load_no_verb() -> None:
    script = (
        "import sys; from thistlebot.__main__ import main; sys.argv = ['thistlebot', '--help']\n"
        "try: main()\n"
        "except SystemExit: print([m for m in ('numpy', 'cv2', 'numba') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.endswith("[]\n"), done.stdout[-300:] + done.stderr


def test_a_verb_is_found_behind_options() -> None:
    assert finished("--", "explain", "U").returncode == 2
    assert "No such command 'solv'. Did you mean 'solve'?" in finished("solv").stderr
