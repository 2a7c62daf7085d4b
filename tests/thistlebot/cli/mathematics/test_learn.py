"""Lessons: every method performed on the virtual rig ends verified; steps say what they are for."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.net import text_net
from cube.random_states import random_state
from cube.state import SOLVED
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from robot.virtual.faults import Faults
from run_thistlebot import finished, start, thistlebot
from solver.methods.catalogue import ENTRIES, Entry, load_method
from solver.tables import TableStore
from thistlebot.cli.mathematics.learn import pause_s
from thistlebot.errors import NotVerifiedError
from thistlebot.exit_codes import ExitCode
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.session.lesson import Lesson, Told
from thistlebot.session.virtual_world import VirtualWorld

SCRAMBLE = "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'"


def lesson(name: str, cache: Path, scramble: str, faults: Faults | None = None) -> tuple:
    """A lesson on the virtual rig in simulated time, the rig and what was told."""
    state = SOLVED.apply(MoveSequence.parse(scramble))
    rig, clock, told = default_rig(), SimulatedClock(), list[Told]()
    world = VirtualWorld(rig, state, seed=3, clock=clock, faults=faults)
    driver = RigDriver(world.rig, rig, clock)
    driver.connect()
    driver.prepare()
    teacher = Lesson(
        load_method(name, TableStore(cache / "tables")),
        rig,
        tell=told.append,
        driver=driver,
        checker=RigReader(RigScan(default_rig(), world.views), world.cameras),
        pause_s=0.5,
        rest=clock.sleep,
    )
    return teacher, state, world.rig, told


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_method_performed_on_the_virtual_rig_ends_verified(
    entry: Entry, cache_folder: Path
) -> None:
    scramble = SCRAMBLE if entry.any_state else "R U F2"
    teacher, state, rig, told = lesson(entry.name, cache_folder, scramble)
    made = teacher.run(state)
    assert rig.state == SOLVED
    assert rig.slips == 0
    steps = MoveSequence(tuple(move for each in told for move in each.step.moves))
    assert rig.moves == steps.moves  # turned as told, one by one
    assert [each.step for each in told] == list(made.steps)
    assert state.apply(steps) == SOLVED


def test_a_face_that_slips_is_seen(cache_folder: Path) -> None:
    teacher, state, rig, _ = lesson("backtracking", cache_folder, "R U F2", Faults(slip_at_move=2))
    with pytest.raises(NotVerifiedError, match="not solved"):
        teacher.run(state)
    # The face that lost steps stands off its detent, and stops the one that crosses it.
    assert (rig.slips, rig.jams) == (2, 1)


def test_a_lesson_as_text() -> None:
    result = thistlebot("learn", "thistlethwaite-five", "--dry-run", "--scramble", SCRAMBLE)
    assert result.exit_code == 0
    text = " ".join(result.output.split())
    for said in ("1 of 5", "edges oriented", "angle is 180 degrees", "Φ3", "δ", "half turns"):
        assert said in text
    assert "verified" not in text


def test_a_lesson_on_the_virtual_rig_when_none_is_configured() -> None:
    result = thistlebot("learn", "bidirectional", "--seed", 4, "--json")
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.output.splitlines() if line.startswith("{")]
    assert lines[-1]["verified"]
    assert lines[0]["moves"]
    assert set(lines[0]["pieces"]) <= set(lines[0]["moving"])


@pytest.mark.parametrize(("key", "code"), [(b" ", 0), (b"q", 6)])
def test_on_a_terminal_each_step_waits_for_a_key(key: bytes, code: int) -> None:
    ours, theirs = os.openpty()
    command = ("learn", "bidirectional", "--dry-run", "--scramble", "R U")
    process = start(*command, stdin=theirs, stderr=subprocess.STDOUT)
    os.close(theirs)
    assert process.stdout is not None
    said = []
    while (line := process.stdout.readline()) and "any key" not in line:
        said.append(line)
    assert any("1 of 1" in line for line in said)
    assert process.poll() is None  # it waits
    os.write(ours, key)
    rest = process.communicate(timeout=60)[0]
    os.close(ours)
    assert process.returncode == code
    assert ("length    2 HTM" in rest) == (code == 0)


def test_a_program_that_reads_the_steps_presses_no_key() -> None:
    ours, theirs = os.openpty()
    command = ("learn", "bidirectional", "--dry-run", "--scramble", "R U", "--json")
    done = finished(*command, stdin=theirs)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["moves"] == "U' R'"


def test_one_source_of_the_cube() -> None:
    facelets = random_state(np.random.default_rng(1)).to_facelets().text
    result = thistlebot("learn", "layers", "--scramble", "R", "--facelets", facelets)
    assert result.exit_code == 2
    assert "give one of them" in result.output
    assert thistlebot("learn", "roux").exit_code == 2


def test_only_who_looks_on_is_waited_for() -> None:
    """As the help of --pause says; what is piped does not rest."""
    assert pause_s(None, watched=True) == 0.5
    assert pause_s(None, watched=False) == 0
    assert pause_s(0.0, watched=True) == 0
    assert pause_s(2.0, watched=False) == 2


def test_a_lesson_as_text_says_how_to_hold_the_cube() -> None:
    told = thistlebot("learn", "layers", "--dry-run", "--scramble", "R U").stdout
    before = SOLVED.apply(MoveSequence.parse("R U")).to_facelets().text
    hold = "hold      the cube with white up and green in front, in the usual colours"
    assert told.startswith(f"{hold}\n{text_net(before)}\n")
    assert f"\n\n{text_net(SOLVED.to_facelets().text)}\nmoves " in told


@pytest.mark.source("S2.example")
def test_s2s_example_shows_each_stage_before_and_after() -> None:
    result = thistlebot("learn", "five-stages", "--example", "--dry-run")
    assert result.exit_code == 0, result.output
    text = " ".join(result.output.split())
    assert f"scramble {SCRAMBLE} (S2)" in text
    assert "goal edges turned over: 8 → 0, reached" in text
    assert text.count("reached") == 7
    assert "missed" not in text
    assert text.count("before after") == 5  # side by side
    assert "may turn U2 R F2 D2 L B2" in text
    assert "length 37 HTM in 5 steps" in text


def test_s2s_example_for_programs_is_turned_and_verified() -> None:
    result = thistlebot("learn", "five-stages", "--example", "--virtual", "--json")
    assert result.exit_code == 0, result.output
    *stages, end = (json.loads(line) for line in result.stdout.splitlines())
    assert (end["scramble"], end["source"], end["verified"]) == (SCRAMBLE, "S2", True)
    assert [stage["after"] for stage in stages[:-1]] == [stage["before"] for stage in stages[1:]]
    assert (stages[0]["before"], stages[-1]["after"]) == (
        end["facelets"],
        SOLVED.to_facelets().text,
    )
    assert all(goal["after"] == 0 for stage in stages for goal in stage["goals"])


def test_the_example_is_of_the_five_stages() -> None:
    refused = thistlebot("learn", "layers", "--example", "--dry-run")
    assert refused.exit_code == 2
    assert "--example goes with five-stages" in refused.output
    assert thistlebot("learn", "five-stages", "--example", "--scramble", "R").exit_code == 2
    plain = thistlebot("learn", "five-stages", "--scramble", SCRAMBLE, "--dry-run", "--json")
    assert json.loads(plain.stdout.splitlines()[-1])["method"] == "thistlethwaite-five"


@pytest.mark.parametrize("ending", ["svg", "html"])
def test_a_lesson_as_a_picture(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"lesson.{ending}"
    given = ("learn", "layers", "--dry-run", "--scramble", "R U")
    result = thistlebot(*given, "--json", "--picture", file)
    assert result.exit_code == 0, result.output
    plain = thistlebot(*given, "--json")
    assert result.stdout == plain.stdout
    assert "wrote" in thistlebot(*given, "--picture", file).stderr
    text = file.read_text(encoding="utf-8")
    assert "Layer by layer with commutators (S1)" in text
    caption = json.loads(plain.stdout.splitlines()[0])["caption"]
    assert caption in text


def test_a_picture_of_an_unknown_kind_is_refused_before_anything_turns(tmp_path: Path) -> None:
    result = thistlebot("learn", "layers", "--picture", tmp_path / "lesson.png")
    assert result.exit_code == ExitCode.USAGE
    assert ".svg" in result.output
    assert ".html" in result.output
