"""Recorded runs are decided again, the same, from their pictures."""

from pathlib import Path

import msgspec
import pytest
from recorded_runs import recorded, solve_virtually

from thistlebot.errors import NotVerifiedError, UsageError
from thistlebot.history.replay import replay
from thistlebot.journal.rows import Outcome
from thistlebot.runs.events import Diagnosed, Planned
from thistlebot.runs.run_record import context_of, events_of


def test_a_solve_is_decided_the_same(cache_folder: Path, tmp_path: Path) -> None:
    """Also one of another version is told: an event or a context that this one does not know."""
    solve_virtually(cache_folder, tmp_path, 1)
    [(row, run, pictures)] = recorded(tmp_path)
    assert row.outcome is Outcome.VERIFIED
    assert row.first_right is True
    assert len(pictures) == 4
    assert replay(run, pictures) == ()
    strange = (*run.events, (9.0, msgspec.Raw(b'{"event":"danced","steps":3}')))
    for other in (
        msgspec.structs.replace(run, events=strange),
        msgspec.structs.replace(run, context=msgspec.Raw(b'{"moon":1}')),
    ):
        with pytest.raises(UsageError):
            replay(other, pictures)


@pytest.mark.parametrize(
    "rig", ["cubotino", pytest.param("four-claws", marks=pytest.mark.exhaustive)]
)
@pytest.mark.usefixtures("simulated_time")
def test_a_machine_that_handles_the_cube_is_replayed(
    cache_folder: Path, tmp_path: Path, rig: str
) -> None:
    solve_virtually(cache_folder, tmp_path, 2, rig)
    [(_, run, pictures)] = recorded(tmp_path)
    assert replay(run, pictures) == ()


def test_a_run_that_ends_unverified_is_told_again(cache_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(NotVerifiedError):
        solve_virtually(cache_folder, tmp_path, 3, slip_at_move=4)
    [(row, run, pictures)] = recorded(tmp_path)
    assert row.outcome is Outcome.UNVERIFIED
    assert "motor U" in row.told
    assert replay(run, pictures) == ()


def test_a_pattern_whose_turn_failed_is_told_again(cache_folder: Path, tmp_path: Path) -> None:
    solve_virtually(cache_folder, tmp_path, 6, target="superflip", loose_at_move=3)
    [(row, run, pictures)] = recorded(tmp_path)
    events = [event for _, event in events_of(run)]
    assert any(isinstance(event, Diagnosed) for event in events)
    assert sum(isinstance(event, Planned) for event in events) > 1
    assert row.outcome is Outcome.VERIFIED
    assert row.first_right is None
    assert context_of(run).target is not None
    assert replay(run, pictures) == ()
