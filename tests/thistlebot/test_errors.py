"""Errors in one message, their exit codes, and what is said where a library is missing."""

import json
import resource
import sys

import pytest
from cubes import SUPERFLIP

from run_thistlebot import finished, thistlebot
from thistlebot.errors import ComputerError
from thistlebot.exit_codes import ExitCode, exit_code_of


def test_what_was_refused_is_said_and_a_bug_of_ours_stays_one() -> None:
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
    with pytest.raises(RuntimeError, match="ours"):
        ComputerError.of(RuntimeError("ours"))


@pytest.mark.parametrize("megabytes", [300, pytest.param(800, marks=pytest.mark.exhaustive)])
def test_little_memory_ends_in_an_answer_or_one_message(megabytes: int) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    verb = ("solve", "--facelets", SUPERFLIP, "--dry-run", "--budget-ms", 5, "--json")
    done = finished(*verb, preexec_fn=limit)
    assert done.returncode in {0, 5}, done.stderr
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert "memory" in done.stderr


def test_a_cluster_without_dask_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = thistlebot("school", "compare", "--scramble", "R", "--dask", "tcp://nowhere:1")
    assert done.exit_code == 5
    said = " ".join(done.stderr.split())
    assert "--dask" in said
    assert "thistlebot[cluster]" in said


@pytest.mark.parametrize("proven", [True, False])
def test_a_puzzle_is_proven_with_sympy_and_most_do_not_miss_it(
    proven: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not proven:
        monkeypatch.setitem(sys.modules, "sympy", None)
    plain = thistlebot("school", "puzzle", "RU")
    assert plain.exit_code == 0
    assert ("sympy" in plain.stderr) is not proven
    assert ("2^-60" in plain.stdout) is not proven
    record = json.loads(thistlebot("school", "puzzle", "RU", "--json").stdout)
    assert (record["proven"], record["states_per_orbit"]) == (proven, "73483200")
    plain = thistlebot("school", "puzzle", "3x3x3")
    assert "sympy" not in plain.stderr
    assert "2^-60" not in plain.stdout
