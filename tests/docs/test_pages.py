"""Pages on lessons, patterns and rigs show what there is, and their commands run."""

import re
import shlex
from pathlib import Path

import pytest

from cube.drawing import net_picture
from cube.patterns import PATTERNS
from robot.rigs.action_machine.rig_file import ActionMachineFile, ActionRule, Variable
from robot.rigs.catalogue import NAMES
from run_thistlebot import thistlebot
from thistlebot.exit_codes import ExitCode

DOCS = Path(__file__).parents[2] / "docs"
LESSONS, PATTERNS_PAGE, RIGS = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("lessons", "patterns", "rigs")
)
(EXAMPLE,) = re.findall(r"^```toml\n(.*?)^```", RIGS, re.MULTILINE | re.DOTALL)
WITHOUT_DEVICES = {"--virtual", "--dry-run", "rigs", "init", "worksheet"}


def commands(page: str) -> list[list[str]]:
    return [
        shlex.split(line, comments=True)[1:]
        for block in re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]


@pytest.mark.usefixtures("simulated_time")
def test_every_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What needs a machine runs on the virtual one, in simulated time."""
    monkeypatch.chdir(tmp_path)
    Path("cradle.toml").write_text(EXAMPLE)
    wrong = []
    for page in (LESSONS, RIGS):
        for command in commands(page):
            devices = WITHOUT_DEVICES.isdisjoint(command) and command[0:2] != ["buzz", "--rig"]
            done = thistlebot(*command, *(["--virtual"] if devices and page is RIGS else []))
            # the first answer on the page of lessons is a wrong one
            code = ExitCode.NOT_VERIFIED if "--answer" in command else ExitCode.DONE
            if done.exit_code != code:
                wrong.append((command, done.exit_code, done.stderr))
    assert wrong == []


def test_the_page_of_patterns_shows_every_one_as_the_program_knows_it() -> None:
    for each in PATTERNS:
        file = f"pictures/patterns/{each.slug}.svg"
        assert f"| {each.name} | ![{each.name}]({file}) | {each.text} | `{each.moves}` |" in (
            PATTERNS_PAGE
        )
        assert (DOCS / file).read_text(encoding="utf-8") == net_picture(each.state.to_facelets())


def test_every_rig_is_shown_with_its_picture_and_every_key_has_its_row() -> None:
    explained = set(re.findall(r"`([\w]+)`", RIGS[RIGS.index("## All keys") :]))
    for kind in (ActionMachineFile, Variable, ActionRule):
        assert set(kind.__struct_fields__) <= explained
    table = RIGS[: RIGS.index("## From a photo")]
    assert [name for name in NAMES if f"`{name}`" not in table] == []
    pictures = re.findall(r"\]\((pictures/[^)]+)\)", RIGS)
    assert [file for file in pictures if not (DOCS / file).is_file()] == []
