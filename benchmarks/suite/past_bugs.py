"""Checks that the suite still catches past bugs: restores each one and runs the tests near it.

Every row is a past bug of this project, described in CHANGELOG.md or a commit, with the edit that
restores it. The tests of the named folders run until one fails; a bug that none of them catches is
run against the whole suite.

    python -m benchmarks.suite.past_bugs                  all of them, about ten minutes
    python -m benchmarks.suite.past_bugs --only nap,buzzer

An edit that no longer matches the source is an error: adapt it to the present code.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEST_S = 120
"""A test that takes longer with a bug counts as failed."""


@dataclass(frozen=True)
class Bug:
    """A bug of the past.

    Attributes:
        name: A short name.
        said: The symptom for a user.
        file: Its file.
        now: The present source.
        then: The source with the bug.
        tests: The folders and files of the tests that should notice it.
    """

    name: str
    said: str
    file: str
    now: str
    then: str
    tests: tuple[str, ...]


RUNNING = "tests/robot/running"
BUGS = (
    Bug(
        "sequences-joined",
        "R U | F, which are two sequences, was turned as one",
        "cube/notation/move_grammar.py",
        '_SPACES = re.compile(r"[ \\n]*")\n',
        '_SPACES = re.compile(r"[ \\n|.]*")\n',
        ("tests/cube",),
    ),
    Bug(
        "half-turn",
        "a half turn that a silence had cut at its middle was made whole again on resume",
        "robot/running/journal.py",
        "        begun = record.done_in_all(executed, begun, status.done)\n",
        "        begun = ()\n",
        (RUNNING,),
    ),
    Bug(
        "estop-race",
        "a turn that was taken just before an emergency stop was made after it",
        "firmware/thistlebot/src/core/motion.cpp",
        "    if (halted_) return;  // by an interrupt, since the turn was accepted\n",
        "",
        ("tests/firmware",),
    ),
    Bug(
        "detents-at-the-end",
        "Ctrl-C in the moment in which an emergency stop ended a program claimed all detents",
        "robot/running/program_runner.py",
        "        self.turned = None  # also if a Ctrl-C comes just before this is computed\n",
        "",
        (RUNNING, "tests/thistlebot/session"),
    ),
    Bug(
        "premature-detents",
        "faces were said to stand at detents although the board could not be reached",
        "robot/running/program_run.py",
        "        if self.lost or (hold is None and any(self.begun)):\n",
        "        if hold is None and any(self.begun):\n",
        (RUNNING, "tests/thistlebot/session"),
    ),
    Bug(
        "queued-presses",
        "a press while the machine was busy began another solve at its end",
        "frontends/exhibition/kiosk.py",
        "        self._driver.forget_presses()\n",
        "",
        ("tests/frontends/exhibition",),
    ),
    Bug(
        "turned-photo",
        "a cube with a flipped edge or twisted corner was accepted, also from turned photos",
        "vision/decoding/acceptance.py",
        "        or turned_pieces(found.best, proposal)\n",
        "",
        ("tests/vision/decoding", "tests/vision"),
    ),
    Bug(
        "stall-remembered",
        "after a stall and motors switched off and on the next move was taken and never turned",
        "firmware/thistlebot/src/core/board_session.cpp",
        "  if (state_ == State::DISABLED) forget_stop();",
        "",
        ("tests/firmware",),
    ),
    Bug(
        "late-abort",
        "an ABORT with nothing to stop made a later silence cut a half turn",
        "firmware/thistlebot/src/core/board.cpp",
        "    } else {  // there is nothing to stop, and nothing later is meant\n"
        "      abort_heard_ = false;\n",
        "    } else {\n",
        ("tests/firmware",),
    ),
    Bug(
        "nap",
        "a host that had slept took its own absence for the board's silence",
        "robot/link/send_window.py",
        " and self._asked >= _SILENT_POLLS\n",
        "\n",
        ("tests/robot/link", RUNNING),
    ),
    Bug(
        "buzzer",
        "Ctrl-C left the buzzer on",
        "robot/running/buzz.py",
        "    finally:\n        if linked:\n",
        "    else:\n        if linked:\n",
        (RUNNING,),
    ),
    Bug(
        "lost-interrupt",
        "a Ctrl-C that Python turned into another error ended with a traceback",
        "thistlebot/errors.py",
        "        behind = behind.__cause__ or behind.__context__\n    return behind\n",
        "        behind = behind.__cause__ or behind.__context__\n    return None\n",
        ("tests/thistlebot/test_errors.py", "tests/thistlebot/cli"),
    ),
)


def copied(tree: Path) -> None:
    """Copy the files of the checkout into a folder."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def failed(tree: Path, tests: tuple[str, ...]) -> str:
    """Run tests in a copy until one fails, and return its name; empty if none fails in time."""
    cache = tree.parent / "cache"
    # Variables of tests that run this, for their own use: pytest's worker is not this one.
    outside = {key: text for key, text in os.environ.items() if not key.startswith("PYTEST_")}
    mine = {"PYTHONPATH": str(tree), "NUMBA_CACHE_DIR": str(cache / "code")}
    mine |= {"CACHE_OF_TESTS": str(cache / "shared"), "PYTHONDONTWRITEBYTECODE": "1"}
    # A thread ends the process; a signal would end one of many examples of hypothesis.
    limits = (f"--timeout={TEST_S}", "--timeout-method=thread", "-p", "no:cacheprovider")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-n0",
            "-q",
            "-m",
            "not exhaustive",
            *limits,
            *tests,
        ],
        cwd=tree,
        env=outside | mine | {"COLUMNS": "1000"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode in {0, 5}:  # 5: there was no test to run
        return ""
    named = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return named[1] if named else tests[0]


def main() -> int:
    """Restore the bugs one after the other; return 1 if one is not caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    names = parser.parse_args().only.split(",")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="bugs-") as folder:
        tree = Path(folder) / "checkout"
        copied(tree)
        for bug in BUGS:
            if names != [""] and bug.name not in names:
                continue
            file = tree / bug.file
            source = file.read_text(encoding="utf-8")
            if source.count(bug.now) != 1:
                sys.exit(f"{bug.name}: {bug.file} has changed: update the edit of this row")
            file.write_text(source.replace(bug.now, bug.then), encoding="utf-8")
            near = tuple(name for name in bug.tests if (tree / name).exists())
            caught = failed(tree, near) or failed(tree, ("tests",))
            file.write_text(source, encoding="utf-8")
            missed += not caught
            print(f"{bug.name}: {caught or 'NOT CAUGHT'}", flush=True)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
