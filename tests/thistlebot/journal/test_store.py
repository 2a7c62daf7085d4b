"""The journal's database."""

import sqlite3
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import msgspec
import pytest

from thistlebot.errors import UsageError
from thistlebot.journal.rows import EVERY_RUN, Outcome, Picture, RunRow, StoredRun, Wanted
from thistlebot.journal.store import FILE, Store

LIMIT = 24_000_000


def run(number: int, events: int = 3) -> tuple[RunRow, StoredRun]:
    uid = f"{number:016x}"
    said = tuple((n / 10, msgspec.Raw(f'{{"n":{number * n}}}'.encode())) for n in range(events))
    row = RunRow(
        uid=uid,
        began=1e9 + number,
        verb="solve",
        virtual=bool(number % 2),
        rig="six",
        outcome=Outcome.VERIFIED,
        seconds=1.5,
        turns=20,
        first_right=(None, True, False)[number % 3],
    )
    context = msgspec.Raw(f'{{"rig":{number % 2}}}'.encode())
    return row, StoredRun(uid=uid, began=row.began, context=context, events=said, ended=True)


def picture(number: int, size: int) -> Picture:
    return Picture(number=number, camera=0, source="U.jpg", time_s=0.5, png=bytes(size))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path, LIMIT)
    yield store
    store.close()


def test_what_was_written_is_there_for_the_next_program(tmp_path: Path) -> None:
    first, second = run(1), run(2)
    store = Store(tmp_path, LIMIT)
    store.add_run(*first)
    store.add_picture(first[0].uid, picture(1, 10))
    store.add_picture(first[0].uid, picture(0, 20))
    store.add_run(*second)
    store.close()
    again = Store(tmp_path, LIMIT)
    assert [row for _, row in again.rows()] == [first[0], second[0]]
    number = again.number_of(second[0].uid)
    assert number is not None
    assert again.row(number) == second[0]
    assert again.run(first[0].uid) == first[1]
    assert [each.number for each in again.pictures(first[0].uid)] == [0, 1]
    assert again.row(99) is None
    assert again.run("nobody") is None
    again.add_run(*first)
    assert [number for number, _ in again.rows()] == [1, 2]  # it keeps its number
    again.close()


def test_runs_are_looked_for(store: Store) -> None:
    rows = [run(number)[0] for number in (4, 1, 2)]
    rows[2] = msgspec.structs.replace(rows[2], rig="claws", verb="demo")
    for row, number in zip(rows, (4, 1, 2), strict=True):
        store.add_run(row, run(number)[1])
    assert store.latest(EVERY_RUN) == [(1, rows[0]), (2, rows[1]), (3, rows[2])]
    assert store.latest(EVERY_RUN, 2) == [(2, rows[1]), (3, rows[2])]
    for wanted, numbers in (
        (Wanted(virtual=(True,)), [2]),
        (Wanted(virtual=(False, True), rig=("six",)), [1, 2]),
        (Wanted(rig=("claws",), verb=("solve", "demo")), [3]),
        (Wanted(since=rows[2].began), [1, 3]),
        (Wanted(rig=("cubotino",)), []),
    ):
        assert [number for number, _ in store.latest(wanted)] == numbers
        assert {number for (number,) in store.columns("id", wanted=wanted)} == set(numbers)


def test_the_latest_value_is_kept_whenever_it_comes(store: Store) -> None:
    for number, order in enumerate(permutations([1, 2, 3])):
        for place in order:
            store.keep(f"value {number}", str(place), place)
    assert store.order() == 3
    assert set(store.kept().values()) == {"3"}


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
    assert len(list(store.rows())) == 40
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


def test_a_damaged_database_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"SQLite, but not really" * 300)
    store = Store(tmp_path, LIMIT)
    assert store.damaged is not None
    assert store.damaged.read_bytes().startswith(b"SQLite, but")
    store.add_run(*run(1))
    store.close()


def test_the_journal_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path, LIMIT).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(UsageError):
        Store(tmp_path, LIMIT)
