"""The cache of compiled code, in processes of their own with a copy of the packages."""

import os
import shutil
from pathlib import Path

import pytest

from run_thistlebot import scripted
from solver.kernels import packed

ROOT = Path(__file__).resolve().parents[3]
SLOT = int(packed.hash_slot(5, 3))
PROGRAM = """
import sys
import numpy as np
from solver.kernels.building.fill import fill_pair_hash, pack_nibbles
keys, values = np.zeros(8, np.uint32), np.zeros(8, np.uint8)
fill_pair_hash(np.array([5]), np.full(6, 7, np.uint8), keys, values, 3)
hits = sum(f.stats.cache_hits.total() for f in (fill_pair_hash, pack_nibbles))
print(int(np.flatnonzero(keys)[0]), int(values.max()), hits)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages, and in ``filled`` what a process has compiled of them."""
    folder = tmp_path_factory.mktemp("copy")
    for package in ("cube", "solver"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, folder / package, ignore=ignored)
    for age in range(9):  # folders that were not used for long
        (folder / "filled" / f"kernels-{age}").mkdir(parents=True)
        os.utime(folder / "filled" / f"kernels-{age}", (1e9 - age, 1e9 - age))
    assert run(folder, folder / "filled") == [SLOT, 7, 0]
    return folder


@pytest.fixture
def cache(copy: Path, tmp_path: Path) -> Path:
    """A cache of that code, the test's own."""
    return shutil.copytree(copy / "filled", tmp_path / "cache")


def run(copy: Path, cache: Path) -> list[int]:
    """The place in the hash, the value there, and how many functions came from the cache."""
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


def test_a_second_process_compiles_nothing_and_a_changed_helper_everything(
    copy: Path, cache: Path
) -> None:
    """Of the folders that were there, those that were not used for longest were removed."""
    before = folders(cache)
    assert len(before) == 8
    assert {f"kernels-{age}" for age in range(7)} < before
    assert run(copy, cache) == [SLOT, 7, 2]
    assert folders(cache) == before
    helpers = copy / "solver" / "kernels" / "packed.py"
    text = helpers.read_text(encoding="utf-8")
    try:
        helpers.write_text(text.replace("HASH_FACTOR = 0x9E3779B1", "HASH_FACTOR = 0x1"), "utf-8")
        assert run(copy, cache) == [0, 7, 0], "what was inlined into fill_pair_hash is stale"
    finally:
        helpers.write_text(text, "utf-8")
    assert folders(cache) - before


def test_damaged_code_is_compiled_again(copy: Path, cache: Path) -> None:
    """The code of one function, and the index of the other."""
    for name, kind in (("fill_pair_hash", "nbc"), ("pack_nibbles", "nbi")):
        (file,) = cache.rglob(f"*{name}*.{kind}")
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    assert run(copy, cache) == [SLOT, 7, 0]
    assert run(copy, cache) == [SLOT, 7, 2]
