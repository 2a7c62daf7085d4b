"""What the journal costs: run `python -m benchmarks.journal --runs 100000 --size 200MB`.

One solve on the virtual rig is recorded as people record theirs. Its events and pictures fill a
journal with as many runs as asked for, which has to keep within its size; then `history` is run on
it, as a process of its own. At last the solve is told to a journal again, to see what that costs
whoever tells it: the processor time of its thread, without the thread that writes.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from robot.rigs.catalogue import default_rig
from thistlebot.events import Event, Looked
from thistlebot.history.recorded_world import frame_of
from thistlebot.journal.journal import Journal
from thistlebot.journal.recording import Recording, versions
from thistlebot.journal.rows import Outcome, Picture, RunRow, StoredRun
from thistlebot.journal.run_record import RunContext, context_of, events_of
from thistlebot.journal.run_row import row_of
from thistlebot.journal.store import FILE, Store
from thistlebot.sizes import megabytes
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


def main() -> None:
    """Fill a journal, look back, tell a run; print what each cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--size", default="200MB")
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--told", type=int, default=50, help="runs that are told once more")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one, all_ = Path(folder, "one"), Path(folder, "all")
        _thistlebot(one, "1GB", "solve", "--virtual", "--seed", "1")
        store = Store(one, 10**9)
        ((_, row),) = store.rows()
        run, pictures = store.run(row.uid), store.pictures(row.uid)
        store.close()
        assert run is not None
        recorded = row, run, pictures
        began = time.perf_counter()
        store = Store(all_, int(megabytes(chosen.size, "--size") * 1e6))
        _fill(store, chosen.runs, recorded, pictured=chosen.pictures // len(pictures))
        store.close()
        took_s = time.perf_counter() - began
        print(f"filled    {chosen.runs} runs, {1e3 * took_s / chosen.runs:.2f} ms each")
        used = sum(file.stat().st_size for file in all_.glob(f"{FILE}*"))
        print(f"file      {used / 1e6:.1f} MB with its log, of {chosen.size}")
        taken_s = [_thistlebot(all_, chosen.size, "history") for _ in range(7)]
        print(
            f"history   {statistics.median(taken_s):.2f} s in the median of {len(taken_s)}, "
            f"{min(taken_s):.2f} to {max(taken_s):.2f} s, on {os.cpu_count()} cores with a load of "
            f"{os.getloadavg()[0]:.1f}"
        )
        costs_ms = _costs_ms(Path(folder, "told"), run, pictures, chosen.told)
        print(
            f"a run     {statistics.median(costs_ms):.2f} ms of processor time in the median of "
            f"{len(costs_ms)}, {max(costs_ms):.2f} ms at most, {costs_ms[0]:.2f} ms the first one; "
            f"{len(run.events)} events, {len(pictures)} pictures"
        )


def _thistlebot(data: Path, size: str, *arguments: str) -> float:
    """Run the program on a journal, and return the seconds that it took."""
    environment = {"THISTLEBOT_DATA_DIR": str(data), "THISTLEBOT_JOURNAL_SIZE": size}
    command = [sys.executable, "-m", "thistlebot", *arguments]
    began = time.perf_counter()
    subprocess.run(command, env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _fill(store: Store, runs: int, recorded: _Recorded, *, pictured: int) -> None:
    """Put runs like the one into a journal; the last `pictured` ones have pictures."""
    row, run, pictures = recorded
    draws = random.Random(17)
    for number in range(runs):
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
        if number >= runs - pictured:
            for picture in pictures:
                store.add_picture(uid, picture)


def _costs_ms(data: Path, run: StoredRun, pictures: tuple[Picture, ...], times: int) -> list[float]:
    """Tell a run to a journal so many times, and return what each cost the thread that tells."""
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
            time.sleep(0.3)  # a machine turns meanwhile, and the writer writes
    return costs


def _tell(recording: Recording, events: list[Event], frames: list[tuple[int, Frame]]) -> None:
    """Tell a run as the session does, half of the pictures at each look."""
    waiting = list(frames)
    for event in events:
        if isinstance(event, Looked):
            for camera, frame in waiting[: len(frames) // 2]:
                recording.take_picture(camera, frame)
            del waiting[: len(frames) // 2]
        recording(event)


if __name__ == "__main__":
    main()
