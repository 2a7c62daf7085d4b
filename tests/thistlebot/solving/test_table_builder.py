"""What keeps tables from being built for later, and that somebody who lacks them is told."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import Result

from robot.rigs.catalogue import default_rig
from run_thistlebot import scripted, start, thistlebot
from solver.search.objectives import HTM
from solver.search.tables.single import TWO_PHASE_TABLE_SET
from solver.tables import TableStore
from thistlebot.exit_codes import ExitCode
from thistlebot.solving import table_builder
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
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
    assert hindrance(tmp_path, HTM)
    assert not build_later(tmp_path, HTM, "", ALLOWED)


def asked(*words: object) -> Result:
    return thistlebot("solve", "--scramble", "R U", "--dry-run", *words)


@pytest.mark.parametrize("kind", ["no folder of tables", "a folder in place of a table"])
def test_what_is_in_the_way_is_named_and_nothing_is_built_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = in_the_way(tmp_path, kind)
    assert str(path) in hindrance(tmp_path, HTM)
    assert not build_later(tmp_path, HTM, "", ALLOWED)
    monkeypatch.setenv("THISTLEBOT_BACKGROUND", "1")
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    solve = asked()
    assert solve.exit_code == 0
    assert str(path) in solve.stderr.replace("\n", "")
    assert not list(tmp_path.glob("building-*"))
    build = thistlebot("tables", "build")
    assert build.exit_code == ExitCode.NO_DEVICE
    assert str(path) in build.stderr.replace("\n", "")
    assert path.exists()


def test_a_marker_from_the_future_blocks_no_building(tmp_path: Path) -> None:
    marker = tmp_path / "building-htm"
    marker.write_text("1")
    os.utime(marker, (time.time() + 1e6,) * 2)
    assert build_later(tmp_path, HTM, "", ALLOWED)
    builder = int(marker.read_text())
    assert builder > 1
    os.kill(builder, signal.SIGTERM)


def test_a_script_has_tables_built_behind_its_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process builds them, however many ask, and outlives the first.

    It takes no code from the folder that the first is started in.
    """
    (tmp_path / "typer.py").write_text("open('planted-code-ran', 'w')")  # as a library of ours
    monkeypatch.delenv("THISTLEBOT_BACKGROUND")
    cache = tmp_path / "cache"
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(cache))
    words = [sys.executable, "-P", "-m", "thistlebot", "solve", "--scramble", "R U", "--dry-run"]
    subprocess.run(words, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    builder = int((cache / "building-htm").read_text())
    assert "U' R'" in asked().stdout
    assert int((cache / "building-htm").read_text()) == builder
    while not list((cache / "tables").glob("turns*.tables")):  # it runs, and is through its imports
        os.kill(builder, 0)
        time.sleep(0.02)
    os.kill(builder, signal.SIGTERM)
    assert not (tmp_path / "planted-code-ran").exists()


def test_a_full_disk_costs_only_time(tmp_path: Path) -> None:
    """A file system that takes no more bytes: the answer still comes, and a note says why."""
    done = scripted(
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000));"
        "from thistlebot.__main__ import main;"
        "sys.argv = ['thistlebot', 'solve', '--scramble', 'R U', '--dry-run']; main()",
        env=os.environ | {"THISTLEBOT_CACHE_DIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert "U' R'" in done.stdout
    assert done.stderr
    assert not list(tmp_path.rglob("*.tables"))


def test_a_killed_build_leaves_nothing_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    building = start("tables", "build")
    while building.poll() is None and not list((tmp_path / "tables").glob("*.tables")):
        time.sleep(0.01)  # the first file is there, the long work has begun
    assert building.poll() is None
    building.kill()
    building.communicate()
    result = asked()
    assert result.exit_code == 0, result.stderr
    assert "U' R'" in result.stdout


def test_a_script_does_not_wait_for_damaged_tables(
    cache_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer comes from the small tables; the file is for a process of its own to build."""
    solving = Solving(cache_folder, Approach(), default_rig(), build=True)
    assert solving.wait(600)
    (tmp_path / "tables").mkdir()
    damaged = TableStore(tmp_path / "tables").path(TWO_PHASE_TABLE_SET)
    for file in (cache_folder / "tables").glob("*.tables"):
        if file.name != damaged.name:
            (tmp_path / "tables" / file.name).symlink_to(file)
    content = bytearray((cache_folder / "tables" / damaged.name).read_bytes())
    content[-1000] ^= 1
    damaged.write_bytes(content)
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))
    assert "U' R'" in asked().stdout
    assert damaged.read_bytes() == content
