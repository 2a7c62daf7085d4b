"""The past at a glance, and one run of it."""

from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from recorded_runs import LIMIT, Journals, recorded

from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.history.bundle import read_bundle
from thistlebot.history.one_run import bundle_of, one_run, picture_of
from thistlebot.history.overview import best_since, overview_of, solving_rows
from thistlebot.journal.rows import Outcome
from thistlebot.journal.store import Store
from thistlebot.runs.events import Phase


@pytest.fixture(scope="module")
def folders(journals: Journals, tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """A journal with three solves of one cube."""
    folder = tmp_path_factory.mktemp("past")
    store = Store(folder, LIMIT)
    row, run, pictures = journals.run(5)
    for number in range(3):
        uid, began = f"{number}{row.uid[1:]}", row.began + 60 * number
        times = (row.seconds or 0.0) + number
        store.add_run(
            msgspec.structs.replace(row, uid=uid, began=began, seconds=times),
            msgspec.structs.replace(run, uid=uid, began=began),
        )
        for picture in pictures:
            store.add_picture(uid, picture)
    store.close()
    return Folders(folder, folder, folder, folder, folder)


def test_the_newest_runs_come_first_and_are_summed_up(folders: Folders) -> None:
    found = overview_of(folders, virtual=True)
    assert [number for number, _ in found.rows] == [3, 2, 1]
    assert {row.outcome for _, row in found.rows} == {Outcome.VERIFIED}
    assert found.summary.solves == 3
    assert found.summary.best_s == min(row.seconds or 0.0 for _, row in found.rows)
    assert [number for number, _ in found.phases] == [1, 2, 3]
    for _, times in found.phases:
        phases = dict(times)
        assert {Phase.SCAN, Phase.PLAN, Phase.EXECUTE, Phase.VERIFY} <= set(phases)
        assert phases[Phase.EXECUTE] > 0


def test_real_machines_are_another_past(folders: Folders) -> None:
    found = overview_of(folders, virtual=False)
    assert found.rows == ()
    assert found.summary.best_s is None


def test_the_best_of_the_day_is_one_of_the_day(folders: Folders) -> None:
    now = datetime.now()
    best = best_since(folders, now - timedelta(hours=12), virtual=True)
    assert best == overview_of(folders, virtual=True).summary.best_s
    assert best_since(folders, now + timedelta(hours=12), virtual=True) is None


def test_solves_are_told_the_oldest_first(folders: Folders) -> None:
    rows = solving_rows(folders, virtual=True)
    assert [row.began for row in rows] == sorted(row.began for row in rows)
    assert len(rows) == 3


def test_one_run_has_its_cube_its_times_and_its_pictures(folders: Folders) -> None:
    run = one_run(folders, "2")
    (_, (row, _, pictures), _) = recorded(folders.data)
    assert run.row == row
    assert run.whole
    assert len(run.steps) == (row.turns or 0) + 1
    assert [number for number, _ in run.pictures] == [each.number for each in pictures]
    assert picture_of(folders, "2", run.pictures[0][0]) == pictures[0].png
    assert picture_of(folders, "2", 999) is None


def test_a_bundle_is_that_of_the_run(folders: Folders, tmp_path: Path) -> None:
    name, content = bundle_of(folders, "1")
    (tmp_path / name).write_bytes(content)
    run, pictures = read_bundle(tmp_path / name)
    ((row, _, taken), *_) = recorded(folders.data)
    assert run.uid == row.uid
    assert len(pictures) == len(taken)


def test_a_run_that_is_not_there_is_said_so(folders: Folders) -> None:
    with pytest.raises(UsageError, match="'77'"):
        one_run(folders, "77")
