"""The solver through the command line: budgets, objectives, tables, and their mishaps."""

import os
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
from robot.rigs.face_motors.corners import PAIR_KEYS, Corners
from run_thistlebot import record, records
from solver.goal import Goal
from solver.search.loading import load_tables
from solver.search.objectives import Objective
from solver.tables import TableStore
from thistlebot.solving.approach import Approach, Method
from thistlebot.solving.rig_times import time_model
from thistlebot.solving.solver import Solving

SUPERFLIP = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"


@pytest.fixture(scope="module")
def full_tables(cache_folder: Path) -> Path:
    """The folder with the full tables of the usual objective."""
    solving = Solving(cache_folder, Approach(), default_rig(), build=True)
    assert solving.wait(600)
    return cache_folder


def test_a_file_of_states_at_a_budget(full_tables: Path, tmp_path: Path) -> None:
    """Without its budget a search would go on for minutes, on any machine."""
    states = [random_state(np.random.default_rng(seed)) for seed in range(4)]
    file = tmp_path / "states.txt"
    file.write_text("\n".join(state.to_facelets().text for state in states))
    args = ("--budget-ms", 10, "--objective", "htm", "--threads", 1)
    found = records("solve", "--states", file, *args)
    for state, told in zip(states, found, strict=True):
        assert told["facelets"] == state.to_facelets().text
        assert state.apply(MoveSequence.parse(told["moves"])) == SOLVED
        assert told["cpu_ms"] > 5
    assert np.mean([told["htm"] for told in found]) < 22


def test_the_superflip_takes_twenty(full_tables: Path) -> None:
    """And short scrambles are answered optimally."""
    superflip = ("solve", "--facelets", SUPERFLIP, "--dry-run", "--budget-ms", 1000)
    assert record(*superflip)["htm"] == 20
    for moves in ("R", "R U F2", "R L U2 D' F B2 R'"):
        told = record("solve", "--scramble", moves, "--dry-run")
        assert told["htm"] == len(MoveSequence.parse(moves))


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
    args = ("solve", "--scramble", "U R F", "--forbidden", "U", "--dry-run")
    moves = MoveSequence.parse(record(*args)["moves"])
    assert SOLVED.apply(MoveSequence.parse("U R F")).apply(moves) == SOLVED
    assert "U" not in {move.face for move in moves.moves}


def test_the_rig_gives_the_times() -> None:
    model = time_model(default_rig())
    assert model.quarter_ms == pytest.approx((40.0,) * 6, abs=0.01)
    assert model.half_ms == pytest.approx((63.0,) * 6, abs=0.01)
    assert model.gap_ms == 0.1


CORNERS = Corners(
    cut=33.0, anti_cut=28.0, cut_after_half=32.0, anti_cut_after_half=27.0, opposite=33.0
)
PAIRED = msgspec.structs.replace(CORNERS, **dict.fromkeys(PAIR_KEYS, 24.0))


@settings(max_examples=25)
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
    args = ("solve", "--facelets", state, "--dry-run", "--method", "thistlethwaite")
    greedy = record(*args)
    strict = record(*args, "--strict", "--budget-ms", 50)
    assert strict["htm"] < greedy["htm"]
    assert strict["htm"] <= 24


def test_bench_solver(full_tables: Path, tmp_path: Path) -> None:
    plot = tmp_path / "histogram.svg"
    found = records("bench", "solver", "--states", 3, "--budgets", "1,10", "--plot", plot)
    assert [each["budget_ms"] for each in found[:5]] == [0, 0, 0, 1, 10]
    measured = [each for each in found if "histogram" in each]  # not: shares of peers
    assert len(measured) >= 5
    assert all(sum(each["histogram"].values()) == 3 for each in measured)
    assert plot.read_text().startswith("<svg")


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
    assert len(notes) == 1
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
