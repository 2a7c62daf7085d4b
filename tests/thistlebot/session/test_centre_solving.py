"""Picture cubes: the motors' turns are counted, and the centres end straight."""

import json

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from robot.ports.port import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import thistlebot
from solver.centre_search import load_centres
from solver.centre_turns import STRAIGHT, Centres, random_centres
from solver.tables import TableStore
from thistlebot.journal.machine_state import CentreLog, CountingDriver
from thistlebot.session.session import Session


@pytest.mark.parametrize("count", [6, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_random_picture_cubes_end_straight_on_the_virtual_rig(
    store: TableStore, count: int
) -> None:  # S3.12
    solver = load_centres(store)
    log, rig, clock = CentreLog(None), default_rig(), SimulatedClock()
    virtual = VirtualRig(rig, clock)
    turns = CountingDriver(virtual, rig, clock)
    turns.log = log
    turns.connect()
    turns.prepare()
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
    assert np.mean(lengths) < 30


@pytest.mark.usefixtures("simulated_time")
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
    for given, before in (((), "U1R1F2D0L0B0"), (("U1R1F0",), "U1R1F0D0L0B0")):
        result = thistlebot(*scramble, "--centres", *given)
        assert result.exit_code == 0, result.stderr
        assert before in result.stdout
        assert "U0R0F0D0L0B0" in result.stdout
