"""The journal as it is read: at a glance, one run move by move, its bundle, read again."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from journals import SOLUTION, folders_in, keep, row
from recorded_runs import Recorded, recorded, solve_virtually

from cube.facelets import SOLVED_FACELETS, Facelets
from cube.moves import Move
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from thistlebot.config import Folders
from thistlebot.errors import ComputerError, UsageError
from thistlebot.events import Diagnosed, Entered, Event, Executed, Phase, Planned, Turned, Verified
from thistlebot.journal.database_file import FILE
from thistlebot.journal.journal import Journal
from thistlebot.journal.one_run import one_run, picture_of, scheme_of, steps_of, steps_of_row
from thistlebot.journal.overview import overview_of, solving_rows
from thistlebot.journal.past_runs import find_run, past_runs
from thistlebot.journal.rows import EVERY_RUN, Outcome, StoredRun
from thistlebot.journal.run_record import events_of
from thistlebot.session.replay import replay


def test_runs_are_found_by_number_uid_and_as_the_last(tmp_path: Path) -> None:
    """Uids are random: a number that is no run is not taken for the beginning of one."""
    keep(tmp_path, [row(1, uid="aa11cc"), row(3, uid="aa11dd"), row(2, uid="2b33ee")])
    with past_runs(folders_in(tmp_path)) as store:
        for name, number in (
            *(("1", 1), ("2", 2), ("3", 3)),
            *(("last", 3), ("aa11c", 1), ("AA11D", 2), ("aa11dd", 2), ("2b33", 3)),
        ):
            assert find_run(store, name) == number
        for name, named in (("4", "3"), ("2b3", "2b3"), ("", "1"), ("aa11", "aa11cc.*aa11dd")):
            with pytest.raises(UsageError, match=named):
                find_run(store, name)


def test_what_is_no_journal_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(ComputerError), past_runs(folders_in(tmp_path)):
        pass


def test_runs_are_read_on_a_full_disk(tmp_path: Path) -> None:
    """A run that was interrupted is summed up when there is room again."""
    keep(tmp_path, [row(1)])
    with Journal(tmp_path, 10**8) as journal:
        journal.begin(StoredRun(uid="cafe", began=1e9, context=msgspec.Raw(b"{}")))
    (tmp_path / f"{FILE}-shm").symlink_to("nowhere")  # as on a full disk it cannot be made
    with past_runs(folders_in(tmp_path)) as store:
        assert [found for _, found in store.latest(EVERY_RUN)] == [row(1)]
    assert len(overview_of(folders_in(tmp_path), virtual=False).rows) == 1
    (tmp_path / f"{FILE}-shm").unlink()
    with past_runs(folders_in(tmp_path)) as store:
        assert [found.uid for _, found in store.latest(EVERY_RUN)] == [row(1).uid, "cafe"]


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="root may write everywhere without it")
def test_runs_are_read_on_a_read_only_disk(tmp_path: Path) -> None:
    keep(tmp_path / "data", [row(1)])
    (tmp_path / "data" / FILE).chmod(0o400)
    (tmp_path / "data").chmod(0o500)
    powerless = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    command = [*(powerless if os.geteuid() == 0 else ()), sys.executable, "-m", "thistlebot"]
    done = subprocess.run(
        [*command, "history", "--json"],
        env=os.environ | {"THISTLEBOT_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=True,
    )
    (tmp_path / "data").chmod(0o700)
    assert row(1).uid in done.stdout
    assert [each.name for each in (tmp_path / "data").iterdir()] == [FILE]


def test_moves_that_were_not_made_are_marked() -> None:
    stopped: list[Event] = [Planned(SOLUTION), Turned(1, 2)]
    assert [(step.move, step.stage, step.turned) for step in steps_of(stopped)] == [
        (None, "", True),
        ("U", "G1>G2", True),
        ("R", "G2>G3", False),
    ]
    assert all(step.turned for step in steps_of([*stopped, Executed(2, 1.0)]))
    assert steps_of([]) == ()
    steps = steps_of([*stopped, Planned(SOLUTION), Executed(2, 1.0)])  # a plan begins anew
    assert [step.move for step in steps] == [None, "U", "R", None, "U", "R"]
    assert [step.turned for step in steps] == [True, True, False, True, True, True]


@pytest.fixture(scope="module")
def two_solves(cache_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """A journal with two solves."""
    folder = tmp_path_factory.mktemp("past")
    for seed in (1, 2):
        solve_virtually(cache_folder, folder, seed)
    return folders_in(folder)


def test_a_solve_is_read_the_same(two_solves: Folders) -> None:
    ((row, run, pictures), _) = recorded(two_solves.data)
    assert row.outcome is Outcome.VERIFIED
    assert row.first_right is True
    assert len(pictures) == 4
    seen = [time_s for time_s, event in events_of(run) if isinstance(event, Verified)]
    assert row.seconds == seen[-1]  # not when the machine was at rest
    assert not replay(run, pictures).differences
    strange = (*run.events, (9.0, msgspec.Raw(b'{"event":"danced","steps":3}')))
    for other in (
        msgspec.structs.replace(run, events=strange),
        msgspec.structs.replace(run, context=msgspec.Raw(b'{"moon":1}')),
    ):
        with pytest.raises(UsageError):
            replay(other, pictures)


Solved = Callable[..., Recorded]


@pytest.fixture
def solved(cache_folder: Path, tmp_path: Path) -> Solved:
    """Solve one cube on the virtual machine; options are those of `solve_virtually`."""

    def play(seed: int, **options: Any) -> Recorded:
        solve_virtually(cache_folder, tmp_path, seed, **options)
        [found] = recorded(tmp_path)
        return found

    return play


@pytest.mark.usefixtures("simulated_time")
def test_a_second_look_after_a_long_search_is_replayed(solved: Solved) -> None:
    row, run, looks = solved(2, thinks_s=100)
    assert row.outcome is Outcome.VERIFIED
    assert [event for _, event in events_of(run)].count(Entered(Phase.SCAN)) == 2
    assert not replay(run, looks).differences


def test_looks_after_a_failed_turn_are_read_the_same(solved: Solved) -> None:
    row, run, pictures = solved(6, target="superflip", loose_at_move=3)
    events = [event for _, event in events_of(run)]
    assert any(isinstance(event, Diagnosed) for event in events)
    assert sum(isinstance(event, Planned) for event in events) > 1
    assert row.outcome is Outcome.VERIFIED
    assert row.first_right is None
    assert not replay(run, pictures).differences


def test_the_newest_runs_come_first_and_are_summed_up(two_solves: Folders) -> None:
    found = overview_of(two_solves, virtual=True)
    assert [number for number, _ in found.rows] == [2, 1]
    assert {row.outcome for _, row in found.rows} == {Outcome.VERIFIED}
    assert found.summary.solves == 2
    assert found.summary.best_s == min(row.seconds or 0.0 for _, row in found.rows)
    assert [number for number, _ in found.times] == [1, 2]
    for (_, times), (_, run) in zip(found.times, reversed(found.rows), strict=True):
        assert times.total_s == pytest.approx(run.seconds)
        assert all(time_s > 0 for time_s in times.by_phase.values())
    rows = solving_rows(two_solves, virtual=True)  # the oldest first
    assert list(rows) == [row for _, row in reversed(found.rows)]
    assert rows[0].began <= rows[1].began


def test_one_run_has_its_cube_its_times_and_its_pictures(two_solves: Folders) -> None:
    run = one_run(two_solves, "2")
    (_, (row, _, pictures)) = recorded(two_solves.data)
    assert run.row == row
    assert run.whole
    assert len(run.steps) == (row.turns or 0) + 1
    assert [number for number, _ in run.pictures] == [each.number for each in pictures]
    assert picture_of(two_solves, "2", run.pictures[0][0]) == pictures[0].png
    assert picture_of(two_solves, "2", 999) is None
    with pytest.raises(UsageError, match="77"):
        one_run(two_solves, "77")


def test_a_recorded_solve_is_played_until_it_is_solved(two_solves: Folders) -> None:
    ((row, run, _), _) = recorded(two_solves.data)
    events = [event for _, event in events_of(run)]
    steps = steps_of(events)
    assert steps[0].facelets == row.facelets
    assert steps[0].move is None
    assert steps[-1].facelets == SOLVED_FACELETS.text
    assert all(step.turned for step in steps)
    assert {step.stage for step in steps} - {""} <= {"G0>G1", "G1>G2", "G2>G3", "G3>G4"}
    for before, after in pairwise(steps):
        state = CubeState.from_facelets(Facelets(before.facelets))
        assert state.apply(Move.parse(after.move)).to_facelets().text == after.facelets
    assert [step.facelets for step in steps_of_row(row)][-1] == SOLVED_FACELETS.text
    assert scheme_of(events) == WESTERN_SCHEME
