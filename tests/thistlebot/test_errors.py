"""What the computer refuses is told in one message, with code 5."""

import resource
import subprocess
import sys

import pytest

from thistlebot.errors import ComputerError
from thistlebot.exit_codes import ExitCode, exit_code_of

STATE = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"


def test_what_was_refused_is_said() -> None:
    denied, memory, thread, mapping, missing = map(
        ComputerError.of,
        (
            PermissionError(13, "Permission denied", "/a/b"),
            MemoryError(),
            RuntimeError("can't start new thread"),
            ImportError("libx.so: failed to map segment from shared object"),
            ImportError("No module named 'numba'"),
        ),
    )
    assert "/a/b: Permission denied" in str(denied)
    assert str(memory) == str(thread) == str(mapping) != str(missing)
    assert {exit_code_of(each) for each in (denied, memory, missing)} == {ExitCode.NO_DEVICE}


def test_a_bug_of_ours_stays_one() -> None:
    with pytest.raises(RuntimeError, match="ours"):
        ComputerError.of(RuntimeError("ours"))


@pytest.mark.parametrize("megabytes", [300, 800])
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
