"""The journal on disk."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cube.facelets import SOLVED_FACELETS
from robot.running.journal import JournalRecord
from thistlebot.errors import UsageError
from thistlebot.journal import program_journal
from thistlebot.journal.program_journal import FILE, FileJournal

RECORD = JournalRecord(
    steps=("R L'", "U2"),
    rig="a rig",
    target=SOLVED_FACELETS,
    boot_id=7,
    done=0,
    accepted=0,
    next_seq=3,
)


def test_what_killed_programs_left_behind_is_swept(tmp_path: Path) -> None:
    stale, fresh = tmp_path / f".{FILE}.abc", tmp_path / f".{FILE}.def"
    other = tmp_path / ".history.json.abc"
    for path in (stale, fresh, other):
        path.write_text("half a rec")
    long_ago = time.time() - 2 * 3600
    os.utime(stale, (long_ago, long_ago))
    os.utime(other, (long_ago, long_ago))
    journal = FileJournal(tmp_path)
    journal.begin(RECORD)
    assert not stale.exists()
    assert fresh.exists()  # somebody may be writing it
    assert other.exists()
    assert journal.unfinished() == RECORD


def test_an_interrupt_never_leaves_a_program_that_looks_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    journal = FileJournal(tmp_path)
    journal.begin(RECORD)
    monkeypatch.setattr(program_journal, "write_atomically", interrupted)
    with pytest.raises(KeyboardInterrupt):
        journal.end("the emergency stop was pressed")
    assert journal.last() == RECORD


def test_why_a_program_was_given_up_is_kept(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    journal.begin(RECORD)
    journal.end("it was stopped")
    assert journal.unfinished() is None
    last = journal.last()
    assert last is not None
    assert last.ended == "it was stopped"
    journal.end()
    assert journal.last() is None
    journal.end("nothing was under way")
    assert journal.last() is None


@given(st.data())
def test_no_damaged_record_is_believed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("state")
    journal = FileJournal(folder)
    journal.begin(RECORD)
    content = bytearray((folder / FILE).read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    (folder / FILE).write_bytes(content)
    with pytest.raises(UsageError, match="remove it and scan again"):
        journal.unfinished()
