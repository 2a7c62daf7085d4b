"""The solver as the program uses it: budgets, objectives, tables, and their mishaps."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.rig_file import PAIR_KEYS, Corners
from run_thistlebot import record, records
from solver.goal import Goal
from solver.search.objectives import HTM, Objective, load_tables
from solver.search.tables.single import TWO_PHASE_TABLE_SET
from solver.tables import TableStore
from thistlebot.errors import UsageError
from thistlebot.solving.approach import Approach, Method
from thistlebot.solving.rig_times import time_model
from thistlebot.solving.solver import Solving
from thistlebot.solving.table_builder import build_later

RIG = default_rig()
CUBE = random_state(np.random.default_rng(12))
AXIAL = "axial-qtm"
CORNERS = Corners(
    cut=33.0, anti_cut=28.0, cut_after_half=32.0, anti_cut_after_half=27.0, opposite=33.0
)
PAIRED = msgspec.structs.replace(CORNERS, **dict.fromkeys(PAIR_KEYS, 24.0))


@pytest.fixture(scope="module")
def full_tables(cache_folder: Path) -> Path:
    """The folder with the full tables for few turns and for the time of a rig."""
    load_tables(TableStore(cache_folder / "tables"), objective=Objective(AXIAL))
    return cache_folder


def link(full_tables: Path, folder: Path, but: str) -> Path:
    """Put links to all tables into a cache folder, but for those whose names begin so."""
    (folder / "tables").mkdir()
    for file in (full_tables / "tables").glob("*.tables"):
        if not file.name.startswith(but):
            (folder / "tables" / file.name).symlink_to(file)
    return folder


def answer(scramble: str) -> str:
    """Return the moves that the verb has for a scramble; they have to solve it."""
    moves = record("solve", "--scramble", scramble, "--dry-run")["moves"]
    assert SOLVED.apply(MoveSequence.parse(f"{scramble} {moves}")) == SOLVED
    return moves


def test_impossible_wishes_are_refused_and_named() -> None:
    wishes = {
        "--budget-ms 0": {"budget_ms": 0.0},
        "--budget-ms -5": {"budget_ms": -5.0},
        "--budget-ms inf": {"budget_ms": float("inf")},
        "--threads 0": {"threads": 0},
        "--threads 100000": {"threads": 100_000},
        "--forbidden X": {"forbidden": "X"},
        "--forbidden": {"forbidden": "U", "method": Method.THISTLETHWAITE},
        "--strict": {"strict": True},
    }
    for named, wish in wishes.items():
        with pytest.raises(UsageError, match=named):
            Approach(**wish)


def test_a_face_is_left_alone_when_it_is_forbidden_or_has_no_motor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []

    def ask(*_: object, forbidden: str, **__: object) -> SimpleNamespace:
        asked.append(forbidden)
        return SimpleNamespace(notes=tuple)

    for name in ("load_tables", "search"):
        monkeypatch.setattr(f"thistlebot.solving.solver.{name}", ask)
    for forbidden, motors in (("D", "URFDLB"), ("", "URFLB")):
        rig = msgspec.structs.replace(RIG, motors={face: RIG.motors[face] for face in motors})
        solving = Solving(tmp_path, Approach(forbidden=forbidden), rig)
        assert solving.forbidden == "D"
        assert solving.wait(60)
        solving(SOLVED)
    assert asked == ["D"] * 4


def test_tables_are_built_behind_the_back_of_scripts_by_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It outlives the script, takes no code from where that is started, and may be killed."""
    planted, cache = tmp_path / "typer.py", tmp_path / "cache"
    planted.write_text("open('planted-code-ran', 'w')")
    monkeypatch.delenv("THISTLEBOT_BACKGROUND")
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(cache))
    command = [sys.executable, "-P", "-m", "thistlebot", "solve", "--scramble", "R U", "--dry-run"]
    result = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert "U' R'" in result.stdout
    assert result.stderr  # what is being built is told
    builder = int((cache / "building-htm").read_text())
    while not list((cache / "tables").glob("turns*.tables")):  # then its long work begins
        os.kill(builder, 0)
        time.sleep(0.02)
    assert answer("R U") == "U' R'"
    assert int((cache / "building-htm").read_text()) == builder
    os.kill(builder, signal.SIGKILL)  # it was at work: otherwise this raises
    assert answer("R U") == "U' R'"
    assert not (tmp_path / "planted-code-ran").exists()


def test_a_marker_from_the_future_blocks_no_building(tmp_path: Path) -> None:
    marker = tmp_path / "building-htm"
    marker.write_text("1")
    os.utime(marker, (time.time() + 1e6,) * 2)
    assert build_later(tmp_path, HTM, "", os.environ | {"THISTLEBOT_BACKGROUND": "1"})
    builder = int(marker.read_text())
    assert builder > 1
    os.kill(builder, signal.SIGTERM)


def test_nobody_waits_for_damaged_tables(full_tables: Path, tmp_path: Path) -> None:
    """An answer comes from what is sound; the file is for a process of its own to build."""
    for name, approach, objective, most in (
        (TWO_PHASE_TABLE_SET.name, Approach(), "htm", 45),
        (AXIAL, Approach(rig_turns=True, threads=1, budget_ms=200), "htm", 24),
    ):
        (tmp_path / name).mkdir()
        folder = link(full_tables, tmp_path / name, name)
        (whole,) = (full_tables / "tables").glob(f"{name}-v*.tables")
        file = folder / "tables" / whole.name
        with whole.open("rb") as content:
            file.write_bytes(content.read(1_000_000))
        status = file.stat()
        solving = Solving(folder, approach, RIG)
        found = solving(CUBE)
        solving.close()
        assert CUBE.apply(found.moves) == SOLVED
        assert (found.objective, len(found.moves) <= most) == (objective, True)
        assert (file.stat().st_ino, file.stat().st_mtime_ns) == (status.st_ino, status.st_mtime_ns)


def test_turns_count_until_the_tables_of_the_time_are_stored(
    full_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer does not wait; once the tables are there, the next ones are quick."""
    link(full_tables, tmp_path, AXIAL)
    asked: list[tuple[str, str]] = []

    def build_later(_cache: Path, objective: Objective, forbidden: str) -> bool:
        asked.append((objective.metric.name, forbidden))
        return True

    monkeypatch.setattr("thistlebot.solving.solver.build_later", build_later)
    notes: list[str] = []
    approach = Approach(rig_turns=True, threads=1, budget_ms=200)
    solving = Solving(tmp_path, approach, RIG, notes.append)
    assert solving.wait(600)
    for _ in range(2):
        found = solving(CUBE)
        assert found.objective == "htm"
        assert len(found.moves) < 24
    assert asked == [(Goal.AXIAL_QTM, "")]
    assert len(notes) == 1
    (file,) = (full_tables / "tables").glob(f"{AXIAL}-v*.tables")
    (tmp_path / "tables" / file.name).symlink_to(file)
    assert solving(CUBE).objective == "htm"  # from now on they are loaded
    solving.close()  # which waits for that
    found = solving(CUBE)
    assert found.objective == "time"
    assert found.value == time_model(RIG).time_ms(found.moves)


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(ALL_MOVES), max_size=25).map(MoveSequence.of),
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


def test_strict_chains_are_shorter_than_the_first_ones() -> None:
    args = ("solve", "--facelets", CUBE.to_facelets().text, "--dry-run")
    args += ("--method", "thistlethwaite")
    greedy, strict = record(*args), record(*args, "--strict", "--budget-ms", 200)
    for found in (greedy, strict):
        assert CUBE.apply(MoveSequence.parse(found["moves"])) == SOLVED
    assert strict["htm"] < greedy["htm"] <= 45


def test_bench_solver(full_tables: Path, tmp_path: Path) -> None:
    plot = tmp_path / "histogram.svg"
    args = ("bench", "solver", "--states", 5, "--budgets", "1,10", "--plot", plot)
    found = records(*args)
    assert [each["budget_ms"] for each in found[:5]] == [0, 0, 0, 1, 10]
    measured = [each["histogram"] for each in found if "histogram" in each]  # not: shares of peers
    assert len(measured) >= 5
    assert all(sum(histogram.values()) == 5 for histogram in measured)
    assert plot.read_text().startswith("<svg")


def test_seconds_count_and_all_cores_search_where_a_rig_turns(tmp_path: Path) -> None:
    by_hand, asked = Solving(tmp_path, Approach(), RIG), Approach(goal=Goal.HTM, rig_turns=True)
    assert by_hand.objective.name == "htm"
    assert by_hand.better is None
    assert Solving(tmp_path, asked, RIG).objective.name == "htm"
    assert Solving(tmp_path, Approach(goal=Goal.TIME), RIG).objective.name == "time"
    turning = Solving(tmp_path, Approach(rig_turns=True), RIG)
    assert turning.better == Objective("time", time_model(RIG))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert Approach().searchers == 1
    assert Approach(rig_turns=True).searchers == cores
    assert Approach(rig_turns=True, threads=1).searchers == 1
    assert Approach(threads=3).searchers == 3
