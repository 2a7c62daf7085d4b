"""`solve --method optimal`: proven answers, and what it says without a table."""

from pathlib import Path

import pytest
from cubes import cube_after

from cube.moves import MoveSequence
from cube.state import SOLVED
from run_thistlebot import record, thistlebot, told
from solver.search.tables.cosets import COSET_TABLE_SET
from solver.search.tables.pruning import SIZES, PruningTable
from solver.tables import TableStore
from thistlebot.exit_codes import ExitCode


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for size_mb in tuple(SIZES):
        monkeypatch.setitem(SIZES, size_mb, PruningTable(0, 6))


@pytest.mark.usefixtures("small")
def test_the_answer_is_proven_and_every_shortest_one_listed() -> None:
    scramble = "R2 L2 U2 D2 F"
    found = record("solve", "--method", "all-optimal", "--dry-run", "--scramble", scramble)
    assert (found["htm"], found["proven"]) == (5, True)
    assert found["moves"] in found["all"]
    state = cube_after(scramble)
    assert all(state.apply(MoveSequence.parse(moves)) == SOLVED for moves in found["all"])
    shown = thistlebot("solve", "--method", "optimal", "--dry-run", "--scramble", scramble).output
    assert "\nproven " in shown


def test_its_table_is_missed_built_on_request_listed_and_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, store: TableStore
) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    error = told(
        thistlebot("solve", "--method", "optimal", "--dry-run", "--scramble", "R", "--json")
    )
    assert error.exit_code == ExitCode.NO_DEVICE
    assert "tables build --optimal" in error.text
    cosets = store.path(COSET_TABLE_SET)
    (tmp_path / "tables").mkdir(exist_ok=True)
    (tmp_path / "tables" / cosets.name).symlink_to(cosets)
    monkeypatch.setitem(SIZES, 128.0, PruningTable(0, 3, prefix=2))
    built = record("tables", "build", "--optimal", "--memory", "128MB")
    assert (built["name"], built["problem"]) == ("optimal-0-3", "")
    assert record("tables", "build", "--optimal", "--memory", "128MB") == built
    assert thistlebot("tables", "remove", "optimal-0-3").exit_code == ExitCode.DONE
