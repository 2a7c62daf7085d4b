"""The campaign of faults, in small: it plays, it strikes, and it would notice a wrong cube."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.faults.case import FaultCase, draw_case
from benchmarks.faults.claims import judge
from benchmarks.faults.ground import Truth
from benchmarks.faults.host import ProgramEnd
from benchmarks.rig_runs.trial import RigTrial
from cube.state import SOLVED

ROOT = Path(__file__).resolve().parents[2]


def play(*options: str) -> dict[str, Any]:
    boards = ["benchmarks.campaigns", "--only", "boards", "--struck", "1"]
    command = [sys.executable, "-m", *boards, "--json", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return next(row for row in rows if row.get("struck"))


def kinds(first: str, *others: str) -> pytest.MarkDecorator:
    """One kind of faults now, and the others in the exhaustive runs."""
    more = [pytest.param(kind, marks=pytest.mark.exhaustive) for kind in others]
    return pytest.mark.parametrize("kinds", [first, *more])


@pytest.mark.avr
@kinds("e-stop and", "kill twice", "long silence", "Ctrl-C", "unplug and kill")
@pytest.mark.usefixtures("firmware_build")
def test_no_cube_is_wrong(kinds: str) -> None:
    found = play("--shapes", "corners", "--kinds", kinds)
    assert (found["struck"], found["wrong"]) == (1, 0)


def test_a_covered_camera_is_not_said_to_exchange_colours() -> None:
    assert not RigTrial("four-claws", 61_000_446, ("covered camera",)).run().wrong


@pytest.fixture
def case() -> FaultCase:
    return draw_case(1, "kill")


def truth(state: Any, *, aligned: bool = True) -> Truth:
    return Truth(state, aligned, 0, 1.0)


def test_what_is_wrong_is_noticed(case: FaultCase) -> None:
    done = ProgramEnd("again", 0, "turned 20 steps")
    assert judge(case, done, truth(SOLVED)) == []
    assert judge(case, done, truth(case.start))
    assert judge(case, done, truth(SOLVED, aligned=False))
    stopped = ProgramEnd(
        "solve", 6, "stopped after 2 steps; every face\nstands at a detent: scan again"
    )
    two = case.program.moves_of(2)
    here = truth(case.start.apply(two))
    assert judge(case, stopped, here) == []
    assert judge(case, stopped, truth(case.start))
    assert judge(case, stopped, truth(here.state, aligned=False))
    assert judge(case, ProgramEnd("solve", 1, "Traceback"), here)
    assert judge(case, ProgramEnd("solve", 2, "rig 'default' has 0 views"), here)
    lost = ProgramEnd("solve", 5, "the connection was lost and did not come back")
    assert judge(case, lost, truth(here.state, aligned=False)) == []
