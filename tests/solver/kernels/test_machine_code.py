"""Machine code that is kept, in processes of their own with a folder of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solver.kernels.machine_code import machine_function

PROGRAM = """
import sys
import numpy as np
from solver.kernels import slots
from solver.kernels.machine_code import machine_function
prepare = machine_function("roots", "prepare")
rows, root = np.zeros((6, 40), np.uint8), np.zeros(40, np.uint8)
rows[0] = [*range(8), *8 * [0], *range(12), *12 * [0]]
rows[0, :2] = 1, 0
turn = np.array([*range(8), *8 * [0], *range(12), *12 * [0]], np.uint8)
turns = np.tile(turn, 6)
context = np.zeros(slots.CONTEXT_SIZE, np.int64)
for slot, array in {slots.ROWS: rows, slots.ROOT: root, slots.ROTATIONS: turns}.items():
    context[slot] = array.ctypes.data
prepare(context.ctypes.data)
print((rows == rows[0]).all(), "numba" in sys.modules)
"""


def run(folder: Path) -> list[str]:
    """Whether `prepare` works, and whether it was compiled."""
    given = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=given | {"THISTLEBOT_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_second_process_needs_no_numba(tmp_path: Path) -> None:
    assert run(tmp_path) == ["True", "True"]
    assert run(tmp_path) == ["True", "False"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_damaged_code_is_compiled_anew(tmp_path: Path, damage: str) -> None:
    run(tmp_path)
    (file,) = tmp_path.rglob("roots.prepare-*.code")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes({"cut": content[: len(content) // 2], "empty": b""}.get(damage, content))
    assert run(tmp_path) == ["True", "True"]
    assert run(tmp_path) == ["True", "False"]


def test_code_for_another_processor_is_not_used(tmp_path: Path) -> None:
    run(tmp_path)
    (file,) = tmp_path.rglob("roots.prepare-*.code")
    file.rename(file.with_name("roots.prepare-000000000000.code"))
    assert run(tmp_path) == ["True", "True"]


def test_where_no_folder_can_be_made_it_is_compiled_each_time(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    for _ in range(2):
        assert run(blocker / "cache") == ["True", "True"]


@pytest.mark.skipif(os.name != "posix", reason="limits of address space")
def test_little_memory_is_told_before_it_is_compiled(tmp_path: Path) -> None:
    limited = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))\n"
    given = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", limited + PROGRAM],
        env=given | {"THISTLEBOT_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "MemoryError: compiling prepare needs more memory" in done.stderr


def test_a_function_is_loaded_once() -> None:
    assert machine_function("roots", "prepare") is machine_function("roots", "prepare")
