"""What the motors turned is counted, so that the centres are known."""

from pathlib import Path

import pytest

from cube.moves import MoveSequence
from robot.errors import LinkError
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig
from solver.centres.centre_turns import STRAIGHT, Centres
from thistlebot.errors import UsageError
from thistlebot.journal.centre_log import CentreLog, CountingDriver


def driver(log: CentreLog, faults: Faults | None = None) -> tuple[VirtualRig, CountingDriver]:
    rig, clock = default_rig(), SimulatedClock()
    virtual = VirtualRig(rig, clock, faults=faults)
    found = CountingDriver(virtual, rig, clock)
    found.log = log
    found.connect()
    found.prepare()
    return virtual, found


def test_turns_are_counted_from_program_to_program(tmp_path: Path) -> None:
    file = tmp_path / "centres.txt"
    virtual, turns = driver(CentreLog(file))
    rig, moves = default_rig(), MoveSequence.parse("R U2 F' R L2")
    for _ in range(2):
        turns.run(rig.plan(moves))
    assert CentreLog(file).centres == STRAIGHT.apply(moves + moves)
    assert STRAIGHT.apply(MoveSequence(virtual.moves)) == CentreLog(file).centres


def test_what_was_turned_is_not_known_after_a_reset_or_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "centres.txt"
    _, turns = driver(CentreLog(file), Faults(reset_at_move=2))
    with pytest.raises(LinkError):
        turns.run(default_rig().plan(MoveSequence.parse("R U F D")))
    with pytest.raises(UsageError, match="look at the pictures"):
        _ = CentreLog(file).centres
    log = CentreLog(file)
    log.put(Centres.parse("U1R1"))
    assert CentreLog(file).centres == Centres.parse("U1R1")
    with log.turning(MoveSequence), pytest.raises(UsageError):
        _ = CentreLog(file).centres  # as another program would find it
