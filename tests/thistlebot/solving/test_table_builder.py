"""What keeps tables from being built for later, and that somebody who lacks them is told."""

import os
from pathlib import Path

import pytest

from run_thistlebot import finished
from solver.search.objectives import HTM
from solver.search.tables.single import TWO_PHASE_TABLE_SET
from solver.tables import TableStore
from thistlebot.solving import table_builder
from thistlebot.solving.table_builder import build_later, hindrance

ALLOWED = os.environ | {"THISTLEBOT_BACKGROUND": "1"}


def in_the_way(cache: Path, kind: str) -> Path:
    """Put something where tables would be kept."""
    path = TableStore(cache / "tables").path(TWO_PHASE_TABLE_SET)
    if kind == "no folder of tables":
        path = cache / "tables"
        path.write_text("of another program")
    else:
        path.mkdir(parents=True)
    return path


def test_nothing_hinders_in_a_new_folder(tmp_path: Path) -> None:
    assert hindrance(tmp_path / "new", HTM) == ""
    assert not (tmp_path / "new").exists()


def test_a_full_disk_hinders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_builder, "ROOM_BYTES", 1 << 60)
    assert "free some space" in hindrance(tmp_path, HTM)
    assert not build_later(tmp_path, HTM, "", ALLOWED)


@pytest.mark.parametrize("kind", ["no folder of tables", "a folder in place of a table"])
def test_what_is_in_the_way_is_named_and_nothing_is_built_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = in_the_way(tmp_path, kind)
    assert str(path) in hindrance(tmp_path, HTM)
    assert not build_later(tmp_path, HTM, "", ALLOWED)
    monkeypatch.setenv("THISTLEBOT_BACKGROUND", "1")
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    solve = finished("solve", "--scramble", "R U", "--dry-run")
    assert solve.returncode == 0
    told = " ".join(solve.stderr.split())
    assert "no tables for shorter answers are built" in told
    assert "being built" not in told
    build = finished("tables", "build")
    assert build.returncode == 5
    assert str(path) in "".join(build.stderr.split())
    assert path.exists()
