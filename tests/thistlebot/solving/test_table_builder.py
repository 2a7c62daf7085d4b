"""What keeps tables from being built for later, and that somebody who lacks them is told."""

import os
from pathlib import Path

import pytest

from run_thistlebot import thistlebot
from solver.search.objectives import HTM
from solver.search.tables.single import TWO_PHASE_TABLE_SET
from solver.tables import TableStore
from thistlebot.exit_codes import ExitCode
from thistlebot.solving import table_builder
from thistlebot.solving.table_builder import build_later, hindrance

ALLOWED = os.environ | {"THISTLEBOT_BACKGROUND": "1"}


def test_a_full_disk_hinders_and_a_new_folder_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hindrance(tmp_path / "new", HTM) == ""
    assert not (tmp_path / "new").exists()
    monkeypatch.setattr(table_builder, "ROOM_BYTES", 1 << 60)
    assert str(tmp_path) in hindrance(tmp_path, HTM)
    assert not build_later(tmp_path, HTM, "", ALLOWED)


def test_what_is_in_the_way_is_named_and_nothing_is_built_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, folder = tmp_path / "a file", tmp_path / "a folder"
    table = TableStore(folder / "tables").path(TWO_PHASE_TABLE_SET)
    table.mkdir(parents=True)
    file.mkdir()
    (file / "tables").write_text("of another program")
    monkeypatch.setenv("THISTLEBOT_BACKGROUND", "1")
    for cache, path in ((file, file / "tables"), (folder, table)):
        assert str(path) in hindrance(cache, HTM)
        assert not build_later(cache, HTM, "", ALLOWED)
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
