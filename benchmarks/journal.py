"""The cost of the journal: run `python -m benchmarks.journal --runs 100000 --size 200MB`.

One solve on the virtual rig is recorded in the usual way. Its events and pictures fill a journal
with the requested number of runs, which must respect its size limit; then `history` runs on it in a
separate process. A turn is made while another program locks the journal, to measure the delay.
Finally the solve is recorded again, to measure the processor time of the recording thread, without
the thread that writes.
"""

import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run
from robot.rigs.catalogue import default_rig
from thistlebot.config import megabytes
from thistlebot.events import Event, Looked
from thistlebot.journal.database_file import FILE
from thistlebot.journal.journal import Journal, Recording, versions
from thistlebot.journal.rows import Outcome, Picture, RunRow, StoredRun
from thistlebot.journal.run_record import RunContext, context_of, events_of
from thistlebot.journal.run_row import row_of
from thistlebot.journal.store import Store
from thistlebot.session.recorded_world import frame_of
from vision.frame import Frame

_BETWEEN_RUNS_S = 300.0
_OUTCOMES = {
    Outcome.VERIFIED: 92,
    Outcome.REFUSED: 3,
    Outcome.UNVERIFIED: 1,
    Outcome.STOPPED: 2,
    Outcome.FAILED: 1,
    Outcome.CUT_OFF: 1,
}
_VERBS = {"solve --wait": 90, "solve": 8, "solve --dry-run": 2}

_Recorded = tuple[RunRow, StoredRun, tuple[Picture, ...]]


def measure(given: Given, report: Report) -> Rows:
    """Fill a journal, list it, record a run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one, all_ = folder / "one", folder / "all"
        _thistlebot(one, "1GB", "solve", "--virtual", "--seed", "1")
        store = Store(one, 10**9)
        ((_, row),) = store.rows()
        run_, pictures = store.run(row.uid), store.pictures(row.uid)
        store.close()
        assert run_ is not None
        turn = ("run", "R", "--virtual")
        usual_s = _thistlebot(one, "1GB", *turn)
        with closing(sqlite3.connect(one / FILE, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            locked_s = _thistlebot(one, "1GB", *turn) - usual_s
        yield Figure.at_most("`run R`, longer while another locks it", locked_s, 6.0, "s", 1)
        size_mb = megabytes(given.size, "--size")
        began = time.perf_counter()
        store = Store(all_, int(size_mb * 1e6))
        numbers = report.track(range(given.runs), "runs")
        _fill(store, numbers, (row, run_, pictures), given.runs - given.pictures // len(pictures))
        store.close()
        took_ms = 1e3 * (time.perf_counter() - began)
        yield Figure("a run put in", round(took_ms / given.runs, 2), "ms")
        used_mb = sum(file.stat().st_size for file in all_.glob(f"{FILE}*")) / 1e6
        yield Figure.at_most("file with its log", used_mb, size_mb, "MB", 1)
        taken_s = [_thistlebot(all_, given.size, "history") for _ in range(7)]
        yield Figure.at_most("history, median of 7", statistics.median(taken_s), 1.0, "s", 2)
        yield Figure("history, least", round(min(taken_s), 2), "s")
        yield Figure("history, most", round(max(taken_s), 2), "s")
        yield Figure("load of the computer", round(os.getloadavg()[0], 1), f"of {os.cpu_count()}")
        costs_ms = _costs_ms(folder / "told", run_, pictures, given.told)
        told = f"a run of {len(run_.events)} events and {len(pictures)} pictures, told"
        yield Figure.at_most(f"{told}: median", statistics.median(costs_ms), 5.0, "ms", 2)
        yield Figure.at_most(f"{told}: most", max(costs_ms), 5.0, "ms", 2)
        yield Figure(f"{told}: the first", round(costs_ms[0], 2), "ms")


def _thistlebot(data: Path, size: str, *arguments: str) -> float:
    """Run the program on a journal, and return the seconds that it took."""
    environment = {"THISTLEBOT_DATA_DIR": str(data), "THISTLEBOT_JOURNAL_SIZE": size}
    command = [sys.executable, "-m", "thistlebot", *arguments]
    began = time.perf_counter()
    subprocess.run(command, env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _fill(store: Store, numbers: Iterable[int], recorded: _Recorded, pictured: int) -> None:
    """Put copies of a run into a journal; those from number `pictured` on have pictures."""
    row, run, pictures = recorded
    draws = random.Random(17)
    for number in numbers:
        uid = f"{draws.getrandbits(64):016x}"
        (outcome,) = draws.choices(list(_OUTCOMES), list(_OUTCOMES.values()))
        (verb,) = draws.choices(list(_VERBS), list(_VERBS.values()))
        each = msgspec.structs.replace(
            row,
            uid=uid,
            began=row.began + _BETWEEN_RUNS_S * number,
            verb=verb,
            virtual=False,
            outcome=Outcome.PLANNED if verb == "solve --dry-run" else outcome,
            seconds=None if outcome is Outcome.CUT_OFF else draws.gauss(1.5, 0.2),
            turns=draws.randint(17, 22),
            first_right=draws.random() < 0.98 if outcome is Outcome.VERIFIED else None,
        )
        store.add_run(each, msgspec.structs.replace(run, uid=uid, began=each.began))
        if number >= pictured:
            for picture in pictures:
                store.add_picture(uid, picture)


def _costs_ms(data: Path, run: StoredRun, pictures: tuple[Picture, ...], times: int) -> list[float]:
    """Record a run several times, and return the processor times of the recording thread."""
    events = [event for _, event in events_of(run)]
    frames = [(picture.camera, frame_of(picture)) for picture in pictures]
    context, rig = context_of(run), default_rig()

    def now() -> RunContext:
        return msgspec.structs.replace(context, rig=msgspec.to_builtins(rig), versions=versions())

    costs = []
    with Journal(data, 10**9, row_of) as journal:
        for _ in range(times):
            recording = Recording(journal, now)
            begun = time.thread_time()
            _tell(recording, events, frames)
            costs.append(1000 * (time.thread_time() - begun))
            time.sleep(0.3)  # a machine turns in the meantime, and the writer writes
    return costs


def _tell(recording: Recording, events: list[Event], frames: list[tuple[int, Frame]]) -> None:
    """Record a run like the session does, half of the pictures at each look."""
    waiting = list(frames)
    for event in events:
        if isinstance(event, Looked):
            for camera, frame in waiting[: len(frames) // 2]:
                recording.take_picture(camera, frame)
            del waiting[: len(frames) // 2]
        recording(event)


if __name__ == "__main__":
    run(parser_of(__doc__, runs=100_000, pictures=2000, told=50, size="200MB"), measure)
