"""The cache of compiled code, in processes of their own with a copy of the packages."""

import os
import shutil
from pathlib import Path

import pytest

from run_thistlebot import scripted
from solver.kernels import packed

ROOT = Path(__file__).resolve().parents[3]
SLOT = int(packed.hash_slot(5, 3))
KERNELS = """
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
PROGRAM = """
from solver.kernels.small import doubled, placed
print(placed(5), doubled(3), sum(f.stats.cache_hits.total() for f in (placed, doubled)))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The packages with two small kernels."""
    for package in ("cube", "solver"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    (tmp_path / "solver" / "kernels" / "small.py").write_text(KERNELS, "utf-8")
    return tmp_path


def run(copy: Path, cache: Path) -> list[int]:
    """The place in the hash, twice three, and how many functions came from the cache."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")},
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": str(copy),
    }
    done = scripted(PROGRAM, cwd=copy, env=environment)
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
    assert run(copy, cache) == [SLOT, 6, 0]
    before = folders(cache)
    assert len(before) == 8
    assert {f"kernels-{age}" for age in range(7)} < before
    for name, kind in (("placed", "nbc"), ("doubled", "nbi")):  # the code of one, the other's index
        (file,) = cache.rglob(f"*{name}*.{kind}")
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    assert run(copy, cache) == [SLOT, 6, 0]
    assert run(copy, cache) == [SLOT, 6, 2]
    assert folders(cache) == before
    helpers = copy / "solver" / "kernels" / "packed.py"
    text = helpers.read_text(encoding="utf-8")
    helpers.write_text(text.replace("HASH_FACTOR = 0x9E3779B1", "HASH_FACTOR = 0x1"), "utf-8")
    assert run(copy, cache) == [0, 6, 0], "what was inlined is stale"
    assert folders(cache) - before
