"""A run again, move by move."""

from itertools import pairwise

from recorded_runs import Journals

from cube.facelets import SOLVED_FACELETS, Facelets
from cube.moves import Move
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from thistlebot.history.run_steps import scheme_of, steps_of, steps_of_row
from thistlebot.runs.events import Event, Executed, Planned, Turned
from thistlebot.runs.run_record import events_of

SOLUTION = {
    "facelets": CubeState.from_facelets(SOLVED_FACELETS)
    .apply(Move.parse("R'"))
    .apply(Move.parse("U'"))
    .to_facelets()
    .text,
    "steps": ["U", "R"],
    "stages": [
        {"name": "G0>G1", "moves": ""},
        {"name": "G1>G2", "moves": "U"},
        {"name": "G2>G3", "moves": "R"},
        {"name": "G3>G4", "moves": ""},
    ],
}


def test_a_recorded_solve_ends_solved(journals: Journals) -> None:
    row, run, _ = journals.run(5)
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


def test_moves_that_were_not_made_are_marked() -> None:
    stopped: list[Event] = [Planned(SOLUTION), Turned(1, 2)]
    assert [(step.move, step.stage, step.turned) for step in steps_of(stopped)] == [
        (None, "", True),
        ("U", "G1>G2", True),
        ("R", "G2>G3", False),
    ]
    whole: list[Event] = [Planned(SOLUTION), Turned(1, 2), Executed(2, 1.0)]
    assert all(step.turned for step in steps_of(whole))


def test_a_second_plan_begins_anew() -> None:
    events: list[Event] = [Planned(SOLUTION), Turned(1, 2), Planned(SOLUTION), Executed(2, 1.0)]
    steps = steps_of(events)
    assert [step.move for step in steps] == [None, "U", "R", None, "U", "R"]
    assert [step.turned for step in steps] == [True, True, False, True, True, True]


def test_without_a_plan_there_is_nothing_to_play() -> None:
    assert steps_of([]) == ()
