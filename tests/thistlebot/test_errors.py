"""What the computer refuses is told in one message, with code 5."""

import resource
import subprocess
import sys

import pytest

from run_thistlebot import thistlebot
from thistlebot.errors import ComputerError
from thistlebot.exit_codes import ExitCode, exit_code_of

STATE = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied", "/a/b"), "/a/b: Permission denied"),
        (MemoryError(), "not enough memory"),
        (RuntimeError("can't start new thread"), "not enough memory"),
        (ImportError("libx.so: failed to map segment from shared object"), "not enough memory"),
        (ImportError("No module named 'numba'"), "install thistlebot again"),
    ],
)
def test_what_was_refused_is_said(error: OSError, said: str) -> None:
    told = ComputerError.of(error)
    assert said in str(told)
    assert exit_code_of(told) is ExitCode.NO_DEVICE


def test_a_bug_of_ours_stays_one() -> None:
    with pytest.raises(RuntimeError, match="ours"):
        ComputerError.of(RuntimeError("ours"))


@pytest.mark.parametrize("megabytes", [300, 600, 800, 1024])
def test_little_memory_ends_in_an_answer_or_one_message(megabytes: int) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    verb = ["solve", "--facelets", STATE, "--dry-run", "--budget-ms", "5", "--json"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "thistlebot", *verb],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in {0, 5}, done.stderr
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert "memory" in done.stderr


def test_a_folder_instead_of_a_file(tmp_path) -> None:
    result = thistlebot("solve", "--states", tmp_path, "--dry-run")
    assert result.exit_code == 5
    assert "Is a directory" in result.output
