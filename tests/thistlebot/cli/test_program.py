"""What all verbs share: errors for programs, questions without an answer, options out of range."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from robot.rigs.catalogue import default_rig_text
from run_thistlebot import thistlebot
from thistlebot.cli.program import build


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("solve", "--cube", 9), "--cube"),
        (("learn", "nope"), "nope"),
        (("explain",), "facelets"),
        (("frobnicate",), "frobnicate"),
        (("run", "R", "--frobnicate"), "--frobnicate"),
        (("tables", "frobnicate"), "frobnicate"),
    ],
)
def test_wrong_options_are_an_error_record_too(args: tuple[object, ...], said: str) -> None:
    result = thistlebot(*args, "--json")
    assert result.exit_code == 2
    (line,) = result.stdout.splitlines()
    error = json.loads(line)["error"]
    assert (error["type"], error["exit_code"]) == ("UsageError", 2)
    assert said in error["text"]
    assert said in result.stderr
    assert thistlebot(*args).stdout == ""


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_question_that_nobody_answers_stops_the_program(options: tuple[str, ...]) -> None:
    """Ctrl-C, Ctrl-D and an empty input are one thing to a question."""
    app = build("ports")

    @app.command()
    def ask(json: bool = False) -> None:
        typer.prompt("well", err=True)

    result = CliRunner().invoke(app, ["ask", *options])
    assert result.exit_code == 6
    assert result.stderr.endswith("\nthistlebot: stopped\n")
    assert ('"exit_code":6' in result.stdout) == bool(options)


@pytest.mark.parametrize(
    "args",
    [
        ("solve", "--virtual"),
        ("scramble", "--dry-run"),
        ("compare",),
        ("puzzle", "3x3x3", "--random", "3"),
        ("demo",),
        ("learn", "layers", "--dry-run"),
        ("bench", "solver"),
    ],
)
def test_a_seed_is_not_negative(args: tuple[str, ...]) -> None:
    result = thistlebot(*args, "--seed", "-1")
    assert result.exit_code == 2
    assert "--seed" in result.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bench", "solver", "--states", "0"), "--states"),
        (("bench", "solver", "--threads", "100000"), "--threads"),
        (("bench", "solver", "--budgets", "1,inf"), "--budgets"),
        (("bench", "solver", "--budgets", "nan"), "--budgets"),
        (("learn", "layers", "--dry-run", "--pause", "nan"), "--pause"),
        (("learn", "layers", "--dry-run", "--pause", "inf"), "--pause"),
        (("compare", "--states", "2", "--jobs", "0"), "--jobs"),
        (("compare", "--states", "2", "--jobs", "100000"), "--jobs"),
    ],
)
def test_numbers_out_of_range(args: tuple[str, ...], said: str) -> None:
    result = thistlebot(*args)
    assert result.exit_code == 2
    assert said in result.stderr


def test_doctor_says_once_what_is_wrong_with_the_rig(tmp_path: Path) -> None:
    rig = tmp_path / "rig.toml"
    rig.write_text('name = "a"\n[motors.X]\nchannel = 0\n')
    told = thistlebot("doctor", "--rig", rig).stdout
    assert told.count("motors.X is no face") == 1
    assert told.count("mend the rig first") == 3


@pytest.mark.parametrize(
    ("faces", "said", "code"),
    [("UR", "five of the six faces have to turn", 2), ("URFDL", "solves leave B still", 0)],
)
def test_doctor_counts_the_faces_that_turn(
    faces: str, said: str, code: int, tmp_path: Path
) -> None:
    rig = tmp_path / "rig.toml"
    motors = (f"[motors.{face}]\nchannel = {number}\n" for number, face in enumerate(faces))
    rig.write_text('name = "a"\n' + "".join(motors))
    result = thistlebot("doctor", "--virtual", "--rig", rig)
    assert said in result.stdout
    assert result.exit_code == code


def test_doctor_tells_a_wrong_rig_file_from_a_missing_board(tmp_path: Path) -> None:
    rig = tmp_path / "rig.toml"
    rig.write_text(default_rig_text().replace("\nmicrosteps", "\nmikrosteps", 1))
    result = thistlebot("doctor", "--rig", rig)
    assert result.exit_code == 2
    assert "mikrosteps" in result.stdout
    rig.write_text(default_rig_text())
    assert thistlebot("doctor", "--rig", rig, "--port", tmp_path / "nowhere").exit_code == 5


def test_packets_that_are_sent_are_shown_too(pty_rig) -> None:
    port, _ = pty_rig()
    assert "STEP" not in thistlebot("run", "R", "--port", port).stdout
    assert thistlebot("run", "R", "--port", port, "-v").stdout.count("STEP") == 1


def test_tables_are_not_built_where_they_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path / "file"))
    result = thistlebot("tables", "build")
    assert result.exit_code == 5
    assert f"no tables can be kept in {tmp_path / 'file' / 'tables'}" in result.stderr


def test_removing_tables_that_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    result = thistlebot("tables", "remove")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no tables" in result.stderr
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "pocket-v1.tables").touch()
    for name in ("nope", "*", "../tables/pocket"):
        result = thistlebot("tables", "remove", name)
        assert result.exit_code == 2
        assert "there are pocket" in result.stderr
    assert thistlebot("tables", "remove", "pocket").exit_code == 0
    assert list(folder.iterdir()) == []
