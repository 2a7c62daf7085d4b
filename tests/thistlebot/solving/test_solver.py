"""The solver through the command line: budgets, objectives, tables, and their mishaps."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cube.facelets import Facelets
from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.corners import PAIR_KEYS, Corners
from run_thistlebot import finished, start, thistlebot
from solver.goal import Goal
from solver.search.loading import load_tables
from solver.search.objectives import HTM, Objective
from solver.search.tables.single import TWO_PHASE_TABLE_SET
from solver.tables import TableStore
from thistlebot.solving.approach import Approach, Method
from thistlebot.solving.rig_times import time_model
from thistlebot.solving.solver import Solving
from thistlebot.solving.table_builder import build_later

SUPERFLIP = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"


@pytest.fixture(scope="module")
def full_tables(cache_folder: Path) -> Path:
    """The folder with the full tables of the usual objective."""
    solving = Solving(cache_folder, Approach(), default_rig(), build=True)
    assert solving.wait(600)
    return cache_folder


def test_a_file_of_states_at_a_budget(full_tables: Path, tmp_path: Path) -> None:
    """Without its budget a search would go on for minutes, on any machine."""
    states = [random_state(np.random.default_rng(seed)) for seed in range(8)]
    file = tmp_path / "states.txt"
    file.write_text("\n".join(state.to_facelets().text for state in states))
    args = ("--budget-ms", 10, "--objective", "htm", "--threads", 1, "--json")
    result = thistlebot("solve", "--states", file, *args)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    for state, record in zip(states, records, strict=True):
        assert record["facelets"] == state.to_facelets().text
        assert state.apply(MoveSequence.parse(record["moves"])) == SOLVED
        assert 5 < record["cpu_ms"] < 500
    assert np.mean([record["htm"] for record in records]) < 20


def test_the_superflip_takes_twenty(full_tables: Path) -> None:
    args = ("solve", "--facelets", SUPERFLIP, "--dry-run", "--json", "--budget-ms", 1000)
    assert json.loads(thistlebot(*args).stdout)["htm"] == 20


def test_short_scrambles_are_answered_optimally(full_tables: Path) -> None:
    for moves in ("R", "R U F2", "R L U2 D' F B2 R'"):
        record = json.loads(thistlebot("solve", "--scramble", moves, "--dry-run", "--json").stdout)
        assert record["htm"] == len(MoveSequence.parse(moves))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--budget-ms", "0"), "--budget-ms"),
        (("--budget-ms", "-5"), "--budget-ms"),
        (("--budget-ms", "inf"), "--budget-ms"),
        (("--threads", "0"), "--threads"),
        (("--threads", "100000"), "--threads"),
        (("--forbidden", "X"), "the faces are U R F D L B"),
        (("--objective", "beauty"), "beauty"),
        (("--strict",), "--strict goes with --method thistlethwaite"),
    ],
)
def test_impossible_wishes(args: tuple[str, ...], said: str) -> None:
    result = thistlebot("solve", "--scramble", "R", "--dry-run", *args)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize(("forbidden", "motors"), [("D", "URFDLB"), ("", "URFLB")])
def test_a_face_is_left_alone_when_it_is_forbidden_or_has_no_motor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, forbidden: str, motors: str
) -> None:
    """Tables and search are both told; what they then do is tested in tests/solver/search."""
    asked: list[str] = []

    def ask(*_: object, forbidden: str, **__: object) -> SimpleNamespace:
        asked.append(forbidden)
        return SimpleNamespace(notes=tuple)

    for name in ("load_tables", "search"):
        monkeypatch.setattr(f"thistlebot.solving.solver.{name}", ask)
    whole = default_rig()
    rig = msgspec.structs.replace(whole, motors={face: whole.motors[face] for face in motors})
    solving = Solving(tmp_path, Approach(forbidden=forbidden), rig)
    assert solving.forbidden == "D"
    assert solving.wait(10)
    solving(SOLVED)
    assert asked == ["D", "D"]


@pytest.mark.exhaustive
def test_a_forbidden_face_does_not_turn(cache_folder: Path) -> None:
    args = ("solve", "--scramble", "U R F", "--forbidden", "U", "--dry-run", "--json")
    moves = MoveSequence.parse(json.loads(thistlebot(*args).stdout)["moves"])
    assert SOLVED.apply(MoveSequence.parse("U R F")).apply(moves) == SOLVED
    assert "U" not in {move.face for move in moves.moves}


def test_an_answer_before_the_tables_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without full tables a script gets the four-stage answer at once, and builds nothing big."""
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    record = json.loads(thistlebot("solve", "--scramble", "R U F2", "--dry-run", "--json").stdout)
    state = SOLVED.apply(MoveSequence.parse("R U F2"))
    assert state.apply(MoveSequence.parse(record["moves"])) == SOLVED
    assert [file.name for file in (tmp_path / "tables").glob("*.tables")] == ["stages-v2.tables"]


def test_a_script_has_tables_built_behind_its_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process builds them, however many scripts ask, and it outlives the first."""
    monkeypatch.delenv("THISTLEBOT_BACKGROUND")
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    builders = set()
    for _ in range(2):
        result = finished("solve", "--scramble", "R U", "--dry-run")
        assert "U' R'" in result.stdout
        assert "being built" in " ".join(result.stderr.split())
        builders.add(int((tmp_path / "building-htm").read_text()))
    (builder,) = builders
    os.kill(builder, signal.SIGTERM)  # it was at work: otherwise this raises


def test_no_process_takes_code_from_the_folder_it_is_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file named as a library of ours lies in the working folder."""
    planted, cache = tmp_path / "typer.py", tmp_path / "cache"
    planted.write_text("open('planted-code-ran', 'w')")
    monkeypatch.delenv("THISTLEBOT_BACKGROUND")
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(cache))
    command = [sys.executable, "-P", "-m", "thistlebot", "solve", "--scramble", "R U", "--dry-run"]
    result = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert "being built" in " ".join(result.stderr.split())
    builder = int((cache / "building-htm").read_text())
    while not list((cache / "tables").glob("turns*.tables")):  # it runs, and is through its imports
        os.kill(builder, 0)
        time.sleep(0.05)
    os.kill(builder, signal.SIGTERM)
    assert not (tmp_path / "planted-code-ran").exists()


def test_a_marker_from_the_future_blocks_no_building(tmp_path: Path) -> None:
    marker = tmp_path / "building-htm"
    marker.write_text("1")
    os.utime(marker, (time.time() + 1e6,) * 2)
    assert build_later(tmp_path, HTM, "", os.environ | {"THISTLEBOT_BACKGROUND": "1"})
    builder = int(marker.read_text())
    assert builder > 1
    os.kill(builder, signal.SIGTERM)


def test_a_script_does_not_wait_for_damaged_tables(full_tables: Path, tmp_path: Path) -> None:
    """Its answer comes from the small tables; the file is for a process of its own to build."""
    shutil.copytree(full_tables, tmp_path, dirs_exist_ok=True)
    file = TableStore(tmp_path / "tables").path(TWO_PHASE_TABLE_SET)
    with file.open("r+b") as damaged:
        damaged.seek(-1000, os.SEEK_END)
        byte = damaged.read(1)[0]
        damaged.seek(-1000, os.SEEK_END)
        damaged.write(bytes([byte ^ 1]))
    content = file.read_bytes()
    environment = os.environ | {"THISTLEBOT_CACHE_DIR": str(tmp_path)}
    result = finished("solve", "--facelets", SUPERFLIP, "--dry-run", "--json", env=environment)
    record = json.loads(result.stdout)
    state = CubeState.from_facelets(Facelets(SUPERFLIP))
    assert state.apply(MoveSequence.parse(record["moves"])) == SOLVED
    assert file.read_bytes() == content


def test_tables_are_listed_and_removed(
    full_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [
        json.loads(line)["name"]
        for line in thistlebot("tables", "list", "--json").stdout.splitlines()
    ]
    assert {"stages", "two-phase"} <= set(names)
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    assert thistlebot("solve", "--scramble", "R", "--dry-run").exit_code == 0
    assert "removed" in thistlebot("tables", "remove").stdout
    assert not list((tmp_path / "tables").glob("*.tables"))


def test_a_full_disk_costs_only_time(tmp_path: Path) -> None:
    """A file system that takes no more bytes: the answer still comes, and a note says why."""
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000));"
        "from thistlebot.__main__ import main;"
        "sys.argv = ['thistlebot', 'solve', '--scramble', 'R U', '--dry-run']; main()"
    )
    environment = os.environ | {"THISTLEBOT_CACHE_DIR": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "U' R'" in result.stdout
    assert "could not be stored" in " ".join(result.stderr.split())
    assert not list(tmp_path.rglob("*.tables"))


def test_a_killed_build_leaves_nothing_broken(tmp_path: Path) -> None:
    environment = os.environ | {"THISTLEBOT_CACHE_DIR": str(tmp_path)}
    building = start("tables", "build", env=environment)
    while building.poll() is None and not list((tmp_path / "tables").glob("*.tables")):
        time.sleep(0.01)  # the first file is there, the long work has begun
    assert building.poll() is None
    building.kill()
    building.communicate()
    result = finished("solve", "--scramble", "R U", "--dry-run", env=environment)
    assert result.returncode == 0, result.stderr
    assert "U' R'" in result.stdout


def test_the_rig_gives_the_times() -> None:
    model = time_model(default_rig())
    assert model.quarter_ms == pytest.approx((40.0,) * 6, abs=0.01)
    assert model.half_ms == pytest.approx((63.0,) * 6, abs=0.01)
    assert model.gap_ms == 0.1


CORNERS = Corners(
    cut=33.0, anti_cut=28.0, cut_after_half=32.0, anti_cut_after_half=27.0, opposite=33.0
)
PAIRED = msgspec.structs.replace(CORNERS, **dict.fromkeys(PAIR_KEYS, 24.0))


@given(
    st.lists(st.sampled_from(ALL_MOVES), max_size=25).map(MoveSequence.of),
    st.sampled_from((CORNERS, PAIRED)),
    st.sampled_from((2, 4)),
)
def test_the_time_that_is_minimised_is_that_of_the_plan(
    moves: MoveSequence, corners: Corners, lanes: int
) -> None:
    rig = msgspec.structs.replace(default_rig(), corners=corners)
    model = time_model(rig, lambda: lanes)
    assert model.time_ms(moves) == pytest.approx(1000 * rig.plan(moves, lanes).time_s, abs=1e-6)


def test_tables_are_chosen_by_what_the_rig_file_says_of_pairs() -> None:
    for corners, metric in ((Corners(), "axial-qtm"), (CORNERS, "qtm"), (PAIRED, "axial-qtm")):
        rig = msgspec.structs.replace(default_rig(), corners=corners)
        assert Objective("time", time_model(rig)).metric.name == metric


def test_a_face_without_a_motor_has_a_time_all_the_same() -> None:
    motors = {face: default_rig().motors[face] for face in "URFDL"}
    rig = msgspec.structs.replace(default_rig(), motors=motors, corners=CORNERS)
    model = time_model(rig)
    assert model.time_ms(MoveSequence.parse("R U")) < 80
    assert model.time_ms(MoveSequence.parse("R B")) > 40
    only = msgspec.structs.replace(default_rig(), motors={"U": motors["U"]}, corners=CORNERS)
    assert time_model(only).time_ms(MoveSequence.parse("U")) == pytest.approx(40.0, abs=0.01)


def test_thistlethwaite_alone(cache_folder: Path) -> None:
    solving = Solving(cache_folder, Approach(Method.THISTLETHWAITE, Goal.HTM), default_rig())
    state = random_state(np.random.default_rng(5))
    solution = solving(state)
    assert state.apply(solution.moves) == SOLVED
    assert len(solution.moves) <= 45


def test_strict_chains_are_shorter() -> None:
    state = random_state(np.random.default_rng(9)).to_facelets().text
    args = ("solve", "--facelets", state, "--dry-run", "--json", "--method", "thistlethwaite")
    greedy = json.loads(thistlebot(*args).stdout)
    strict = json.loads(thistlebot(*args, "--strict", "--budget-ms", 50).stdout)
    assert strict["htm"] < greedy["htm"]
    assert strict["htm"] <= 24


def test_bench_solver(full_tables: Path, tmp_path: Path) -> None:
    plot = tmp_path / "histogram.svg"
    args = ("bench", "solver", "--states", 5, "--budgets", "1,10", "--json", "--plot", plot)
    result = thistlebot(*args)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0, result.stderr
    assert [record["budget_ms"] for record in records[:5]] == [0, 0, 0, 1, 10]
    measured = [record for record in records if "histogram" in record]  # not: shares of peers
    assert len(measured) >= 5
    assert all(sum(record["histogram"].values()) == 5 for record in measured)
    assert plot.read_text().startswith("<svg")
    assert thistlebot("bench", "solver", "--budgets", "soon").exit_code == 2


def test_seconds_count_where_a_rig_turns(tmp_path: Path) -> None:
    rig, turning = default_rig(), Approach(rig_turns=True)
    by_hand, asked = Solving(tmp_path, Approach(), rig), Approach(goal=Goal.HTM, rig_turns=True)
    assert by_hand.objective.name == "htm"
    assert by_hand.better is None
    assert Solving(tmp_path, asked, rig).objective.name == "htm"
    assert Solving(tmp_path, Approach(goal=Goal.TIME), rig).objective.name == "time"
    assert Solving(tmp_path, turning, rig).better == Objective("time", time_model(rig))


def test_all_cores_search_where_a_rig_turns() -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert Approach().searchers == 1
    assert Approach(rig_turns=True).searchers == cores
    assert Approach(rig_turns=True, threads=1).searchers == 1
    assert Approach(threads=3).searchers == 3


def test_turns_count_until_the_tables_of_the_time_are_stored(
    full_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer does not wait; once the tables are there, the next ones are quick."""
    (tmp_path / "tables").mkdir()
    for file in (full_tables / "tables").glob("*.tables"):
        if not file.name.startswith("axial"):
            (tmp_path / "tables" / file.name).symlink_to(file)
    asked: list[tuple[str, str]] = []

    def build_later(_cache: Path, objective: Objective, forbidden: str) -> bool:
        asked.append((objective.metric.name, forbidden))
        return True

    monkeypatch.setattr("thistlebot.solving.solver.build_later", build_later)
    notes: list[str] = []
    approach = Approach(rig_turns=True, threads=1, budget_ms=20)
    solving = Solving(tmp_path, approach, default_rig(), notes.append)
    state = random_state(np.random.default_rng(12))
    assert solving.wait(60)
    for _ in range(2):
        found = solving(state)
        assert found.objective == "htm"
        assert len(found.moves) < 24
    assert asked == [(Goal.AXIAL_QTM, "")]
    assert notes == ["tables for quicker answers are being built in the background, once"]
    load_tables(TableStore(full_tables / "tables"), objective=Objective("axial-qtm"))
    for file in (full_tables / "tables").glob("axial-qtm*.tables"):
        (tmp_path / "tables" / file.name).symlink_to(file)
    before = time.monotonic()
    while solving.objective.name != "time" and time.monotonic() < before + 60:
        solving(state)
    found = solving(state)
    assert found.objective == "time"
    assert found.value == time_model(default_rig()).time_ms(found.moves)


def test_damaged_tables_of_the_time_leave_those_of_turns(full_tables: Path, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    load_tables(TableStore(full_tables / "tables"), objective=Objective("axial-qtm"))
    for file in (full_tables / "tables").glob("*.tables"):
        if file.name.startswith("axial"):
            (tmp_path / "tables" / file.name).write_bytes(file.read_bytes()[:-1000])
        else:
            (tmp_path / "tables" / file.name).symlink_to(file)
    solving = Solving(tmp_path, Approach(rig_turns=True, budget_ms=20), default_rig())
    found = solving(random_state(np.random.default_rng(13)))
    assert found.objective == "htm"
    assert len(found.moves) < 24
