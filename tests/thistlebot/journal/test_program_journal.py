"""The program under way, in the journal."""

from pathlib import Path

import pytest
from journals import begin_program, opened_journal, unfinished_program

from cube.facelets import SOLVED_FACELETS
from robot.running.journal import JournalRecord
from thistlebot.errors import UsageError
from thistlebot.journal.machine_state import ProgramJournal

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
    """Why it was given up is kept."""
    begin_program(tmp_path, RECORD)
    assert unfinished_program(tmp_path) == RECORD
    with opened_journal(tmp_path) as kept:
        ProgramJournal(kept).end("it was stopped")
    assert unfinished_program(tmp_path) is None
    with opened_journal(tmp_path) as kept:
        journal = ProgramJournal(kept)
        last = journal.last()
        assert last is not None
        assert last.ended == "it was stopped"
        journal.end()
        assert journal.last() is None
        journal.end("nothing was under way")
        assert journal.last() is None


def test_the_record_of_another_version_is_told(tmp_path: Path) -> None:
    with opened_journal(tmp_path) as kept:
        kept.keep("unfinished", '{"steps": ["R"], "moon": 3}')
        with pytest.raises(UsageError):
            ProgramJournal(kept).unfinished()
