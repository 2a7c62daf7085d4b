"""Records runs of the virtual machine and of photo sets, and decides all of them again.

    python -m benchmarks.replays --runs 100 --photos DIR

Every third run has a fault: a turn that is not made, one that slips, one that is made twice. A run
that is decided otherwise than it was recorded is a mistake of ours: both were decided by the same
version, from the same pictures.
"""

import argparse
import contextlib
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cube.errors import ThistlebotError
from cube.random_states import random_state
from robot.ports.port import SimulatedClock
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.history.bundle import read_bundle, write_bundle
from thistlebot.history.replay import replay
from thistlebot.journal.run_record import StoredCube
from thistlebot.journal.run_row import journal_size
from thistlebot.journal.store import Store
from thistlebot.reading.readers import PhotoReader
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import open_machine
from thistlebot.solving.approach import QUICK
from thistlebot.solving.solver import Solving

_RIGS = ("six", "six", "cubotino-fast", "claws", "three")
_FAULTS: tuple[Callable[[int], Faults], ...] = (
    lambda at_move: Faults(loose_at_move=at_move),
    lambda at_move: Faults(slip_at_move=at_move),
    lambda at_move: Faults(doubled_at_move=at_move),
)


def main() -> int:
    """Run from the command line; 1 when a run is decided otherwise."""
    parser = argparse.ArgumentParser(description="Decide recorded runs again.")
    parser.add_argument("--runs", type=int, default=100, help="runs of the virtual machine")
    parser.add_argument("--photos", type=Path, help="a folder of folders with photos")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print a record, not sentences")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="replays-") as name:
        usual = Folders.of_platform()
        data = Path(name)
        folders = Folders(data / "config", usual.cache, data, data / "state", data / "data")
        for number in range(chosen.runs):
            _solve_virtually(folders, chosen.seed * 100_000 + number)
            print(f"{number + 1} of {chosen.runs}", end="\r", file=sys.stderr)
        for photos in sorted(chosen.photos.iterdir()) if chosen.photos else ():
            _read_photos(folders, photos)
        told = _replay_all(folders, data / "a.zip")
    print(json.dumps(told) if chosen.json else "\n".join(f"{k}: {v}" for k, v in told.items()))
    return 1 if told["otherwise"] else 0


def _solve_virtually(folders: Folders, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rig = _RIGS[int(rng.integers(len(_RIGS)))]
    faults = Faults()
    if rng.random() < 1 / 3:
        which, at_move = int(rng.integers(len(_FAULTS))), int(rng.integers(1, 12))
        faults = _FAULTS[which](at_move)
    with open_machine(Choices(Path(rig), virtual=True, seed=seed), folders) as machine:
        machine.hurry()
        clock = SimulatedClock()
        machine.world.rig = VirtualRig(
            machine.rig, clock, state=random_state(rng), faults=faults, seed=seed
        )
        solving = Solving(folders.cache, QUICK, machine.rig, lambda _: None, build=False)
        _run(lambda: solve_session(machine, solving, ()).run())


def _read_photos(folders: Folders, photos: Path) -> None:
    with open_machine(Choices(), folders) as machine:
        solving = Solving(folders.cache, QUICK, machine.rig, lambda _: None, build=False)
        reader = PhotoReader(photos, None)
        session = solve_session(
            machine, solving, (), source=reader, stored=StoredCube(), turn=False, verb="photos"
        )
        _run(session.run)


def _run(solve: Callable[[], object]) -> None:
    with contextlib.suppress(ThistlebotError):  # recorded, and decided again like any other end
        solve()


def _replay_all(folders: Folders, bundle: Path) -> dict[str, object]:
    """Replay every run twice: from the journal, and from a bundle of it."""
    counts: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    otherwise: list[str] = []
    began_s = time.monotonic()
    store = Store(folders.data, journal_size())
    for number, row in store.rows():
        run, pictures = store.run(row.uid), store.pictures(row.uid)
        assert run is not None
        outcomes[f"{row.verb}: {row.outcome}"] += 1
        try:
            found = replay(run, pictures)
            write_bundle(bundle, run, pictures)
            bundled = replay(*read_bundle(bundle))
        except UsageError as error:
            counts[f"not replayed: {error}"] += 1
            continue
        counts["same" if not found and not bundled else "otherwise"] += 1
        otherwise += [f"run {number}: {each}" for each in (*found, *bundled)][:1]
    store.close()
    return {
        "outcomes": dict(outcomes),
        "same": counts.pop("same", 0),
        "otherwise": counts.pop("otherwise", 0),
        "not replayed": dict(counts),
        "differences": otherwise,
        "replays_s": round(time.monotonic() - began_s, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
