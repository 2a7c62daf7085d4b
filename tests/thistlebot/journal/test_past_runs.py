"""The journal as it is read: runs of the past, move by move, and decided again."""

from pathlib import Path

import msgspec
import pytest
from journals import SOLUTION, keep, row
from recorded_runs import Journals

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from solver.stages.solution import ALL_CHAINS, Solution
from thistlebot.config import Folders
from thistlebot.errors import ComputerError, UsageError
from thistlebot.events import Diagnosed, Event, Executed, Planned, Turned, Verified
from thistlebot.journal.journal import Journal
from thistlebot.journal.one_run import steps_of
from thistlebot.journal.past_runs import find_run, past_runs
from thistlebot.journal.rows import Outcome
from thistlebot.journal.run_record import context_of, events_of
from thistlebot.journal.run_row import row_of
from thistlebot.journal.store import FILE
from thistlebot.journal.tail import BeginEntry
from thistlebot.records import full_solve_record
from thistlebot.session.recorded_world import PlayedSolver
from thistlebot.session.replay import replay


def folders(data: Path) -> Folders:
    return Folders(data, data, data, data, data)


def test_runs_are_found_by_number_uid_and_as_the_last(tmp_path: Path) -> None:
    """Uids are random: a number that is no run is not taken for the beginning of one."""
    keep(tmp_path, [row(1, uid="aa11cc"), row(3, uid="aa11dd"), row(2, uid="2b33ee")])
    with past_runs(folders(tmp_path)) as store:
        for name, number in (
            *(("1", 1), ("2", 2), ("3", 3)),
            *(("last", 3), ("aa11c", 1), ("AA11D", 2), ("aa11dd", 2), ("2b33", 3)),
        ):
            assert find_run(store, name) == number
        for name, named in (("4", "3"), ("2b3", "2b3"), ("", "1"), ("aa11", "aa11cc.*aa11dd")):
            with pytest.raises(UsageError, match=named):
                find_run(store, name)


def test_a_journal_without_runs_says_so(tmp_path: Path) -> None:
    with past_runs(folders(tmp_path / "new")) as store, pytest.raises(UsageError):
        find_run(store, "last")


def test_what_a_killed_program_left_is_taken_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path, 10**8, row_of)
    journal.say(BeginEntry("cafe", 1e9, context=msgspec.Raw(b"{}")))
    journal.close()
    with past_runs(folders(tmp_path)) as store:
        ((_, found),) = list(store.rows())
    assert (found.uid, found.outcome) == ("cafe", Outcome.CUT_OFF)


def test_a_journal_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    told: list[str] = []
    with pytest.raises(ComputerError), past_runs(folders(tmp_path), told.append):
        pass
    assert len(told) == 1


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


@pytest.mark.parametrize("of_inverse", [False, True])
def test_a_solution_is_found_again_with_its_stages(of_inverse: bool) -> None:
    moves = MoveSequence.parse("R U2 F' D L2 B' R2 U F2")
    state = SOLVED.apply(moves.inverse())
    for chain in ALL_CHAINS:
        found = Solution(state, moves, chain=chain, of_inverse=of_inverse)
        told = full_solve_record(state.to_facelets(), found, default_rig().plan(moves))
        again = PlayedSolver([Planned(told)])(state)
        assert (again.moves, again.stages) == (found.moves, found.stages)


FACE = "U" * 9 + "?" * 45
"""A target that many states fit."""


def test_a_solve_is_decided_the_same(journals: Journals) -> None:
    """Also one of another version is told: an event or a context that this one does not know."""
    row, run, pictures = journals.run(1)
    assert row.outcome is Outcome.VERIFIED
    assert row.first_right is True
    assert len(pictures) == 4
    seen = [time_s for time_s, event in events_of(run) if isinstance(event, Verified)]
    assert row.seconds == seen[-1]  # not when the machine was at rest
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
def test_a_machine_that_handles_the_cube_is_replayed(journals: Journals, rig: str) -> None:
    _, run, pictures = journals.run(2, rig)
    assert replay(run, pictures) == ()


@pytest.mark.parametrize("rig", ["six", "cubotino"])
@pytest.mark.usefixtures("simulated_time")
def test_a_second_look_after_a_long_search_is_replayed(journals: Journals, rig: str) -> None:
    row, run, pictures = journals.run(2, rig, thinks_s=100)
    assert row.outcome is Outcome.VERIFIED
    assert len(pictures) > len(journals.run(2, rig)[2])
    assert replay(run, pictures) == ()


def test_a_run_that_ends_unverified_is_told_again(journals: Journals) -> None:
    row, run, pictures = journals.run(3, slip_at_move=4)
    assert row.outcome is Outcome.UNVERIFIED
    assert "motor U" in row.told
    assert replay(run, pictures) == ()


@pytest.mark.parametrize("target", ["superflip", FACE])
def test_a_target_whose_turn_failed_is_told_again(journals: Journals, target: str) -> None:
    row, run, pictures = journals.run(6, target=target, loose_at_move=3)
    events = [event for _, event in events_of(run)]
    assert any(isinstance(event, Diagnosed) for event in events)
    assert sum(isinstance(event, Planned) for event in events) > 1
    assert row.outcome is Outcome.VERIFIED
    assert row.first_right is None
    assert context_of(run).target is not None
    assert replay(run, pictures) == ()
