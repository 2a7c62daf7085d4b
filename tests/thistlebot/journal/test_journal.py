"""The journal: what was said is there for the next program, whatever became of the one before."""

import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import numpy as np
import pytest
from journals import SIZE, folders_in, forked

from robot.running.machine_record import MachineRecord
from thistlebot.events import Entered, Event, Executed, Phase, Turned, encode
from thistlebot.journal import journal as journal_module
from thistlebot.journal.database_file import FILE
from thistlebot.journal.event_log import EventLog
from thistlebot.journal.journal import Journal
from thistlebot.journal.machine_state import MachineState
from thistlebot.journal.past_runs import past_runs
from thistlebot.journal.rows import EVERY_RUN, Outcome, StoredRun
from thistlebot.journal.run_record import RunContext, context_of, events_of
from vision.frame import Frame

CONTEXT = RunContext(verb="solve", virtual=False, rig={"name": "six"}, versions={})
RECORD = MachineRecord(rig="six", boot_id=1, accepted=0, steps=0)


def begin(journal: Journal, uid: str) -> None:
    context = msgspec.Raw(msgspec.json.encode(CONTEXT))
    journal.begin(StoredRun(uid=uid, began=time.time(), context=context))
    say(journal, uid, 0.0, Entered(Phase.EXECUTE))


def say(journal: Journal, uid: str, time_s: float, event: Event) -> None:
    journal.add_event(uid, time_s, encode(event))


def turn(journal: Journal, uid: str, done: int) -> None:
    say(journal, uid, done / 10, Turned(done, 20))


def end(journal: Journal, uid: str) -> None:
    say(journal, uid, 9.0, Executed(20, 1.0))
    journal.end(uid)


def frame(number: int = 0) -> Frame:
    image = np.random.default_rng(number).integers(0, 256, (60, 80, 3), np.uint8)
    return Frame(image, f"camera {number}", 0.5)


def runs(folder: Path) -> dict[str, tuple[Outcome, list[int]]]:
    """How each run ended, and its acknowledged moves, in the order of the journal."""
    found = {}
    with past_runs(folders_in(folder)) as store:
        for _, row in store.latest(EVERY_RUN):
            run = store.run(row.uid)
            assert run is not None
            assert context_of(run) == CONTEXT
            done = [event.done for _, event in events_of(run) if isinstance(event, Turned)]
            found[row.uid] = row.outcome, done
    return found


def test_a_run_is_written_with_its_pictures(tmp_path: Path) -> None:
    with Journal(tmp_path, SIZE) as journal:
        begin(journal, "a")
        journal.add_picture("a", 0, 0, frame(0))
        journal.add_picture("a", 1, 1, "camera 1 gave no picture")
        turn(journal, "a", 1)
        end(journal, "a")
        assert journal.trouble() == ""
    assert runs(tmp_path) == {"a": (Outcome.TURNED, [1])}
    with past_runs(folders_in(tmp_path)) as store:
        first, second = store.pictures("a")
        assert first.png.startswith(b"\x89PNG")
        assert (second.png, second.source) == (b"", "camera 1 gave no picture")
        assert store.picture_numbers("a") == ((0, 0),)
        assert (store.picture("a", 0), store.picture("a", 1)) == (first.png, None)


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_nobody_else_reads_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with Journal(tmp_path / "new", SIZE) as journal:
            begin(journal, "a")
            assert (tmp_path / "new").stat().st_mode & 0o077 == 0
            modes = [file.stat().st_mode & 0o077 for file in (tmp_path / "new").iterdir()]
            assert not any(modes)
    finally:
        os.umask(before)


@pytest.mark.parametrize("kills", [6, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_nothing_is_lost_when_programs_are_killed_at_any_moment(tmp_path: Path, kills: int) -> None:
    """Also when the program after them is killed while it sums up what they left."""
    acknowledged: dict[str, int] = {}
    begun = 0
    rng = random.Random(kills)
    for number in range(kills):
        child, reading = forked(partial(be_killed, tmp_path, f"run {number}"))
        said = os.read(reading, 1)  # it began
        wanted = rng.choice((0, 1, 3, 10, 20, 45))
        while said.count(b"\n") < wanted:
            said += os.read(reading, 100)
        os.kill(child, signal.SIGKILL)  # it goes on meanwhile, so any moment will do
        os.waitpid(child, 0)
        for line in (said[1:].decode() + rest_of(reading)).split("\n")[:-1]:
            uid, _, done = line.rpartition(":")
            acknowledged[uid] = int(done)
            begun = order_of(line)
        last = MachineState(tmp_path).last()
        assert begun <= (last.steps if last else 0)
    found = runs(tmp_path)
    assert len(acknowledged) >= kills // 2
    for uid, done in acknowledged.items():
        assert found[uid][1][:done] == list(range(1, done + 1))


def rest_of(pipe: int) -> str:
    """Read what a program that is gone has written."""
    content = b"".join(iter(lambda: os.read(pipe, 65536), b""))
    os.close(pipe)
    return content.decode()


def order_of(line: str) -> int:
    """The place of a move among all, by the numbers of its program, its run and itself."""
    program, run, move = (int(number) for number in re.findall(r"\d+", line))
    return program * 10**6 + run * 100 + move


def be_killed(folder: Path, name: str, pipe: int) -> None:
    """Turn one run after another, and say what was acknowledged, until somebody kills this."""
    state = MachineState(folder)
    with Journal(folder, SIZE) as journal:
        os.write(pipe, b"!")
        for number in range(10**6):
            uid = f"{name}.{number}"
            begin(journal, uid)
            for done in range(1, 21):
                line = f"{uid}:{done}"
                state.keep(msgspec.structs.replace(RECORD, steps=order_of(line)))
                turn(journal, uid, done)
                os.write(pipe, f"{line}\n".encode())
            journal.add_picture(uid, 0, 0, frame())
            end(journal, uid)


@pytest.mark.parametrize("disks", [1, pytest.param(50, marks=pytest.mark.exhaustive)])
def test_a_full_disk_costs_no_more_than_the_pictures_and_is_said_once(
    tmp_path: Path, disks: int
) -> None:
    """A file that may not grow stands for a disk that is full; runs are written when it may."""
    for number in range(disks):
        folder = tmp_path / str(number)
        child, reading = forked(partial(fill_up, folder, random.Random(number).uniform(0.2, 1.0)))
        told = rest_of(reading)
        os.waitpid(child, 0)
        assert told.count(str(folder)) == 1
        found = runs(folder)
        assert found["before"] == (Outcome.TURNED, [1])
        for uid in ("while full", "another"):
            assert found[uid] == (Outcome.TURNED, list(range(1, 21)))
        last = MachineState(folder).last()
        assert last is not None
        assert last.steps == 20


def fill_up(folder: Path, share: float, pipe: int) -> None:
    """Record while the files of the journal may not become larger than a share of their size."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    journal_module._AGAIN_S = 0.01
    state = MachineState(folder)
    with Journal(folder, SIZE) as journal:
        begin(journal, "before")
        turn(journal, "before", 1)
        end(journal, "before")
    state.keep(RECORD)
    with Journal(folder, SIZE) as journal:
        begin(journal, "while full")
        full = max(41_552, int(share * (folder / f"{FILE}-wal").stat().st_size))
        resource.setrlimit(resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        for uid in ("while full", "another"):
            for done in range(1, 21):
                state.keep(msgspec.structs.replace(RECORD, steps=done))
                turn(journal, uid, done)
            while uid == "while full" and not (text := journal.trouble()):
                journal.add_picture(uid, 0, 0, frame())
                time.sleep(0.01)
            os.write(pipe, text.encode())
            text = ""
            end(journal, uid)
            if uid == "while full":
                begin(journal, "another")
        unlimited = resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_FSIZE, (unlimited, unlimited))
        os.write(pipe, journal.trouble().encode())
    os._exit(0)


def test_a_journal_that_is_deleted_under_a_program_is_begun_again(tmp_path: Path) -> None:
    with Journal(tmp_path, SIZE) as journal:
        begin(journal, "lost")
        end(journal, "lost")
        shutil.rmtree(tmp_path, ignore_errors=True)
        begin(journal, "a")
        end(journal, "a")
    assert journal.trouble()
    assert runs(tmp_path) == {"a": (Outcome.TURNED, [])}


def test_a_thread_that_died_delays_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    died = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: died.set())
    broken = Mock(side_effect=ArithmeticError)
    monkeypatch.setattr(journal_module, "_OPENING_S", 3600.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal_module, "EventLog", broken)
        journal = Journal(tmp_path, SIZE)
        assert died.wait(60)
    begin(journal, "a")
    end(journal, "a")
    journal.close()
    assert runs(tmp_path) == {"a": (Outcome.TURNED, [])}


def test_runs_of_a_killed_program_are_interrupted_and_those_of_a_living_one_go_on(
    tmp_path: Path,
) -> None:
    def live_on(pipe: int) -> None:
        with Journal(tmp_path, SIZE) as journal:
            begin(journal, "killed")
            turn(journal, "killed", 1)
            os.write(pipe, b"!")
            signal.pause()

    child, reading = forked(live_on)
    os.read(reading, 1)
    with Journal(tmp_path, SIZE) as journal:
        begin(journal, "living")
        assert runs(tmp_path) == {}
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert runs(tmp_path) == {"killed": (Outcome.CUT_OFF, [1])}
        end(journal, "living")
    os.close(reading)
    assert list(runs(tmp_path)) == ["killed", "living"]


def test_a_program_that_comes_and_goes_leaves_the_log_of_a_living_one(tmp_path: Path) -> None:
    """The last program that closes a database removes its log: this is not the last one."""
    look = "import sys; from pathlib import Path; from thistlebot.journal.store import Store\n"
    look += f"Store(Path(sys.argv[1]), {SIZE}).close()"
    with Journal(tmp_path, SIZE) as journal:
        begin(journal, "a")
        assert runs(tmp_path) == {}  # this process opens and closes it, too
        before = (tmp_path / f"{FILE}-wal").stat().st_ino
        subprocess.run([sys.executable, "-c", look, tmp_path], check=True)
        assert (tmp_path / f"{FILE}-wal").stat().st_ino == before
        end(journal, "a")
    assert runs(tmp_path) == {"a": (Outcome.TURNED, [])}


def test_while_another_program_has_the_database_entries_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thistlebot.journal.store._BUSY_S", 0.0)
    monkeypatch.setattr(journal_module, "_AGAIN_S", 0.01)
    add_event, attempts = EventLog.add_event, []

    def attempt(log: EventLog, *words: Any) -> None:
        attempts.append(words)
        add_event(log, *words)

    with Journal(tmp_path, SIZE) as journal:
        begin(journal, "a")
        monkeypatch.setattr(EventLog, "add_event", attempt)
        with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for done in range(1, 6):
                turn(journal, "a", done)
            while len(attempts) < 3:  # the thread tries again
                time.sleep(0.01)
        end(journal, "a")
    assert runs(tmp_path) == {"a": (Outcome.TURNED, [1, 2, 3, 4, 5])}
