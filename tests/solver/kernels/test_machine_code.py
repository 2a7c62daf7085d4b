"""Machine code that is kept, in processes of their own with a folder of their own."""

import os
import subprocess
from pathlib import Path

import pytest

from run_thistlebot import scripted
from solver.kernels.machine_code import unsealed

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
print((rows == rows[0]).all(), "compiled" if "numba" in sys.modules else "kept")
"""


def started(folder: Path, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    given = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return scripted(program, env=given | {"THISTLEBOT_CACHE_DIR": str(folder)})


def run(folder: Path) -> str:
    """Say whether `prepare` was compiled; it has to work."""
    done = started(folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("True ")
    return done.stdout.split()[1]


def test_a_second_process_needs_no_numba_and_damaged_code_is_compiled_again(tmp_path: Path) -> None:
    assert run(tmp_path) == "compiled"
    assert run(tmp_path) == "kept"
    (file,) = tmp_path.rglob("roots.prepare-*.code")
    assert run(file / "no folder") == "compiled"
    sound = file.read_bytes()
    flipped = bytearray(sound)
    flipped[len(flipped) // 2] ^= 1
    for damaged in (sound[: len(sound) // 2], b"", sound[:4], bytes(flipped)):
        file.write_bytes(damaged)
        with pytest.raises(OSError, match=file.name):
            unsealed(file)
    assert run(tmp_path) == "compiled"
    assert len(file.read_bytes()) == len(sound)
    assert run(tmp_path) == "kept"
    if os.name == "posix":  # what others may have put there does not run
        file.parent.chmod(0o777)
        assert run(tmp_path) == "compiled"
        assert file.parent.stat().st_mode & 0o777 == 0o700
        if os.geteuid() == 0:
            os.chown(file.parent, 65534, 65534)
            assert run(tmp_path) == "compiled"


@pytest.mark.skipif(os.name != "posix", reason="limits of address space")
def test_little_memory_is_told_before_it_is_compiled(tmp_path: Path) -> None:
    limited = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))\n"
    done = started(tmp_path, limited + PROGRAM)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("MemoryError: ")
    assert " prepare " in last
