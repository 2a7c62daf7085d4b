"""Recorded runs are decided again, the same, from their pictures."""

import msgspec
import pytest
from recorded_runs import Journals

from thistlebot.errors import UsageError
from thistlebot.history.replay import replay
from thistlebot.journal.rows import Outcome
from thistlebot.runs.events import Diagnosed, Planned
from thistlebot.runs.run_record import context_of, events_of


def test_a_solve_is_decided_the_same(journals: Journals) -> None:
    row, run, pictures = journals.run(5)
    assert row.outcome is Outcome.VERIFIED
    assert row.first_right is True
    assert len(pictures) == 4
    assert replay(run, pictures) == ()


@pytest.mark.parametrize("rig", ["cubotino-fast", "claws"])
def test_any_rig_is_replayed(journals: Journals, rig: str) -> None:
    _, run, pictures = journals.run(2, rig)
    assert replay(run, pictures) == ()


def test_a_run_that_ends_unverified_is_told_again(journals: Journals) -> None:
    row, run, pictures = journals.run(3, slip_at_move=4)
    assert row.outcome is Outcome.UNVERIFIED
    assert "motor U" in row.told
    assert replay(run, pictures) == ()


@pytest.mark.parametrize("fault", ["loose_at_move", "doubled_at_move"])
def test_a_turn_that_failed_is_told_again(journals: Journals, fault: str) -> None:
    row, run, pictures = journals.run(3, **{fault: 4})
    events = [event for _, event in events_of(run)]
    assert any(isinstance(event, Diagnosed) for event in events)
    assert sum(isinstance(event, Planned) for event in events) > 1
    assert row.first_right is None
    assert replay(run, pictures) == ()


def test_a_pattern_is_made_again(journals: Journals) -> None:
    row, run, pictures = journals.run(6, target="superflip", loose_at_move=3)
    assert row.outcome is Outcome.VERIFIED
    assert context_of(run).target is not None
    assert replay(run, pictures) == ()


def test_a_run_of_another_version_is_told(journals: Journals) -> None:
    _, run, pictures = journals.run(5)
    strange = (*run.events, (9.0, msgspec.Raw(b'{"event":"danced","steps":3}')))
    other = msgspec.Raw(b'{"moon":1}')
    for foreign in ({"events": strange}, {"context": other}):
        with pytest.raises(UsageError):
            replay(msgspec.structs.replace(run, **foreign), pictures)
