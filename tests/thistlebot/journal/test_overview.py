"""The past at a glance, one run of it, move by move, and its bundle."""

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from recorded_runs import recorded, solve_virtually

from cube.facelets import SOLVED_FACELETS, Facelets
from cube.moves import Move
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.events import Phase
from thistlebot.journal.bundle import read_bundle
from thistlebot.journal.one_run import (
    bundle_of,
    one_run,
    overview_of,
    picture_of,
    scheme_of,
    solving_rows,
    steps_of,
    steps_of_row,
)
from thistlebot.journal.rows import Outcome
from thistlebot.journal.run_record import events_of
from thistlebot.session.replay import replay


@pytest.fixture(scope="module")
def folders(cache_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """A journal with two solves."""
    folder = tmp_path_factory.mktemp("past")
    for seed in (1, 2):
        solve_virtually(cache_folder, folder, seed)
    return Folders(folder, folder, folder, folder, folder)


def test_the_newest_runs_come_first_and_are_summed_up(folders: Folders) -> None:
    found = overview_of(folders, virtual=True)
    assert [number for number, _ in found.rows] == [2, 1]
    assert {row.outcome for _, row in found.rows} == {Outcome.VERIFIED}
    assert found.summary.solves == 2
    assert found.summary.best_s == min(row.seconds or 0.0 for _, row in found.rows)
    assert [number for number, _ in found.phases] == [1, 2]
    for _, times in found.phases:
        phases = dict(times)
        assert {Phase.SCAN, Phase.PLAN, Phase.EXECUTE, Phase.VERIFY} <= set(phases)
        assert phases[Phase.EXECUTE] > 0
    rows = solving_rows(folders, virtual=True)  # the oldest first
    assert list(rows) == [row for _, row in reversed(found.rows)]
    assert rows[0].began <= rows[1].began


def test_one_run_has_its_cube_its_times_and_its_pictures(folders: Folders) -> None:
    run = one_run(folders, "2")
    (_, (row, _, pictures)) = recorded(folders.data)
    assert run.row == row
    assert run.whole
    assert len(run.steps) == (row.turns or 0) + 1
    assert [number for number, _ in run.pictures] == [each.number for each in pictures]
    assert picture_of(folders, "2", run.pictures[0][0]) == pictures[0].png
    assert picture_of(folders, "2", 999) is None
    with pytest.raises(UsageError, match="77"):
        one_run(folders, "77")


def test_a_recorded_solve_is_played_until_it_is_solved(folders: Folders) -> None:
    ((row, run, _), _) = recorded(folders.data)
    events = [event for _, event in events_of(run)]
    steps = steps_of(events)
    assert steps[0].facelets == row.facelets
    assert steps[0].move is None
    assert steps[-1].facelets == SOLVED_FACELETS.text
    assert all(step.turned for step in steps)
    assert {step.stage for step in steps} - {""} <= {"G0>G1", "G1>G2", "G2>G3", "G3>G4"}
    for before, after in pairwise(steps):
        state = CubeState.from_facelets(Facelets(before.facelets))
        assert after.move is not None
        assert state.apply(Move.parse(after.move)).to_facelets().text == after.facelets
    assert [step.facelets for step in steps_of_row(row)][-1] == SOLVED_FACELETS.text
    assert scheme_of(events) == WESTERN_SCHEME


def test_a_bundle_has_the_whole_run_and_is_decided_the_same(
    folders: Folders, tmp_path: Path
) -> None:
    name, content = bundle_of(folders, "1")
    (tmp_path / name).write_bytes(content)
    again, seen = read_bundle(tmp_path / name)
    ((_, run, pictures), _) = recorded(folders.data)
    assert again.uid == run.uid
    assert seen == pictures
    assert msgspec.json.decode(again.context) == msgspec.json.decode(run.context)
    assert replay(again, seen) == ()
