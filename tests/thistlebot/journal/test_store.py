"""The journal's database: rows, events and pictures, limited in size."""

import contextlib
import os
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from journals import change, row

from thistlebot.errors import UsageError
from thistlebot.journal.database_file import FILE
from thistlebot.journal.event_log import EventLog
from thistlebot.journal.rows import EVERY_RUN, Outcome, Picture, RunRow, StoredRun
from thistlebot.journal.store import Store

LIMIT = 24_000_000


def run(number: int, events: int = 3) -> tuple[RunRow, StoredRun]:
    said = tuple((n / 10, msgspec.Raw(f'{{"n":{number * n}}}'.encode())) for n in range(events))
    first_right = (None, True, False)[number % 3]
    made = row(number, verb="solve", virtual=bool(number % 2), first_right=first_right)
    context = msgspec.Raw(f'{{"rig":{number % 2}}}'.encode())
    return made, StoredRun(uid=made.uid, began=made.began, context=context, events=said, ended=True)


def picture(number: int, size: int) -> Picture:
    return Picture(number=number, camera=0, source="U.jpg", time_s=0.5, png=bytes(size))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path, LIMIT)
    yield store
    store.close()


def test_the_oldest_pictures_make_room_then_the_events_and_runs_stay(
    store: Store, tmp_path: Path
) -> None:
    for number in range(40):
        row, whole = run(number)
        for which in range(2):
            store.add_picture(row.uid, picture(which, 400_000))
        store.add_run(row, whole)
        files = (tmp_path / f"{FILE}{suffix}" for suffix in ("", "-wal"))
        assert sum(file.stat().st_size for file in files) <= LIMIT
    assert len(store.latest(EVERY_RUN)) == 40
    kept = [len(store.pictures(f"{number:016x}")) for number in range(40)]
    assert kept == sorted(kept)
    assert kept[0] == 0
    assert kept[-1] == 2


def test_a_smaller_limit_shrinks_the_file(tmp_path: Path) -> None:
    store = Store(tmp_path, 60_000_000)
    for number in range(70):
        store.add_picture(f"{number:016x}", picture(0, 400_000))
    store.close()
    assert (tmp_path / FILE).stat().st_size > LIMIT
    store = Store(tmp_path, LIMIT)
    store.add_run(*run(1))
    store.close()
    assert (tmp_path / FILE).stat().st_size <= LIMIT


def test_a_damaged_database_is_put_aside_and_one_of_a_newer_version_left_alone(
    tmp_path: Path,
) -> None:
    (tmp_path / FILE).write_bytes(b"SQLite, but not really" * 300)
    store = Store(tmp_path, LIMIT)
    assert store.damaged.read_bytes().startswith(b"SQLite, but")
    store.add_run(*run(1))
    store.close()
    change(tmp_path / FILE, "PRAGMA user_version = 99")
    with pytest.raises(UsageError):
        Store(tmp_path, LIMIT)


def test_a_journal_of_the_version_before_is_read_and_goes_on(tmp_path: Path) -> None:
    store = Store(tmp_path, LIMIT)
    store.add_run(*run(1))
    store.close()
    dropped = ("DROP TABLE running", "DROP TABLE said")
    change(tmp_path / FILE, *dropped, "PRAGMA user_version = 1")
    again = Store(tmp_path, LIMIT)
    again.add_run(*run(2))
    assert [again.run(f"{number:016x}") for number in (1, 2)] == [run(1)[1], run(2)[1]]
    again.close()


@pytest.mark.parametrize("others_sum_up", [False, True])
def test_a_run_that_ends_while_another_program_sums_up_keeps_its_end_and_events(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others_sum_up: bool
) -> None:
    log, (made, whole) = EventLog(tmp_path, LIMIT), run(1)
    log.begin_run(whole)

    def ends_meanwhile(*_: object) -> bool:
        for time_s, event in whole.events:
            log.add_event(whole.uid, time_s, bytes(event))
        log.end_run(whole.uid)
        log.close()
        monkeypatch.undo()
        if others_sum_up:
            with contextlib.closing(Store(tmp_path, LIMIT)) as other:
                other.sum_up()
        return False

    monkeypatch.setattr("thistlebot.journal.store.is_alive", ends_meanwhile)
    store.sum_up()
    store.sum_up()
    assert store.run(made.uid) == whole
    ((_, found),) = store.latest(EVERY_RUN)
    assert found.outcome is Outcome.PLANNED


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {each.name: (each.read_bytes(), each.stat().st_mode) for each in folder.iterdir()}


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_database_of_another_program_is_not_changed(tmp_path: Path, mode: str) -> None:
    change(
        tmp_path / FILE,
        f"PRAGMA journal_mode = {mode}",
        "CREATE TABLE runs (mine TEXT)",
        "INSERT INTO runs VALUES ('of a stranger')",
    )
    before = everything(tmp_path)
    with pytest.raises(UsageError):
        Store(tmp_path, LIMIT)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("what", ["folder", "pipe"])
def test_what_is_no_file_is_left_alone(tmp_path: Path, what: str) -> None:
    (os.mkfifo if what == "pipe" else os.mkdir)(tmp_path / FILE)
    with pytest.raises(sqlite3.OperationalError):
        Store(tmp_path, LIMIT)
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


LOST = {
    "no zlib": bytes(9),
    "cut off": zlib.compress(b'[[0,{"event":"turned"}]]')[:20],
    "deep": zlib.compress(b"[" * 100_000),
    "no UTF-8": zlib.compress(b'["\xff"]'),
    "half a character": zlib.compress(b'[[0,"\\ud800"]]'),
    "long": zlib.compress(b"[" + b" " * 5_000_000 + b"]"),
    "types": zlib.compress(b'[["a",{}]]'),
}


@pytest.mark.parametrize("events", LOST.values(), ids=LOST)
def test_damaged_and_strange_events_count_as_lost_and_the_row_stays(
    store: Store, events: bytes
) -> None:
    row, whole = run(1)
    store.add_run(row, whole)
    lost = f"UPDATE details SET events = x'{events.hex()}'"
    change(store.file, lost, "UPDATE runs SET outcome = 'of next year', began = 1e300")
    assert store.run(row.uid) is None
    found = store.row(1)
    assert found.outcome is Outcome.UNKNOWN
    assert found.when


@pytest.mark.parametrize(
    "lost", ["UPDATE contexts SET content = zeroblob(9)", "DELETE FROM contexts"]
)
def test_without_its_context_a_run_counts_as_lost(store: Store, lost: str) -> None:
    row, whole = run(1)
    store.add_run(row, whole)
    change(store.file, lost)
    assert store.run(row.uid) is None
