"""Picture cubes: the motors' turns are counted, and the centres end straight."""

import json
from pathlib import Path

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import thistlebot
from solver.centres.centre_search import load_centres
from solver.centres.centre_turns import STRAIGHT, Centres, random_centres
from solver.tables import TableStore
from thistlebot.journal.centre_log import CentreLog, CountingDriver
from thistlebot.session.session import Session


def driver(log: CentreLog) -> tuple[VirtualRig, CountingDriver]:
    rig, clock = default_rig(), SimulatedClock()
    virtual = VirtualRig(rig, clock)
    found = CountingDriver(virtual, rig, clock)
    found.log = log
    found.connect()
    found.prepare()
    return virtual, found


def perform(cache: Path, count: int) -> list[int]:
    """Solve random picture cubes by a session on the virtual rig; the lengths."""
    solver = load_centres(TableStore(cache / "tables"))
    log = CentreLog(None)
    virtual, turns = driver(log)
    rng = np.random.default_rng(16)
    lengths = []
    for _ in range(count):
        state = random_state(rng)
        before = random_centres(state, rng)
        log.put(before)
        virtual.state = state
        session = Session(
            lambda s: solver.solve(s, log.centres, budget_ms=20), default_rig(), driver=turns
        )
        made = session.run(state)
        assert virtual.state == SOLVED
        assert before.apply(MoveSequence(virtual.moves)) == STRAIGHT  # what the motors really made
        assert log.centres == STRAIGHT
        lengths.append(len(made.solution.moves))
    return lengths


def test_random_picture_cubes_end_straight_on_the_virtual_rig(cache_folder: Path) -> None:  # S3.12
    assert np.mean(perform(cache_folder, 20)) < 30


@pytest.mark.exhaustive
def test_a_thousand_picture_cubes_end_straight(cache_folder: Path) -> None:  # S3.12
    assert np.mean(perform(cache_folder, 1000)) < 30


def test_the_whole_loop_with_pictures() -> None:
    result = thistlebot("solve", "--virtual", "--centres", "--seed", 3, "--json")
    assert result.exit_code == 0
    record = json.loads(result.output.splitlines()[-1])
    assert record["verified"]
    assert Centres.parse(record["centres"]) != STRAIGHT
    assert Centres.parse(record["centres_after"]) == STRAIGHT
    moves = MoveSequence.parse(record["moves"])
    assert Centres.parse(record["centres"]).apply(moves) == STRAIGHT


def test_centres_as_said_and_as_the_scramble_left_them() -> None:
    scramble = ("solve", "--dry-run", "--scramble", "R U F2")
    assert "U1R1F2D0L0B0 before, U0R0F0D0L0B0 after" in thistlebot(*scramble, "--centres").output
    turned = thistlebot(*scramble, "--centres", "U1R1F0")
    assert turned.exit_code == 0
    assert "U1R1F0D0L0B0 before, U0R0F0D0L0B0 after" in turned.output
    assert thistlebot(*scramble, "--centres", "U1").exit_code == 2  # no turns make these


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--centres", "U7"), "write each face once"),
        (("--centres", "--objective", "time"), "leave --method"),
        (("--centres", "--wait"), "--wait does not go with --scramble and --centres"),
    ],
)
def test_options_that_do_not_go_together(args: tuple[str, ...], said: str) -> None:
    result = thistlebot("solve", "--dry-run", "--scramble", "R U", *args)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
