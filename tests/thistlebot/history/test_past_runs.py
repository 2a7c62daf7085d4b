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
    uids = ("aa11aaaa", "ab22aaaa", "77770000", "ab22bbbb", "ab22", "3333cccc")
    keep(tmp_path, [row(9 - number, uid=uid) for number, uid in enumerate(uids)])
    found = {"1": 1, "aa11": 1, "AA11AA": 1, "ab22a": 2, "7777": 3, "ab22": 5, "3333": 6, "3": 3}
    with past_runs(folders(tmp_path)) as store:
        assert {name: find_run(store, name) for name in found} == found
        assert find_run(store, "last") == 1  # it began last
        # A number that is none is not taken for the beginning of a uid, nor is a word that short.
        for name in ("7", "77", "777", "aa1", "", "ab23"):
            with pytest.raises(UsageError, match=f"{name!r}.* 1 .* 6 "):
                find_run(store, name)


def test_a_name_that_fits_several_runs_is_refused_with_all_of_them(tmp_path: Path) -> None:
    keep(tmp_path, [row(number, uid=f"ab22{number:04x}") for number in range(1, 9)])
    with past_runs(folders(tmp_path)) as store:
        with pytest.raises(UsageError) as several:
            find_run(store, "ab22")
        assert all(f"{number} (ab22000{number})" in str(several.value) for number in range(1, 6))
        assert find_run(store, "ab220003") == 3


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
        pytest.raises(ComputerError, match="THISTLEBOT_DATA_DIR"),
        past_runs(folders(tmp_path), told.append),
    ):
        pass
    assert len(told) == 1
