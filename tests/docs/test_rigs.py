"""The page on rigs: its example is a machine, its commands run, and no key is missing."""

import re
import shlex
from pathlib import Path

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from documents.typed_toml import parse_document
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import ActionMachineFile, ActionRule, Variable
from robot.rigs.catalogue import NAMES
from run_thistlebot import thistlebot

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "rigs.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    shlex.split(line.split("  #")[0])[1:]
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
WITHOUT_DEVICES = {"--virtual", "--dry-run", "rigs", "init"}


def test_the_example_is_a_machine_that_turns_all_faces() -> None:
    cradle = parse_document(EXAMPLE, ActionMachine, "cradle.toml")
    assert cradle.faces == "URFDLB"
    moves = MoveSequence.parse("R U F2 L' B D")
    assert SOLVED.apply(cradle.plan(moves).moves) == SOLVED.apply(moves)
    assert [(part.name, part.role, part.side) for part in cradle.parts] == [
        ("holder", "shaft", "D"),
        ("cover", "arm", "B"),
        ("lever", "lever", "B"),
    ]


@pytest.mark.usefixtures("simulated_time")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_runs(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What needs a machine runs on the virtual one, in simulated time."""
    monkeypatch.chdir(tmp_path)
    Path("cradle.toml").write_text(EXAMPLE)
    if WITHOUT_DEVICES.isdisjoint(command) and command[0:2] != ["buzz", "--rig"]:
        command = [*command, "--virtual"]
    done = thistlebot(*command)
    assert done.exit_code == 0, done.stderr


def test_every_key_has_its_row() -> None:
    explained = set(re.findall(r"`([\w]+)`", PAGE[PAGE.index("## All keys") :]))
    for kind in (ActionMachineFile, Variable, ActionRule):
        assert set(kind.__struct_fields__) <= explained


def test_every_rig_is_shown_with_its_picture() -> None:
    table = PAGE[: PAGE.index("## From a photo")]
    for name in NAMES:
        assert f"`{name}`" in table
    for file in re.findall(r"\]\((pictures/[^)]+)\)", PAGE):
        assert (ROOT / "docs" / file).is_file()
