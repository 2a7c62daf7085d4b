"""The journal: what was said is there for the next program, whatever became of the one before."""

import os
import re
import resource
import shutil
import signal
import sqlite3
import stat
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import Mock

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from journals import SIZE, forked, opened_journal

from thistlebot.events import Entered, Executed, Phase, Turned, encode
from thistlebot.journal import tail
from thistlebot.journal.database_file import FILE
from thistlebot.journal.journal import Journal
from thistlebot.journal.rows import Outcome
from thistlebot.journal.run_record import RunContext, context_of, events_of
from thistlebot.journal.run_row import row_of
from thistlebot.journal.store import Store
from thistlebot.journal.tail import BeginEntry, End, EventEntry
from thistlebot.journal.writer import Writer
from vision.frame import Frame

CONTEXT = RunContext(verb="solve", virtual=False, rig={"name": "six"}, versions={})


def begin(journal: Journal, uid: str) -> None:
    journal.say(BeginEntry(uid, time.time(), msgspec.Raw(msgspec.json.encode(CONTEXT))))
    journal.say(EventEntry(uid, 0.0, msgspec.Raw(encode(Entered(Phase.EXECUTE)))))


def turn(journal: Journal, uid: str, done: int) -> None:
    journal.say(EventEntry(uid, done / 10, msgspec.Raw(encode(Turned(done, 20)))))


def end(journal: Journal, uid: str) -> None:
    journal.say(EventEntry(uid, 9.0, msgspec.Raw(encode(Executed(20, 1.0)))))
    journal.say(End(uid))


def frame(number: int = 0) -> Frame:
    image = np.random.default_rng(number).integers(0, 256, (60, 80, 3), np.uint8)
    return Frame(image, f"camera {number}", 0.5)


def runs(folder: Path) -> dict[str, tuple[Outcome, list[int]]]:
    """How each run ended, and its acknowledged moves."""
    opened_journal(folder).close()  # it takes over what was left
    store = Store(folder, SIZE)
    found = {}
    for _, row in store.rows():
        run = store.run(row.uid)
        assert context_of(run) == CONTEXT
        done = [event.done for _, event in events_of(run) if isinstance(event, Turned)]
        found[row.uid] = row.outcome, done
    store.close()
    return found


def test_a_run_is_written_with_its_pictures(tmp_path: Path) -> None:
    with opened_journal(tmp_path) as journal:
        begin(journal, "a")
        journal.add_picture("a", 0, 0, frame(0))
        journal.add_picture("a", 1, 1, "camera 1 gave no picture")
        turn(journal, "a", 1)
        end(journal, "a")
        assert journal.trouble() == ""
    assert runs(tmp_path) == {"a": (Outcome.TURNED, [1])}
    store = Store(tmp_path, SIZE)
    first, second = store.pictures("a")
    assert first.png.startswith(b"\x89PNG")
    assert (second.png, second.source) == (b"", "camera 1 gave no picture")
    store.close()


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_nobody_else_reads_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with opened_journal(tmp_path / "new") as journal:
            journal.keep("centres", "U1")
            assert (tmp_path / "new").stat().st_mode & 0o077 == 0
            for file in (tmp_path / "new").iterdir():
                assert ".lock" in file.name or file.stat().st_mode & 0o077 == 0, file
    finally:
        os.umask(before)


def test_what_is_kept_is_known_at_once_and_to_the_next_program(tmp_path: Path) -> None:
    with opened_journal(tmp_path) as journal:
        journal.keep("centres", "U1")
        assert journal.kept("centres") == "U1"
        journal.keep("centres", "U2")
        with opened_journal(tmp_path) as beside:  # of another rig, at the same time
            beside.keep("unfinished", "R")
    with opened_journal(tmp_path) as journal:
        assert (journal.kept("centres"), journal.kept("unfinished")) == ("U2", "R")
    (tmp_path / f"{FILE}-shm").symlink_to("nowhere")  # as on a full disk it cannot be made
    with opened_journal(tmp_path) as journal:
        assert (journal.kept("centres"), journal.kept("unfinished")) == ("U2", "R")


def leave_behind(folder: Path, now_s: float, value: str, pipe: int) -> None:
    """Keep a value by a wrong clock, and be killed before it is in the database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: int(now_s * 1e9))
        patch.setattr(time, "time", lambda: now_s)
        patch.setattr(Writer, "write", lambda *_, **__: frozenset())
        with opened_journal(folder) as journal:
            journal.keep("unfinished", value)
            os.write(pipe, b"!")
            os.kill(os.getpid(), signal.SIGKILL)


@given(st.lists(st.tuples(st.floats(0, 4e9), st.booleans()), min_size=2, max_size=5))
@settings(max_examples=6)
@example([(1e9, False), (1e9 - 3600, False), (1e9, True)])
@example([(1.3e9, False), (1e9, True), (1e9, False)])
def test_what_was_said_last_counts_whatever_the_clock_says(
    moments: list[tuple[float, bool]],
) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        for number, (now_s, killed) in enumerate(moments):
            if killed:
                child, reading = forked(partial(leave_behind, folder, now_s, str(number)))
                os.read(reading, 1)
                os.close(reading)
                os.waitpid(child, 0)
            else:
                patch.setattr(time, "time_ns", lambda now_s=now_s: int(now_s * 1e9))
                with opened_journal(folder) as journal:
                    journal.keep("unfinished", str(number))
            with opened_journal(folder) as journal:
                assert journal.kept("unfinished") == str(number)
            if number % 2:  # a loss of power
                (folder / "order").unlink()


def test_nothing_is_lost_when_programs_are_killed_at_any_moment(tmp_path: Path) -> None:
    """Also when the program after them is killed while it takes over what they left."""
    acknowledged: dict[str, int] = {}
    kept = ""
    for number, wanted in enumerate((0, 1, 3, 0, 10, 20, 2, 45, 0, 6)):
        child, reading = forked(partial(be_killed, tmp_path, f"run {number}"))
        said = os.read(reading, 1)  # it began
        while said.count(b"\n") < wanted:
            said += os.read(reading, 100)
        os.kill(child, signal.SIGKILL)  # it goes on meanwhile, so any moment will do
        os.waitpid(child, 0)
        for line in (said[1:].decode() + rest_of(reading)).split("\n")[:-1]:
            uid, _, done = line.rpartition(":")
            acknowledged[uid] = int(done)
            kept = line
    found = runs(tmp_path)
    assert len(acknowledged) >= 7
    for uid, done in acknowledged.items():
        assert found[uid][1][:done] == list(range(1, done + 1))
    with opened_journal(tmp_path) as journal:
        last = journal.kept("last")
    assert order_of(last) >= order_of(kept)


def rest_of(pipe: int) -> str:
    """Read what a program that is gone has written."""
    content = b"".join(iter(lambda: os.read(pipe, 65536), b""))
    os.close(pipe)
    return content.decode()


def order_of(line: str) -> list[int]:
    """The numbers of a program, its run and the move."""
    return [int(number) for number in re.findall(r"\d+", line)]


def be_killed(folder: Path, name: str, pipe: int) -> None:
    """Turn one run after another, and say what was acknowledged, until somebody kills this."""
    with opened_journal(folder) as journal:
        os.write(pipe, b"!")
        for number in range(10**6):
            uid = f"{name}.{number}"
            begin(journal, uid)
            for done in range(1, 21):
                turn(journal, uid, done)
                journal.keep("last", f"{uid}:{done}")
                os.write(pipe, f"{uid}:{done}\n".encode())
            journal.add_picture(uid, 0, 0, frame())
            end(journal, uid)


def test_a_disk_without_room_costs_the_runs_and_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that may not grow stands for a disk that is full; runs are written when it may."""
    monkeypatch.setattr(tail, "_HALF", 4096)  # the tail is below the limit: its blocks are there
    monkeypatch.setattr(tail, "SIZE", 16 + 2 * 4096)
    child, reading = forked(partial(fill_up, tmp_path))
    troubles = rest_of(reading).splitlines()
    os.waitpid(child, 0)
    assert len(troubles) == 1
    found = runs(tmp_path)
    assert found["before"] == (Outcome.TURNED, [1])
    assert found["while full"] == (Outcome.TURNED, [1, 2])
    with opened_journal(tmp_path) as journal:
        assert journal.kept("unfinished") == "while full"


def fill_up(folder: Path, pipe: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with opened_journal(folder) as journal:
        begin(journal, "before")
        turn(journal, "before", 1)
        end(journal, "before")
    with opened_journal(folder) as journal:
        assert journal.kept("unfinished") is None
        size = max((folder / FILE).stat().st_size, 1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 4, resource.RLIM_INFINITY))
        for uid in ("while full", "another"):
            begin(journal, uid)
            for done in (1, 2):
                turn(journal, uid, done)
                journal.keep("unfinished", uid)
            end(journal, uid)
            text = journal.trouble()
            while uid == "while full" and not text:  # a thread writes
                time.sleep(0.01)
                text = journal.trouble()
            if text:
                os.write(pipe, f"{text}\n".encode())
        journal.keep("unfinished", "while full")
        os._exit(0)  # killed while nothing can be written


def test_a_tail_cut_short_costs_only_what_was_in_it(tmp_path: Path) -> None:
    with opened_journal(tmp_path) as journal:
        begin(journal, "a")
        os.truncate(tmp_path / "tail-0.log", 0)
        os.truncate(tmp_path / "order", 0)
        turn(journal, "a", 1)
        journal.keep("centres", "U1")
        end(journal, "a")
    assert runs(tmp_path) == {"a": (Outcome.TURNED, [1])}
    with opened_journal(tmp_path) as journal:
        assert journal.kept("centres") == "U1"


def test_a_journal_that_is_deleted_under_a_program_is_begun_again(tmp_path: Path) -> None:
    with opened_journal(tmp_path) as journal:
        journal.keep("centres", "U1")
        shutil.rmtree(tmp_path)
        begin(journal, "a")
        journal.keep("centres", "U2")
        end(journal, "a")
        while not (tmp_path / FILE).exists():  # a thread writes
            time.sleep(0.01)
    assert journal.trouble()
    assert runs(tmp_path) == {"a": (Outcome.TURNED, [])}
    assert (tmp_path / "tail-0.log").stat().st_size == tail.SIZE
    with opened_journal(tmp_path) as journal:
        assert journal.kept("centres") == "U2"


@pytest.mark.parametrize("largest", [2**63 - 1, 2**62, -(2**63)])
def test_a_counter_at_its_end_counts_from_what_is_stored(tmp_path: Path, largest: int) -> None:
    with opened_journal(tmp_path) as journal:
        journal.keep("centres", "U1")
    (tmp_path / "order").write_bytes(largest.to_bytes(8, "little", signed=True))
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        db.execute("UPDATE kept SET at_ns = ?", (largest,))
    with opened_journal(tmp_path) as journal:
        journal.keep("centres", "U2")
        assert journal.kept("centres") == "U2"
    with opened_journal(tmp_path) as journal:
        assert journal.kept("centres") == "U2"


@pytest.mark.parametrize("name", ["order", "tail-0.log"])
def test_what_is_not_ours_is_neither_changed_nor_needed(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").mkdir()
    (tmp_path / "file" / name).write_bytes(b"of a stranger")
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / name)
    (tmp_path / "pipe" / name).chmod(0o666)
    for folder in (tmp_path / "file", tmp_path / "pipe"):
        for value in ("U1", "U2"):
            with opened_journal(folder) as journal:
                journal.keep("centres", value)
            with opened_journal(folder) as journal:
                assert journal.kept("centres") == value
    assert stat.S_IMODE((tmp_path / "pipe" / name).stat().st_mode) == 0o666
    files = [each for each in (tmp_path / "file").iterdir() if each.is_file()]
    assert b"of a stranger" in [each.read_bytes() for each in files]


def test_a_thread_that_died_delays_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    died = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: died.set())
    monkeypatch.setattr(Writer, "open", Mock(side_effect=ArithmeticError))
    monkeypatch.setattr("thistlebot.journal.journal._OPENING_S", 3600.0)
    with opened_journal(tmp_path) as journal:
        assert died.wait(60)
        journal.keep("centres", "U1")
        assert journal.kept("centres") == "U1"


def test_more_than_the_tail_holds_costs_events_and_keeps_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail, "_HALF", 16 * 1024)
    with opened_journal(tmp_path) as journal:
        begin(journal, "long")
        for done in range(1, 1000):
            turn(journal, "long", done)
        journal.keep("centres", "U3")
        end(journal, "long")
    assert runs(tmp_path)["long"][1] == list(range(1, 1000))
    with opened_journal(tmp_path) as journal:
        assert journal.kept("centres") == "U3"


def test_a_run_that_was_interrupted_comes_before_those_that_followed_it(tmp_path: Path) -> None:
    tail_ = tail.Tail(tmp_path / "tail-0.log")
    context = msgspec.Raw(msgspec.json.encode(CONTEXT))
    said = [BeginEntry("cut off", 0.0, context), BeginEntry("after it", 1.0, context)]
    for entry in (*said, End("after it")):
        tail_.add(tail.encode(entry))
    tail_.close()
    assert list(runs(tmp_path)) == ["cut off", "after it"]


def test_a_database_that_is_locked_is_not_asked_again_for_each_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = Mock(side_effect=sqlite3.OperationalError("database is locked"))
    monkeypatch.setattr(Store, "keep", keep)
    monkeypatch.setattr("thistlebot.journal.writer._AGAIN_S", 3600.0)
    writer = Writer(tmp_path, SIZE, row_of)
    writer.open()
    for number in range(5):
        writer.take(number, tail.Keep("key", "value", number))
        assert writer.write() == set()
    assert keep.call_count == 1
    assert (writer.write(at_once=True), keep.call_count) == (set(), 2)
    writer.close()
