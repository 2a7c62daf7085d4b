"""Records runs of the virtual machine and of photo sets, and replays all of them.

    python -m benchmarks.replays --runs 100 --photos DIR

Every third run has a fault: a turn that is not made, one that slips, one that is made twice. If a
replay decides differently, that is a bug of ours: both were decided by the same version, from the
same pictures.
"""

import contextlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.report import Figure, Given, Report, Row, Rows, Wide, parser_of, run
from cube.errors import ThistlebotError
from cube.random_states import random_state
from robot.ports.port import SimulatedClock
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.journal.bundle import read_bundle, write_bundle
from thistlebot.journal.run_record import StoredCube
from thistlebot.journal.run_row import journal_size
from thistlebot.journal.store import Store
from thistlebot.reading.readers import PhotoReader
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import open_machine
from thistlebot.session.replay import replay
from thistlebot.solving.approach import QUICK
from thistlebot.solving.solver import Solving

_RIGS = ("six", "six", "cubotino-fast", "claws", "three")
_FAULTS: tuple[Callable[[int], Faults], ...] = (
    lambda at_move: Faults(loose_at_move=at_move),
    lambda at_move: Faults(slip_at_move=at_move),
    lambda at_move: Faults(doubled_at_move=at_move),
)


def measure(given: Given, report: Report) -> Rows:
    """Record runs, and replay them."""
    with tempfile.TemporaryDirectory(prefix="replays-") as name:
        usual = Folders.of_platform()
        data = Path(name)
        folders = Folders(data / "config", usual.cache, data, data / "state", data / "data")
        for number in report.track(range(given.runs), "runs"):
            _solve_virtually(folders, given.seed * 100_000 + number)
        photos = sorted(Path(given.photos).iterdir()) if given.photos else []
        for each in report.track(photos, "photos"):
            _read_photos(folders, each)
        yield from _replay_all(folders, data / "a.zip")


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
        solving = Solving(folders.cache, QUICK, machine.rig)
        _run(lambda: solve_session(machine, solving, ()).run())


def _read_photos(folders: Folders, photos: Path) -> None:
    with open_machine(Choices(), folders) as machine:
        solving = Solving(folders.cache, QUICK, machine.rig)
        reader = PhotoReader(photos, None)
        session = solve_session(
            machine, solving, (), source=reader, stored=StoredCube(), turn=False, verb="photos"
        )
        _run(session.run)


def _run(solve: Callable[[], object]) -> None:
    with contextlib.suppress(ThistlebotError):  # recorded, and replayed like any other end
        solve()


class OutcomeRow(Row):
    """Runs with the same result, and why some of them are not replayed."""

    outcome: Wide
    runs: int = 0
    same: int = 0
    otherwise: int = 0
    not_replayed: dict[str, int] = msgspec.field(default_factory=dict)


class DifferenceRow(Row):
    """The first difference of a run whose replay differs."""

    run: int
    difference: str


def _replay_all(folders: Folders, bundle: Path) -> Rows:
    """Replay every run twice: from the journal, and from a bundle of it."""
    rows: dict[str, OutcomeRow] = {}
    began_s = time.monotonic()
    store = Store(folders.data, journal_size())
    for number, row in store.rows():
        run, pictures = store.run(row.uid), store.pictures(row.uid)
        assert run is not None
        outcome = f"{row.verb}: {row.outcome}"
        told = rows.setdefault(outcome, OutcomeRow(outcome))
        told.runs += 1
        try:
            found = replay(run, pictures)
            write_bundle(bundle, run, pictures)
            bundled = replay(*read_bundle(bundle))
        except UsageError as error:
            told.not_replayed[str(error)] = told.not_replayed.get(str(error), 0) + 1
            continue
        told.same += not found and not bundled
        if differences := (*found, *bundled):
            told.otherwise += 1
            yield DifferenceRow(number, str(differences[0]))
    store.close()
    yield from rows.values()
    yield Figure("time of the replays", round(time.monotonic() - began_s, 1), "s")
    otherwise = sum(each.otherwise for each in rows.values())
    yield Figure.at_most("runs decided otherwise", otherwise, 0)


if __name__ == "__main__":
    run(parser_of(__doc__, runs=100, photos="", seed=1), measure)
