"""The journal as it is read."""

from pathlib import Path

import msgspec
import pytest
from journal_rows import keep, row

from thistlebot.config import Folders
from thistlebot.errors import ComputerError, UsageError
from thistlebot.history.past_runs import find_run, past_runs
from thistlebot.journal.entries import Begin
from thistlebot.journal.journal import Journal
from thistlebot.journal.rows import Outcome
from thistlebot.journal.store import FILE
from thistlebot.runs.run_row import row_of


def folders(data: Path) -> Folders:
    return Folders(data, data, data, data, data)


def test_runs_are_found_by_number_uid_and_as_the_last(tmp_path: Path) -> None:
    """Uids are random: a number that is no run is not taken for the beginning of one."""
    keep(tmp_path, [row(1, uid="aa11cc"), row(3, uid="aa11dd"), row(2, uid="2b33ee")])
    with past_runs(folders(tmp_path)) as store:
        for name, number in (
            *(("1", 1), ("2", 2), ("3", 3)),
            *(("last", 2), ("aa11c", 1), ("AA11D", 2), ("aa11dd", 2), ("2b33", 3)),
        ):
            assert find_run(store, name) == number
        for name, named in (("4", "3"), ("2b3", "2b3"), ("", "1"), ("aa11", "aa11cc.*aa11dd")):
            with pytest.raises(UsageError, match=named):
                find_run(store, name)


def test_a_journal_without_runs_says_so(tmp_path: Path) -> None:
    with (
        past_runs(folders(tmp_path / "new")) as store,
        pytest.raises(UsageError),
    ):
        find_run(store, "last")


def test_what_a_killed_program_left_is_taken_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path, 10**8, row_of)
    journal.say(Begin("cafe", 1e9, context=msgspec.Raw(b"{}")))
    journal.close()
    with past_runs(folders(tmp_path)) as store:
        ((_, found),) = list(store.rows())
    assert (found.uid, found.outcome) == ("cafe", Outcome.CUT_OFF)


def test_a_journal_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    told: list[str] = []
    with (
        pytest.raises(ComputerError),
        past_runs(folders(tmp_path), told.append),
    ):
        pass
    assert len(told) == 1
