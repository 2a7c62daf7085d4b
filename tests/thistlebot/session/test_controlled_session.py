"""Whole solves on models of controllers that speak G-code: look, solve, turn, look again."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from world import cube

from cube.state import SOLVED
from run_thistlebot import record
from thistlebot.config import Folders
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import open_machine
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving

MACHINES = [("six", "grbl"), ("six", "marlin"), ("three", "grbl")]


def unsolved(name: str, dialect: str, seeds: Iterable[int], folder: Path) -> list[int]:
    """Solve a random cube for each seed, and return the seeds whose cubes are not solved."""
    file, folders = folder / "rig.toml", Folders.of_platform()
    record("rig", "new", name, "--board", dialect, "--output", file)
    left = []
    with open_machine(Choices(file, virtual=True), folders) as machine:
        machine.hurry()
        solving = Solving(folders.cache, Approach(budget_ms=60.0), machine.rig)
        for seed in seeds:
            machine.world.rig.state = cube(seed)
            solve_session(machine, solving, ()).run()  # raises unless it saw the cube solved
            if machine.world.rig.state != SOLVED:
                left.append(seed)
    return left


@pytest.mark.parametrize(("name", "dialect"), MACHINES)
def test_a_cube_is_solved_through_a_controller(name: str, dialect: str, tmp_path: Path) -> None:
    assert unsolved(name, dialect, range(2), tmp_path) == []


@pytest.mark.exhaustive
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("name", "dialect"), MACHINES)
def test_two_hundred_cubes_are_solved_through_a_controller(
    name: str, dialect: str, tmp_path: Path
) -> None:
    assert unsolved(name, dialect, range(200), tmp_path) == []
