"""What the user's wishes come to: how much memory the tables may take."""

from pathlib import Path

import numpy as np
import pytest

from cube.random_states import random_state
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig, named_rig
from solver.errors import SolverError
from solver.goal import Goal
from solver.search.loading import load_tables, search_for, tables_stored
from solver.search.metrics import LEAN, METRICS
from solver.search.objectives import Objective
from solver.tables import TableStore
from thistlebot.errors import UsageError
from thistlebot.solving.approach import FULL_MB, LEAN_MB, OTHERS_MB, Approach, Method
from thistlebot.solving.solver import Solving


def test_the_tables_take_what_is_told(cache_folder: Path) -> None:
    """As they lie on the disk; those of turns count with every objective."""
    store = TableStore(cache_folder / "tables")
    for objective, most_mb in (
        (Objective(lean=True), LEAN_MB),
        (Objective(), FULL_MB),
        (Objective("axial-qtm"), OTHERS_MB),
    ):
        tables = load_tables(store, objective=objective)
        paths = {source.path for engine in tables.engines.values() for source in engine.sources}
        taken_mb = sum(path.stat().st_size for path in paths if path is not None) / 1e6
        assert most_mb * 0.85 < taken_mb < most_mb * 1.01


def test_the_lean_tables_answer_as_the_others_do(cache_folder: Path) -> None:
    """With a few milliseconds they lose a tenth of a turn or so, and no answer is wrong."""
    solving = Solving(cache_folder, Approach(budget_ms=30, memory_mb=60), default_rig(), build=True)
    assert solving.wait(120)
    assert list(solving.tables().engines) == [LEAN.tables.name]
    rng = np.random.default_rng(4)
    lengths = []
    for state in (random_state(rng) for _ in range(8)):
        found = solving(state)
        assert state.apply(found.moves) == SOLVED
        lengths.append(len(found.moves))
    assert np.mean(lengths) < 20
    near = SOLVED.apply(found.moves[:6])
    assert solving(near).proven_optimal


def test_with_little_memory_a_rig_counts_turns() -> None:
    assert Approach(rig_turns=True).default_goal == Goal.TIME
    assert Approach(rig_turns=True, memory_mb=OTHERS_MB).default_goal == Goal.TIME
    assert Approach(rig_turns=True, memory_mb=FULL_MB).default_goal == Goal.HTM
    assert [Approach(memory_mb=size).lean for size in (LEAN_MB, FULL_MB - 1, FULL_MB)] == [1, 1, 0]


def test_a_machine_that_handles_the_cube_plans_what_the_lean_tables_find(
    cache_folder: Path,
) -> None:
    approach = Approach(budget_ms=50, rig_turns=True, memory_mb=LEAN_MB)
    solving = Solving(cache_folder, approach, named_rig("cubotino"), build=True)
    assert solving.wait(120)
    state = random_state(np.random.default_rng(4))
    found = solving(state)
    assert state.apply(found.moves) == SOLVED
    assert found.objective == Goal.TIME


@pytest.mark.parametrize(("goal", "forbidden"), [(None, ""), (Goal.AXIAL, ""), (None, "D")])
def test_too_little_memory_is_refused(goal: Goal | None, forbidden: str) -> None:
    with pytest.raises(UsageError, match="59MB"):
        Approach(goal=goal, forbidden=forbidden, memory_mb=59)


def test_the_four_stages_need_none() -> None:
    assert Approach(Method.THISTLETHWAITE, memory_mb=5).memory_mb == 5


def test_only_turns_have_lean_tables(tmp_path: Path) -> None:
    assert search_for(Objective(), "") is METRICS["htm"].six
    assert not tables_stored(TableStore(tmp_path), Objective(lean=True))
    for objective, forbidden in ((Objective("axial", lean=True), ""), (Objective(lean=True), "D")):
        with pytest.raises(SolverError):
            search_for(objective, forbidden)
