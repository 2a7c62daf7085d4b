"""Without the libraries that only some people need: what is said, and what still works."""

import json
import sys
from pathlib import Path

import pytest

from run_thistlebot import thistlebot
from thistlebot.extras import install_command


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """Hide a library."""
    monkeypatch.setitem(sys.modules, request.param, None)
    return request.param


@pytest.mark.parametrize("without", ["distributed"], indirect=True)
def test_a_cluster_without_dask_says_what_to_install(without: str) -> None:
    done = thistlebot("compare", "--scramble", "R", "--dask", "tcp://nowhere:1")
    assert done.exit_code == 5
    said = " ".join(done.stderr.split())
    assert "--dask" in said
    assert said.endswith(f"-m pip install {without}")


@pytest.mark.parametrize("without", ["sympy"], indirect=True)
def test_a_puzzle_without_sympy_is_told_unproven(without: str) -> None:
    plain = thistlebot("puzzle", "RU")
    assert plain.exit_code == 0
    assert "2^-60" in plain.stdout
    assert f"pip install {without}" in " ".join(plain.stderr.split())
    record = json.loads(thistlebot("puzzle", "RU", "--json").stdout)
    assert (record["proven"], record["states_per_orbit"]) == (False, "73483200")


def test_a_puzzle_with_sympy_is_proven() -> None:
    plain = thistlebot("puzzle", "RU")
    assert "pip install" not in plain.stderr
    record = json.loads(thistlebot("puzzle", "RU", "--json").stdout)
    assert (record["proven"], record["states_per_orbit"]) == (True, "73483200")


@pytest.mark.parametrize("without", ["sympy"], indirect=True)
def test_most_puzzles_do_not_miss_sympy(without: str) -> None:
    plain = thistlebot("puzzle", "3x3x3")
    assert without not in plain.stderr
    assert "2^-60" not in plain.stdout


def test_the_command_is_that_of_the_installation(tmp_path: Path) -> None:
    assert install_command("sympy", tmp_path) == f"{sys.executable} -m pip install sympy"
    (tmp_path / "uv-receipt.toml").touch()
    assert install_command("sympy", tmp_path) == "uv tool install . --with sympy"
    (tmp_path / "pipx_metadata.json").touch()
    assert install_command("sympy", tmp_path) == "pipx inject thistlebot sympy"
