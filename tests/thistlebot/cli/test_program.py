"""What all verbs share: questions without an answer, packets that are shown, tables, the help."""

import shutil
from itertools import pairwise
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from robot.rigs.catalogue import default_rig_text
from run_thistlebot import finished, loaded, record, thistlebot
from thistlebot.cli.program import build, build_index
from thistlebot.cli.verbs import BUILT_IN as VERBS
from thistlebot.exit_codes import ExitCode


def test_a_question_that_nobody_answers_stops_the_program() -> None:
    """Ctrl-C, Ctrl-D and an empty input are one thing to a question."""
    app = build("ports")

    @app.command()
    def ask(json: bool = False) -> None:
        typer.prompt("well", err=True)

    for options in ((), ("--json",)):
        result = CliRunner().invoke(app, ["ask", *options])
        assert result.exit_code == ExitCode.STOPPED
        assert result.stderr.rstrip().rpartition("\n")[2].startswith("thistlebot: ")
        assert ('"exit_code":6' in result.stdout) == bool(options)


def test_a_rig_file_that_is_damaged_is_named_with_key_and_line(tmp_path: Path) -> None:
    text, file, profile = default_rig_text(), tmp_path / "rig.toml", tmp_path / "broken.toml"
    file.write_text(text.replace("microsteps = 8", 'microsteps = "eight"', 1))
    line = next(i for i, row in enumerate(file.read_text().splitlines(), 1) if "eight" in row)
    profile.write_text('name = "x"\ncreated = 3\n')
    begin = text.index("[motors.U]")
    no_motor = text[:begin] + text[text.index("[motors.", begin + 1) :]
    run = ("run", "R U", "--dry-run", "--rig", file)
    for content, verb, data in (
        (file.read_text(), run, (str(line), "microsteps", "rig.toml")),
        (text.replace("microsteps = 8", "mikrosteps = 8", 1), run, ("microsteps", "rig.toml")),
        (no_motor, run, ("[motors.U]",)),
        (no_motor, ("buzz", "U", "--virtual", "--rig", file), ("[motors.U]",)),
        (text, ("solve", "--virtual", "--profile", profile), ("broken.toml", "created")),
    ):
        file.write_text(content)
        result = thistlebot(*verb)
        assert result.exit_code == ExitCode.USAGE
        assert all(part in " ".join(result.stderr.split()) for part in data)


def test_packets_that_are_sent_are_shown_too(pty_rig) -> None:
    port, _ = pty_rig()
    assert "STEP" not in thistlebot("run", "R", "--port", port).stdout
    assert thistlebot("run", "R", "--port", port, "-v").stdout.count("STEP") == 1


def test_tables_are_listed_removed_and_built_where_they_can_be_kept(
    cache_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    assert thistlebot("tables", "remove").exit_code == ExitCode.DONE  # there are none
    folder = tmp_path / "tables"
    assert thistlebot("solve", "--scramble", "R", "--dry-run").exit_code == 0
    assert [file.name for file in folder.glob("*.tables")] == ["stages-v2.tables"]
    assert record("tables", "list")["name"] == "stages"
    for name in ("nope", "*", "../tables/stages"):
        result = thistlebot("tables", "remove", name)
        assert result.exit_code == ExitCode.USAGE
        assert "stages" in result.stderr
    assert thistlebot("tables", "remove", "stages").exit_code == 0
    assert list(folder.iterdir()) == []
    shutil.rmtree(folder)
    folder.touch()
    result = thistlebot("tables", "build")
    assert result.exit_code == ExitCode.NO_DEVICE
    assert str(folder) in result.stderr.replace("\n", "")


# The table of verbs says what the verbs themselves say, and none is loaded for it.


def test_every_verb_is_summed_up_as_it_does_itself() -> None:
    group = typer.main.get_command(build())
    helps = {name: command.help.split("\n\n")[0] for name, command in group.commands.items()}
    assert {name: " ".join(text.split()) for name, text in helps.items()} == {
        name: verb.summary for name, verb in VERBS.items()
    }
    assert list(group.commands) == list(VERBS)


def test_the_list_looks_the_same_without_loading_them_and_loads_nothing_heavy() -> None:
    group = typer.main.get_command(build_index())
    assert list(group.commands) == list(VERBS)
    whole = CliRunner().invoke(build(), ["--help"])
    assert "thistlebot demo" in whole.stdout
    assert CliRunner().invoke(build_index(), ["--help"]).stdout == whole.stdout
    assert loaded("--help", among=("numpy", "cv2", "numba")) == []


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


def test_a_verb_is_found_behind_options_and_by_its_likeness() -> None:
    assert finished("--", "explain", "U").returncode == ExitCode.USAGE
    assert "'solve'" in finished("solv").stderr
