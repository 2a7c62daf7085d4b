"""The solver as the program uses it: budgets, objectives, tables, and their mishaps."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from cubes import cube, sequences
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.rig_file import PAIR_KEYS, Corners
from solver.goal import Goal
from solver.search.objectives import HTM, Objective, search_for
from solver.tables import TableStore
from thistlebot.solving.approach import Approach
from thistlebot.solving.rig_times import time_model
from thistlebot.solving.solver import Solving

RIG = default_rig()
STAGES = ("--method", "thistlethwaite")
CUBE = cube(12)
AXIAL = "axial-qtm"
CORNERS = Corners(cut=33.0, anti_cut=28.0, opposite=33.0)
PAIRED = msgspec.structs.replace(CORNERS, **dict.fromkeys(PAIR_KEYS, 24.0))


def test_a_face_is_left_alone_when_it_is_forbidden_or_has_no_motor(cache_folder: Path) -> None:
    for forbidden, motors in (("D", "URFDLB"), ("", "URFLB")):
        rig = msgspec.structs.replace(RIG, motors={face: RIG.motors[face] for face in motors})
        found = Solving(cache_folder, Approach(forbidden=forbidden), rig)(CUBE)
        assert CUBE.apply(found.moves) == SOLVED
        assert "D" not in str(found.moves)


@pytest.mark.parametrize("way", [STAGES, pytest.param((), marks=pytest.mark.exhaustive)])
def test_the_first_solve_builds_the_tables_and_leaves_nothing_running(
    way: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache_folder: Path
) -> None:
    """A script waits once, and is told why; code from where it is started does not run."""
    planted, cache = tmp_path / "typer.py", tmp_path / "cache"
    planted.write_text("open('planted-code-ran', 'w')")
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(cache))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache_folder))
    command = [sys.executable, "-P", "-m", "thistlebot", "solve", "--scramble", "R U", "--dry-run"]
    command += way
    told, changed = [], []
    for _ in range(2):
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "U' R'" in result.stdout
        told.append(result.stderr != "")
        changed.append([file.stat().st_mtime_ns for file in sorted(cache.rglob("*.npz"))])
    assert told == [not way, False]
    assert changed[0] == changed[1] != []
    assert not (tmp_path / "planted-code-ran").exists()


def test_waiting_for_tables_can_be_given_up_and_nobody_builds_them_any_more(tmp_path: Path) -> None:
    class GivenUpError(Exception):
        pass

    def give_up() -> None:
        raise GivenUpError

    solving = Solving(tmp_path, Approach(), RIG, waiting=give_up)
    with pytest.raises(GivenUpError):
        solving(CUBE)
    solving.close()
    assert not solving.building
    assert not TableStore(tmp_path / "tables").path(search_for(HTM, "").tables).exists()


@settings(max_examples=25)
@given(
    sequences(25),
    st.sampled_from((CORNERS, PAIRED)),
    st.sampled_from((2, 4)),
)
def test_the_time_that_is_minimised_is_that_of_the_plan(
    moves: MoveSequence, corners: Corners, lanes: int
) -> None:
    rig = msgspec.structs.replace(RIG, corners=corners)
    model = time_model(rig, lambda: lanes)
    assert model.time_ms(moves) == pytest.approx(1000 * rig.plan(moves, lanes).time_s, abs=1e-6)


def test_the_rig_gives_tables_and_times_also_of_faces_without_a_motor() -> None:
    for corners, metric in ((Corners(), AXIAL), (CORNERS, "qtm"), (PAIRED, AXIAL)):
        rig = msgspec.structs.replace(RIG, corners=corners)
        assert Objective("time", time_model(rig)).metric.name == metric
    model = time_model(RIG)
    assert model.quarter_ms == pytest.approx((40.0,) * 6, abs=0.01)
    assert model.half_ms == pytest.approx((63.0,) * 6, abs=0.01)
    assert model.gap_ms == 0.1
    motors = {face: RIG.motors[face] for face in "URFDL"}
    model = time_model(msgspec.structs.replace(RIG, motors=motors, corners=CORNERS))
    assert model.time_ms(MoveSequence.parse("R U")) < 80
    assert model.time_ms(MoveSequence.parse("R B")) > 40
    only = msgspec.structs.replace(RIG, motors={"U": motors["U"]}, corners=CORNERS)
    assert time_model(only).time_ms(MoveSequence.parse("U")) == pytest.approx(40.0, abs=0.01)


def test_seconds_count_and_all_cores_search_where_a_rig_turns(cache_folder: Path) -> None:
    by_hand, asked = Solving(cache_folder, Approach(), RIG), Approach(goal=Goal.HTM, rig_turns=True)
    assert by_hand.objective.name == "htm"
    assert Solving(cache_folder, asked, RIG).objective.name == "htm"
    assert Solving(cache_folder, Approach(goal=Goal.TIME), RIG).objective.name == "time"
    turning = Solving(cache_folder, Approach(rig_turns=True), RIG)
    assert turning.objective == Objective("time", time_model(RIG))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert Approach().searchers == 1
    assert Approach(rig_turns=True).searchers == cores
    assert Approach(rig_turns=True, threads=1).searchers == 1
    assert Approach(threads=3).searchers == 3
