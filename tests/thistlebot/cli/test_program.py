"""What all verbs share: questions, packets, tables, the help, what a shell is offered."""

import shutil
from itertools import pairwise
from pathlib import Path

import pytest
import typer
from journals import keep, row
from typer.testing import CliRunner

from cube.patterns import PATTERNS
from robot.rigs.catalogue import RIGS
from run_thistlebot import finished, loaded, record, thistlebot
from thistlebot.cli.completion import answer_shell
from thistlebot.cli.program import build
from thistlebot.cli.verbs import BUILT_IN
from thistlebot.exit_codes import ExitCode


def test_a_question_that_nobody_answers_stops_the_program() -> None:
    """Ctrl-C, Ctrl-D and an empty input are one thing to a question."""
    app = build(["devices"])

    @app.command()
    def ask(json: bool = False) -> None:
        typer.prompt("well", err=True)

    for options in ((), ("--json",)):
        result = CliRunner().invoke(app, ["ask", *options])
        assert result.exit_code == ExitCode.STOPPED
        assert result.stderr.rstrip().rpartition("\n")[2].startswith("thistlebot: ")
        assert ('"exit_code":6' in result.stdout) == bool(options)


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
    quick = ("--method", "thistlethwaite", "--dry-run")
    assert thistlebot("solve", "--scramble", "R", *quick).exit_code == 0
    assert [file.name for file in folder.glob("*.npz")] == ["stages-v3.npz"]
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


def test_every_verb_is_summed_up_as_it_does_itself_though_none_is_loaded() -> None:
    top = typer.main.get_command(build()).commands
    index = typer.main.get_command(build([])).commands
    told, listed = {}, {}
    for name in BUILT_IN:
        parent, _, last = name.rpartition(" ")
        told[name] = " ".join(
            (top[parent].commands if parent else top)[last].help.split("\n\n")[0].split()
        )
        listed[name] = (index[parent].commands if parent else index)[last].help
    assert told == listed == {name: verb.summary for name, verb in BUILT_IN.items()}
    whole = CliRunner().invoke(build(), ["--help"]).stdout
    assert "thistlebot demo" in whole
    assert CliRunner().invoke(build([]), ["--help"]).stdout == whole
    assert len(whole.splitlines()) <= 40
    assert len([name for name in BUILT_IN if " " not in name]) <= 20


def test_the_names_of_the_previous_version_work_with_a_hint(tmp_path: Path) -> None:
    """Their output is that of the new name."""
    for old, new in (
        (("buzz", "--rig", "claws", "--virtual"), ("try", "--rig", "claws", "--virtual")),
        (("init", "--rig", "five", "--output"), ("rig", "new", "five", "--output")),
        (("word", "R U"), ("school", "word", "R U")),
        (("devices", "--revoke", "nobody"), ("serve", "--revoke", "nobody")),
    ):
        file = {"--output": 1}.get(old[-1], 0)
        runs = [
            finished(*line, *[tmp_path / f"{number}.toml"] * file)
            for number, line in enumerate((old, new))
        ]
        first, second = ((run.returncode, run.stdout.replace("1.toml", "0.toml")) for run in runs)
        assert first == second
        assert f"`{' '.join(new[: 1 if new[0] == 'try' else 2])}`" in runs[0].stderr


def test_nothing_heavy_is_loaded_for_what_does_not_need_it(tmp_path: Path) -> None:
    keep(tmp_path / "data", [row(1)])
    planned = ("run", "R", "--rig", "six", "--dry-run")
    heavy = loaded(
        (("--help",), ("numpy", "cv2", "numba")),
        (("history",), ("cv2", "numba", "sklearn", "scipy")),
        (("school", "lesson", "theorem"), ("cv2", "numba")),
        (planned, ("scipy",)),
    )
    assert heavy == []


@pytest.mark.exhaustive
def test_help_wraps_where_the_terminal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for verb in (*BUILT_IN, "calibrate motors", "calibrate camera", "bench vision"):
        told = thistlebot(*verb.split(), "--help").stdout.partition("╭")[0]
        assert "...]..." not in told
        lines = [line.strip() for line in told.splitlines()]
        for line, following in pairwise(lines):
            fits = len(line) + len(following.split(" ")[0]) < 78
            example = line.startswith("thistlebot ") or following.startswith("thistlebot ")
            assert not (line and following and fits) or example, (verb, line, following)
            assert not line.startswith("thistlebot ") or not following[:1].islower() or example


def test_a_verb_is_found_behind_options_and_by_its_likeness() -> None:
    assert thistlebot("--", "school", "explain", "U").exit_code == ExitCode.USAGE
    assert "'solve'" in thistlebot("solv").stderr


def test_shells_offer_verbs_options_and_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the scripts of typer ask; shells other than bash get the help, too."""
    keep(tmp_path / "data", [row(1), row(2)])
    profiles = tmp_path / "config" / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "evening.toml").touch()
    wanted = {
        "TAB": [name for name in BUILT_IN if " " not in name],
        "so": ["solve"],
        "nonsense x": [],
        "calibrate co": ["colours"],
        "solve --no-": ["--no-verify"],
        "solve --virtual --rig TAB": [*RIGS.built_in],
        "solve --profile TAB": ["evening"],
        "solve --to super": ["superflip"],
        "solve --photos TAB": [],  # files, which bash itself offers
        "pattern TAB": [each.slug for each in PATTERNS],
        "school lesson theo": ["theorem"],
        "school word R --puzzle balls-c": ["balls-cube"],
        "manual pro": ["protocol"],
        "history show TAB": ["last", "2", "1"],
        "history replay 1 2": ["2"],
        "try --rig claws turn-face": ["turn-face-R", "turn-face-F"],
        "try TAB": [*"URFDLB"],
    }
    found = {}
    for line in wanted:
        words = line.removesuffix("TAB").split()
        last = str(len(words) + line.endswith("TAB"))
        asked = {"_THISTLEBOT_COMPLETE": "complete_bash", "COMP_CWORD": last}
        answer_shell({**asked, "COMP_WORDS": " ".join(["thistlebot", *words])})
        found[line] = capsys.readouterr().out.split()
    assert found == wanted
    line = {"_TYPER_COMPLETE_ARGS": "thistlebot de", "_TYPER_COMPLETE_WORD_TO_COMPLETE": "de"}
    for shell, answer in (
        ("zsh", """_arguments '*: :(("demo":"Solve a cube"""),
        ("fish", "demo\tSolve a cube"),
        ("powershell", "demo:::Solve a cube"),
    ):
        asked = {"_THISTLEBOT_COMPLETE": f"complete_{shell}"}
        answer_shell({**asked, **line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"})
        assert capsys.readouterr().out.startswith(answer), shell
