"""What a shell is offered at the TAB key."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from journals import keep, row

from cube.patterns import PATTERNS
from robot.rigs.catalogue import RIGS
from thistlebot.cli.verbs import BUILT_IN

BASH = """
eval "$(_THISTLEBOT_COMPLETE=source_bash thistlebot)"
while IFS=' ' read -r -a words; do
  COMP_WORDS=(thistlebot "${words[@]}")
  [ "${words[-1]}" = TAB ] && COMP_WORDS[-1]='' # the next word is not begun
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _thistlebot_completion thistlebot
  echo "${COMPREPLY[*]}"
done
"""


def offered(*lines: str) -> list[list[str]]:
    """What bash offers for the last words of lines, by the script that the program installs."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", BASH],
        input="".join(f"{line}\n" for line in lines),
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return [line.split() for line in done.stdout.splitlines()]


def test_bash_offers_verbs_options_and_names(tmp_path: Path) -> None:
    keep(tmp_path / "data", [row(1), row(2)])
    profiles = tmp_path / "config" / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "evening.toml").touch()
    patterns = [each.slug for each in PATTERNS]
    wanted = {
        "TAB": [*BUILT_IN],
        "so": ["solve"],
        "nonsense x": [],
        "calibrate co": ["colours"],
        "solve --no-": ["--no-verify"],
        "solve --virtual --rig TAB": [*RIGS.built_in],
        "solve --profile TAB": ["evening"],
        "solve --to super": ["superflip"],
        "solve --photos TAB": [],  # files, which bash itself offers
        "pattern TAB": patterns,
        "lesson theo": ["theorem"],
        "word R --puzzle balls-c": ["balls-cube"],
        "manual pro": ["protocol"],
        "show TAB": ["last", "2", "1"],
        "replay 1 2": ["2"],
        "buzz --rig claws turn-face": ["turn-face-R", "turn-face-F"],
        "buzz TAB": [*"URFDLB"],
    }
    assert dict(zip(wanted, offered(*wanted), strict=True)) == wanted


@pytest.mark.parametrize(
    ("shell", "answer"),
    [
        ("zsh", """_arguments '*: :(("demo":"Run a complete"""),
        ("fish", "demo\tRun a complete"),
        ("powershell", "demo:::Run a complete"),
    ],
)
def test_other_shells_get_the_help_too(shell: str, answer: str) -> None:
    environment = {"_THISTLEBOT_COMPLETE": f"complete_{shell}"}
    line = {"_TYPER_COMPLETE_ARGS": "thistlebot de", "_TYPER_COMPLETE_WORD_TO_COMPLETE": "de"}
    line["_TYPER_COMPLETE_FISH_ACTION"] = "get-args"
    done = subprocess.run(
        [sys.executable, "-m", "thistlebot"],
        env={**os.environ, **environment, **line},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.startswith(answer)
