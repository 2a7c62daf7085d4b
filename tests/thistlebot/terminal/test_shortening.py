import re
from pathlib import Path

import numpy as np
import pytest

from cube.random_states import random_state
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.shortening import Shortening


def test_the_stages_come_first_and_each_answer_is_shorter_than_the_one_before(
    cache_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = random_state(np.random.default_rng(1))
    solving = Solving(cache_folder, Approach(budget_ms=200.0), default_rig(), build=True)
    assert solving.wait(600)
    found = Shortening(solving, Screen())(state)
    assert state.apply(found.moves) == SOLVED
    told = capsys.readouterr().out.splitlines()
    stages, *shorter = [int(re.split(r"\s+", line)[1]) for line in told]
    assert stages == len(solving.staged(state).moves)
    assert stages > shorter[0]
    assert shorter == sorted(set(shorter), reverse=True)
    assert shorter[-1] == len(found.moves)


def test_the_way_to_a_pattern_has_no_stages(
    cache_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, target = (random_state(np.random.default_rng(seed)) for seed in (3, 4))
    solving = Solving(cache_folder, Approach(budget_ms=50.0), default_rig(), build=True)
    assert solving.wait(600)
    found = Shortening(solving, Screen())(state, target)
    assert state.apply(found.moves) == target
    assert not capsys.readouterr().out.startswith("stages")
