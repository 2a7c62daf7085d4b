"""What the user's wishes come to: memory, tables built later, the quickest way, scrambles."""

from pathlib import Path

import numpy as np
import pytest
from cubes import cube_after

from cube.random_states import random_state
from cube.state import SOLVED, CubeState, move_states
from robot.rigs.catalogue import named_rig
from solver.goal import Goal
from solver.search.metrics import METRICS
from solver.search.tables.symmetry_coordinates import TURN_TABLE_SET
from solver.tables import TableStore
from thistlebot.config import megabytes
from thistlebot.errors import UsageError
from thistlebot.journal.journal import journal_size
from thistlebot.solving.approach import FIVE_MB, SIX_MB, Approach, Method
from thistlebot.solving.solver import Solving


def test_the_tables_take_what_is_told(cache_folder: Path) -> None:
    """As they lie on the disk."""
    store = TableStore(cache_folder / "tables")
    for search, most_mb in (
        (METRICS["htm"].six, SIX_MB),
        (METRICS["axial"].six, SIX_MB),
        (METRICS["htm"].five, FIVE_MB),
    ):
        search.load(store)
        sets = (search.tables, TURN_TABLE_SET)
        assert sum(store.path(each).stat().st_size for each in sets) / 1e6 < most_mb


def test_too_little_memory_is_refused() -> None:
    for goal, forbidden in ((None, ""), (Goal.AXIAL, ""), (None, "D")):
        with pytest.raises(UsageError, match="59MB"):
            Approach(goal=goal, forbidden=forbidden, memory_mb=59)
    assert Approach(Method.THISTLETHWAITE, memory_mb=5).memory_mb == 5  # four stages need none
    assert Approach(rig_turns=True, memory_mb=SIX_MB).default_goal == Goal.TIME


STATE = cube_after("R U F2 D' L B2 R' U2")
CUBOTINO = named_rig("cubotino")


def test_a_machine_that_handles_the_cube_is_asked_for_its_time(cache_folder: Path) -> None:
    """Also when nobody names what is to be minimised."""
    short = Solving(cache_folder, Approach(goal=Goal.HTM), CUBOTINO)(STATE)
    for approach in (
        Approach(goal=Goal.TIME, budget_ms=2000.0),
        Approach(rig_turns=True, budget_ms=2000.0),
    ):
        solving = Solving(cache_folder, approach, CUBOTINO)
        assert solving.wait(600)
        found = solving(STATE)
        assert STATE.apply(found.moves) == SOLVED
        assert found.objective == "time"
        time_ms = 1000 * CUBOTINO.plan(found.moves).time_s
        assert found.value == pytest.approx(time_ms)
        assert time_ms <= 1000 * CUBOTINO.plan(short.moves).time_s
    assert Solving(cache_folder, Approach(goal=Goal.TIME), named_rig("six")).objective.timed


def test_no_scramble_is_less_than_two_turns_from_solved(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for such a draw: the first ones are made to be."""
    near = iter([SOLVED, *move_states()])
    drawn: list[CubeState] = []

    def draw(rng: np.random.Generator) -> CubeState:
        drawn.append(next(near, None) or random_state(rng))
        return drawn[-1]

    monkeypatch.setattr("thistlebot.solving.solver.random_state", draw)
    solving = Solving(cache_folder, Approach(method=Method.THISTLETHWAITE), named_rig("six"))
    moves = solving.scramble(np.random.default_rng(1))
    assert SOLVED.apply(moves) == drawn[-1]
    assert len(drawn) == 20


def test_sizes_are_told_in_megabytes_or_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 60, 10**6):
        assert {megabytes(f"{number}{unit}") for unit in ("", "MB", " mb", "M")} == {number}
        assert megabytes(f"{number / 8}GB") == pytest.approx(125 * number)
    for text in ("", "MB", "0MB", "-60MB", "60KB", "sixty", "60 MB of it", "1e3"):
        with pytest.raises(UsageError):
            megabytes(text)
    monkeypatch.setenv("THISTLEBOT_JOURNAL_SIZE", "900")  # as of --memory 900
    assert journal_size() == 900_000_000
