"""The cache of compiled code, in processes of their own with a copy of the packages."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from solver.kernels import packed

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import sys
import numpy as np
from solver.kernels.building.fill import fill_pair_hash, pack_nibbles
keys, values = np.zeros(8, np.uint32), np.zeros(8, np.uint8)
fill_pair_hash(np.array([5]), np.full(6, 7, np.uint8), keys, values, 3)
hits = sum(f.stats.cache_hits.total() for f in (fill_pair_hash, pack_nibbles))
print(int(np.flatnonzero(keys)[0]), int(values.max()), hits)
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in ("cube", "solver"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path


def run(copy: Path, cache: Path, *before: str) -> list[int]:
    """The place in the hash, the value there, and how many functions came from the cache."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")},
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": str(copy),
    }
    done = subprocess.run(
        [*before, sys.executable, "-c", PROGRAM],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [int(number) for number in done.stdout.split()]


def folders(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.glob("kernels-*"))


def test_a_second_process_compiles_nothing_and_a_changed_helper_everything(copy: Path) -> None:
    cache, helpers = copy / "cache", copy / "solver" / "kernels" / "packed.py"
    slot = int(packed.hash_slot(5, 3))
    assert run(copy, cache) == [slot, 7, 0]
    first = folders(cache)
    assert run(copy, cache) == [slot, 7, 2]
    assert folders(cache) == first
    text = helpers.read_text(encoding="utf-8")
    helpers.write_text(text.replace("HASH_FACTOR = 0x9E3779B1", "HASH_FACTOR = 0x1"), "utf-8")
    assert run(copy, cache) == [0, 7, 0], "what was inlined into fill_pair_hash is stale"
    assert len(folders(cache)) == 2


@pytest.mark.parametrize(("kind", "damage"), [("nbi", "cut"), ("nbc", "flipped"), ("nbc", "empty")])
def test_damaged_code_is_compiled_anew(copy: Path, kind: str, damage: str) -> None:
    cache = copy / "cache"
    first = run(copy, cache)
    for file in cache.rglob(f"*.{kind}"):
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes({"cut": content[: len(content) // 2], "empty": b""}.get(damage, content))
    assert run(copy, cache) == first
    assert run(copy, cache) == [*first[:2], 2]


def test_folders_that_were_not_used_for_longest_are_removed(copy: Path) -> None:
    cache = copy / "cache"
    for age in range(6):
        (cache / f"kernels-{age}").mkdir(parents=True)
        os.utime(cache / f"kernels-{age}", (1e9 - age, 1e9 - age))
    run(copy, cache)
    assert len(folders(cache)) == 4
    assert {"kernels-0", "kernels-1", "kernels-2"} < set(folders(cache))


def test_a_cache_that_cannot_be_written_costs_time_only(copy: Path) -> None:
    blocker = copy / "file"
    blocker.write_text("not a folder")
    for _ in range(2):
        assert run(copy, blocker / "cache")[1:] == [7, 0]


@pytest.mark.skipif(os.name != "posix", reason="permission bits")
def test_a_cache_that_may_only_be_read_is_read(copy: Path) -> None:
    before = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may write everywhere, and setpriv is not there to change that")
        before = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    cache = copy / "cache"
    first = run(copy, cache)
    locked = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    for folder in locked:
        folder.chmod(0o555)
    assert run(copy, cache, *before) == [*first[:2], 2]
    for folder in locked:
        folder.chmod(0o755)
