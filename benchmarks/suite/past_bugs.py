"""Checks that the suite still catches past bugs: restores each one and runs the tests near it.

Every row is a past bug of this project, described in CHANGELOG.md or a commit, with the edit that
restores it. The tests of the named folders run until one fails; a bug that none of them catches is
run against the whole suite.

    python -m benchmarks.suite.past_bugs                  all of them, about ten minutes
    python -m benchmarks.suite.past_bugs --only nap,buzzer

An edit that no longer matches the source is an error: adapt it to the present code.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Given, Report, Row, Rows, Wide, parser_of, run
from benchmarks.suite.mutants import CheckoutCopy


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


class BugRow(Row):
    """A restored bug, and the test that caught it."""

    bug: str
    met: bool
    caught_by: Wide | None
    said: str


def measure(given: Given, report: Report) -> Rows:
    """Restore the bugs one after the other."""
    names = given.only.split(",") if given.only else [bug.name for bug in BUGS]
    with tempfile.TemporaryDirectory(prefix="bugs-") as folder:
        copy = CheckoutCopy(Path(folder), "package", given.limit)
        for bug in report.track([bug for bug in BUGS if bug.name in names], "bugs"):
            source = (copy.tree / bug.file).read_text(encoding="utf-8")
            if source.count(bug.now) != 1:
                sys.exit(f"{bug.name}: {bug.file} has changed: update the edit of this row")
            with copy.edited(bug.file, source.replace(bug.now, bug.then)):
                near = tuple(name for name in bug.tests if (copy.tree / name).exists())
                failed = copy.run(near, given.limit) or copy.run(("tests",), given.limit)
            yield BugRow(bug.name, failed is not None, failed, bug.said)


if __name__ == "__main__":
    run(parser_of(__doc__, only="", limit=1800.0), measure)
