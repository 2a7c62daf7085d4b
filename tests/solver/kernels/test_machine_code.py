"""Compiled code that is kept, in processes and folders of their own."""

import os
import shutil
from pathlib import Path

import pytest

from run_thistlebot import scripted
from solver.kernels import code_folder, packed

KERNEL = """
from solver.kernels.compiled import entry

@entry("int64(int64)")
def doubled(number):
    return 2 * number
"""
PROGRAM = """
import sys
import solver.kernels
from solver.kernels.machine_code import machine_function
solver.kernels.__path__.append(room)
print(machine_function("small", "doubled")(21), "compiled" if "numba" in sys.modules else "kept")
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("room")
    (folder / "small.py").write_text(KERNEL, encoding="utf-8")
    return folder


def run(room: Path, folder: Path) -> str:
    """Say whether `doubled` was compiled; it has to work."""
    given = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment = given | {"THISTLEBOT_CACHE_DIR": str(folder)}
    done = scripted(f"room = {str(room)!r}\n{PROGRAM}", env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("42 ")
    return done.stdout.split()[1]


def test_a_second_process_needs_no_numba_and_damaged_code_is_compiled_again(
    room: Path, tmp_path: Path
) -> None:
    assert run(room, tmp_path) == "compiled"
    (file,) = tmp_path.rglob("small.doubled-*.npz")
    assert run(room, file / "no folder") == "compiled"
    sound = file.read_bytes()
    file.write_bytes(sound[: len(sound) // 2])
    assert run(room, tmp_path) == "compiled"
    assert len(file.read_bytes()) == len(sound)
    assert run(room, tmp_path) == "kept"


@pytest.mark.skipif(os.name != "posix", reason="owners and modes of POSIX")
def test_what_others_may_have_put_into_the_folder_does_not_run(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder_of = code_folder._folder.__wrapped__  # as another process asks
    folder = folder_of(room)
    (folder / "small.code").touch()
    folder.chmod(0o777)
    assert folder_of(room) == folder
    assert (list(folder.iterdir()), folder.stat().st_mode & 0o777) == ([], 0o700)
    if os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
        assert folder_of(room) is None


ROOT = Path(__file__).resolve().parents[3]
SLOT = int(packed.hash_slot(5, 3))
SMALL_KERNELS = """
from numba import int64
from solver.kernels import packed
from solver.kernels.compiled import compiled

@compiled(int64(int64))
def placed(key):
    return packed.hash_slot(key, 3)

@compiled(int64(int64))
def doubled(number):
    return 2 * number
"""
HITS_PROGRAM = """
from solver.kernels.small import doubled, placed
print(placed(5), doubled(3), sum(f.stats.cache_hits.total() for f in (placed, doubled)))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The packages with two small kernels."""
    for package in ("cube", "solver"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    (tmp_path / "solver" / "kernels" / "small.py").write_text(SMALL_KERNELS, "utf-8")
    return tmp_path


def run_small(copy: Path, cache: Path) -> list[int]:
    """The place in the hash, twice three, and how many functions came from the cache."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")},
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": str(copy),
    }
    done = scripted(HITS_PROGRAM, cwd=copy, env=environment)
    assert done.returncode == 0, done.stderr
    return [int(number) for number in done.stdout.split()]


def folders(cache: Path) -> set[str]:
    return {path.name for path in cache.glob("kernels-*")}


def test_a_second_process_compiles_what_is_damaged_and_after_a_change_everything(
    copy: Path,
) -> None:
    """Of the folders that were there, those that were not used for longest are removed."""
    cache = copy / "cache"
    for age in range(9):
        (cache / f"kernels-{age}").mkdir(parents=True)
        os.utime(cache / f"kernels-{age}", (1e9 - age, 1e9 - age))
    assert run_small(copy, cache) == [SLOT, 6, 0]
    before = folders(cache)
    assert len(before) == 8
    assert {f"kernels-{age}" for age in range(7)} < before
    for name, kind in (("placed", "nbc"), ("doubled", "nbi")):  # the code of one, the other's index
        (file,) = cache.rglob(f"*{name}*.{kind}")
        content = file.read_bytes()
        file.write_bytes(bytes(len(content)) if kind == "nbi" else content[: len(content) // 2])
    assert run_small(copy, cache) == [SLOT, 6, 0]
    assert run_small(copy, cache) == [SLOT, 6, 2]
    assert folders(cache) == before
    helpers = copy / "solver" / "kernels" / "packed.py"
    text = helpers.read_text(encoding="utf-8")
    helpers.write_text(text.replace("HASH_FACTOR = 0x9E3779B1", "HASH_FACTOR = 0x1"), "utf-8")
    assert run_small(copy, cache) == [0, 6, 0], "what was inlined is stale"
    assert folders(cache) - before
