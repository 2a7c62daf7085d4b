"""What the motors turned is counted, so that the centres are known."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from journals import begin_program, opened_journal, unfinished_program
from msgspec.structs import replace

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from robot.errors import LinkError, RigError
from robot.ports.port import SimulatedClock
from robot.protocol.messages import Fault, Flag, State, Status
from robot.rigs.catalogue import default_rig
from robot.running.journal import JournalRecord
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig
from solver.centre_turns import STRAIGHT, Centres
from thistlebot.errors import UsageError
from thistlebot.journal.journal import Journal
from thistlebot.journal.machine_state import CentreLog, CountingDriver, ProgramJournal
from thistlebot.journal.store import FILE


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with opened_journal(tmp_path) as opened:
        yield opened


def driver(log: CentreLog, faults: Faults | None = None) -> tuple[VirtualRig, CountingDriver]:
    rig, clock = default_rig(), SimulatedClock()
    virtual = VirtualRig(rig, clock, faults=faults)
    found = CountingDriver(virtual, rig, clock)
    found.log = log
    found.connect()
    found.prepare()
    return virtual, found


def test_turns_are_counted_from_program_to_program(journal: Journal) -> None:
    virtual, turns = driver(CentreLog(journal))
    rig, moves = default_rig(), MoveSequence.parse("R U2 F' R L2")
    for _ in range(2):
        turns.run(rig.plan(moves))
    assert CentreLog(journal).centres == STRAIGHT.apply(moves + moves)
    assert STRAIGHT.apply(MoveSequence(virtual.moves)) == CentreLog(journal).centres


def test_a_half_turn_that_was_cut_short_is_counted_as_far_as_it_came() -> None:
    for text in ("R2 U2 F2 D2", "R2 L2 U2 D2 F2 B2"):
        cut = 0
        for moment in range(1, 12, 2):
            virtual, turns = driver(CentreLog(None))
            left = 2 * moment

            def interrupted(
                timeout_s: float, read: Callable[[float], bytes] = virtual.read
            ) -> bytes:
                nonlocal left
                left -= 1
                if left == 0:
                    raise KeyboardInterrupt
                return read(min(timeout_s, 0.01))

            virtual.read = interrupted  # type: ignore[method-assign]
            with pytest.raises(KeyboardInterrupt):
                turns.run(default_rig().plan(MoveSequence.parse(text)))
            assert turns.turned == MoveSequence(virtual.moves)
            assert turns.log.centres == STRAIGHT.apply(MoveSequence(virtual.moves))
            cut += virtual.board.done is not None
        assert cut > 1


def test_after_an_emergency_stop_nobody_knows_the_centres(journal: Journal) -> None:
    virtual, turns = driver(CentreLog(journal))
    with pytest.raises(RigError):
        turns.run(
            default_rig().plan(MoveSequence.parse("R2 U2 F2 D2")),
            lambda _: virtual.board.press_estop(),
        )
    with pytest.raises(UsageError):
        _ = turns.log.centres


def test_what_was_turned_is_not_known_after_a_reset_or_a_kill(journal: Journal) -> None:
    _, turns = driver(CentreLog(journal), Faults(reset_at_move=2))
    with pytest.raises(LinkError):
        turns.run(default_rig().plan(MoveSequence.parse("R U F D")))
    with pytest.raises(UsageError):
        _ = CentreLog(journal).centres
    log = CentreLog(journal)
    log.put(Centres.parse("U1R1"))
    assert CentreLog(journal).centres == Centres.parse("U1R1")
    with log.turning(MoveSequence), pytest.raises(UsageError):
        _ = CentreLog(journal).centres  # as another program would find it


RECORD = JournalRecord(
    steps=("R L'", "U2"),
    rig="a rig",
    target=SOLVED_FACELETS,
    boot_id=7,
    done=0,
    accepted=0,
    next_seq=3,
)


def test_a_program_is_found_by_the_next_host_until_it_ends(tmp_path: Path) -> None:
    begin_program(tmp_path, RECORD)
    assert unfinished_program(tmp_path) == RECORD
    with opened_journal(tmp_path) as kept:
        ProgramJournal(kept).end("it was stopped")
    assert unfinished_program(tmp_path) is None
    with opened_journal(tmp_path) as kept:
        journal = ProgramJournal(kept)
        assert journal.last() == replace(RECORD, ended="it was stopped")
        journal.end()
        assert journal.last() is None
        journal.end("nothing was under way")
        assert journal.last() is None


IDLE = Status(State.IDLE, Flag(0), 60, 0, 0, 0, Fault.NONE, 0, 0, 0, 0, 0)


def change(file: Path, how: str) -> None:
    with sqlite3.connect(file) as db:
        db.execute(how)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: change(file, "UPDATE kept SET value = '{'"),
        lambda file: change(file, "PRAGMA user_version = 99"),
        lambda file: file.write_bytes(b"not SQL" * 999),
    ],
)
def test_what_cannot_be_read_counts_as_interrupted_until_somebody_has_looked(
    tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    begin_program(tmp_path, RECORD)
    with opened_journal(tmp_path) as kept:
        CentreLog(kept).put(STRAIGHT)
    spoil(tmp_path / FILE)
    for again in (False, True):  # a damaged file is found by the first program only
        with opened_journal(tmp_path) as kept:
            programs = ProgramJournal(kept)
            with pytest.raises(UsageError):
                programs.last()
            programs.end("it was stopped")
            assert programs.unfinished() is None
            assert programs.why_askew(RECORD.boot_id, IDLE)
            with pytest.raises(UsageError):
                _ = CentreLog(kept).centres
            if again:
                programs.aligned()
                assert not programs.why_askew(RECORD.boot_id, IDLE)
