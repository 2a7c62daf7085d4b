"""What the user's wishes come to: memory, tables built later, the quickest way, scrambles."""

import os
from pathlib import Path

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState, move_states
from robot.rigs.catalogue import default_rig, named_rig
from run_thistlebot import thistlebot
from solver.errors import SolverError
from solver.goal import Goal
from solver.search.anytime import candidates, solve
from solver.search.metrics import LEAN, METRICS
from solver.search.objectives import (
    HTM,
    QUICKEST,
    Objective,
    load_tables,
    search_for,
    tables_stored,
)
from solver.search.tables.single import TWO_PHASE_TABLE_SET
from solver.search.tables.symmetry_coordinates import TURN_TABLE_SET
from solver.stages.solution import Solution
from solver.tables import TableStore
from thistlebot.config import megabytes
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.run_row import journal_size
from thistlebot.solving import table_builder
from thistlebot.solving.approach import FULL_MB, LEAN_MB, OTHERS_MB, Approach, Method
from thistlebot.solving.solver import Solving, quickest, random_scramble
from thistlebot.solving.table_builder import build_later, end_build, hindrance


@pytest.fixture(scope="module")
def store(cache_folder: Path) -> TableStore:
    """Tables with the lean ones among them."""
    store = TableStore(cache_folder / "tables")
    load_tables(store, objective=Objective(lean=True))
    return store


def test_the_tables_take_what_is_told(store: TableStore) -> None:
    """As they lie on the disk; those of turns count with every objective."""
    axial = search_for(Objective("axial"), "").tables
    for sets, most_mb in (
        ([LEAN.tables], LEAN_MB),
        ([QUICKEST.tables], FULL_MB),
        ([QUICKEST.tables, axial], OTHERS_MB),
    ):
        taken_mb = sum(store.path(each).stat().st_size for each in (*sets, TURN_TABLE_SET)) / 1e6
        assert most_mb * 0.85 < taken_mb < most_mb * 1.01


def test_the_lean_tables_answer_as_the_others_do(store: TableStore) -> None:
    approach = Approach(budget_ms=60_000, memory_mb=60)
    solving = Solving(store.folder.parent, approach, default_rig(), build=True)
    assert solving.wait(600)
    assert list(solving.tables().engines) == [LEAN.tables.name]
    near = SOLVED.apply(MoveSequence.parse("R U2 F' L D B2"))
    found = solving(near)
    assert near.apply(found.moves) == SOLVED
    assert found.proven_optimal
    assert len(found.moves) == 6


def test_with_little_memory_a_rig_counts_turns_and_too_little_is_refused(tmp_path: Path) -> None:
    assert Approach(rig_turns=True).default_goal == Goal.TIME
    assert Approach(rig_turns=True, memory_mb=OTHERS_MB).default_goal == Goal.TIME
    assert Approach(rig_turns=True, memory_mb=FULL_MB).default_goal == Goal.HTM
    assert [Approach(memory_mb=size).lean for size in (LEAN_MB, FULL_MB - 1, FULL_MB)] == [1, 1, 0]
    for goal, forbidden in ((None, ""), (Goal.AXIAL, ""), (None, "D")):
        with pytest.raises(UsageError, match="--memory 59MB"):
            Approach(goal=goal, forbidden=forbidden, memory_mb=59)
    assert Approach(Method.THISTLETHWAITE, memory_mb=5).memory_mb == 5  # four stages need none
    assert search_for(Objective(), "") is METRICS["htm"].six
    assert not tables_stored(TableStore(tmp_path), Objective(lean=True))
    for objective, forbidden in ((Objective("axial", lean=True), ""), (Objective(lean=True), "D")):
        with pytest.raises(SolverError):  # only turns have lean tables
            search_for(objective, forbidden)


STATE = SOLVED.apply(MoveSequence.parse("R U F2 D' L B2 R' U2"))
CUBOTINO = named_rig("cubotino")


def test_the_quickest_of_many_solutions_is_taken(cache_folder: Path) -> None:
    tables = load_tables(TableStore(cache_folder / "tables"), full=False)
    found = quickest(STATE, tables, CUBOTINO, 60_000.0)

    def search(state: CubeState, budget_ms: float) -> MoveSequence:
        return solve(state, tables=tables, budget_ms=budget_ms).moves

    every = [CUBOTINO.plan(moves).time_s for moves in candidates(STATE, search)]
    assert STATE.apply(found.moves) == SOLVED
    assert found.objective == "time"
    assert found.value == pytest.approx(1000 * CUBOTINO.plan(found.moves).time_s)
    assert found.value == pytest.approx(1000 * min(every))
    assert min(every) < every[0]  # so it was worth looking
    at_once = quickest(STATE, tables, CUBOTINO, 1e-6)  # without time the first one has to do
    assert at_once.moves == solve(STATE, tables=tables, budget_ms=1e-6).moves


def test_a_machine_that_handles_the_cube_is_asked_for_its_time(cache_folder: Path) -> None:
    """Also with the lean tables, and when nobody names what is to be minimised."""
    short = Solving(cache_folder, Approach(goal=Goal.HTM), CUBOTINO)(STATE)
    for approach in (
        Approach(goal=Goal.TIME, budget_ms=2000.0),
        Approach(rig_turns=True, budget_ms=2000.0, memory_mb=LEAN_MB),
    ):
        solving = Solving(cache_folder, approach, CUBOTINO, build=True)
        assert solving.wait(600)
        found = solving(STATE)
        assert STATE.apply(found.moves) == SOLVED
        assert found.objective == "time"
        assert CUBOTINO.plan(found.moves).time_s <= CUBOTINO.plan(short.moves).time_s
    assert Solving(cache_folder, Approach(goal=Goal.TIME), named_rig("six")).objective.timed


def test_no_scramble_is_less_than_two_turns_from_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for such a draw: the first ones are made to be."""
    near = iter([SOLVED, *move_states()])
    drawn: list[CubeState] = []

    def draw(rng: np.random.Generator) -> CubeState:
        drawn.append(next(near, None) or random_state(rng))
        return drawn[-1]

    monkeypatch.setattr("thistlebot.solving.solver.random_state", draw)
    solved: list[CubeState] = []

    def solve(state: CubeState) -> Solution:
        solved.append(state)
        return Solution(state, MoveSequence())

    random_scramble(solve, np.random.default_rng(1))
    assert solved == drawn[-1:]
    assert len(drawn) == 20


def test_what_is_in_the_way_is_named_and_nothing_is_built_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file, a folder or a full disk; a folder that there is not yet hinders nothing."""
    allowed = os.environ | {"THISTLEBOT_BACKGROUND": "1"}
    file, folder = tmp_path / "a file", tmp_path / "a folder"
    table = TableStore(folder / "tables").path(TWO_PHASE_TABLE_SET)
    table.mkdir(parents=True)
    file.mkdir()
    (file / "tables").write_text("of another program")
    monkeypatch.setenv("THISTLEBOT_BACKGROUND", "1")
    for cache, path in ((file, file / "tables"), (folder, table)):
        assert str(path) in hindrance(cache, HTM)
        assert not build_later(cache, HTM, "", allowed)
        monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(cache))
        named = "".join(str(path).split())
        for verb, code in (
            (("solve", "--scramble", "R U", "--dry-run"), ExitCode.DONE),
            (("tables", "build"), ExitCode.NO_DEVICE),
        ):
            result = thistlebot(*verb)
            assert result.exit_code == code
            assert named in "".join(result.stderr.split())
        assert not list(cache.glob("building*"))
        assert path.exists()
    assert hindrance(tmp_path / "new", HTM) == ""
    assert not (tmp_path / "new").exists()
    monkeypatch.setattr(table_builder, "ROOM_BYTES", 1 << 60)
    assert str(tmp_path) in hindrance(tmp_path, HTM)
    assert not build_later(tmp_path, HTM, "", allowed)


def test_a_process_that_has_built_tables_removes_its_own_marker(tmp_path: Path) -> None:
    (tmp_path / "building-htm").write_text(str(os.getpid()))
    (tmp_path / "building-axial").write_text("1")
    end_build(tmp_path)
    assert not (tmp_path / "building-htm").exists()
    assert (tmp_path / "building-axial").exists()


def test_sizes_are_told_in_megabytes_or_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 60, 10**6):
        assert {megabytes(f"{number}{unit}") for unit in ("", "MB", " mb", "M")} == {number}
        assert megabytes(f"{number / 8}GB") == pytest.approx(125 * number)
    for text in ("", "MB", "0MB", "-60MB", "60KB", "sixty", "60 MB of it", "1e3"):
        with pytest.raises(UsageError):
            megabytes(text)
    monkeypatch.setenv("THISTLEBOT_JOURNAL_SIZE", "900")  # as of --memory 900
    assert journal_size() == 900_000_000
