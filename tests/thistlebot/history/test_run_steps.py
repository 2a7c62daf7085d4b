"""A run again, move by move; a recorded one is in test_overview.py."""

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import CubeState
from thistlebot.history.run_steps import steps_of
from thistlebot.runs.events import Event, Executed, Planned, Turned

SOLUTION = {
    "facelets": CubeState.from_facelets(SOLVED_FACELETS)
    .apply(MoveSequence.parse("R' U'"))
    .to_facelets()
    .text,
    "steps": ["U", "R"],
    "stages": [
        {"name": name, "moves": moves}
        for name, moves in (("G0>G1", ""), ("G1>G2", "U"), ("G2>G3", "R"), ("G3>G4", ""))
    ],
}


def test_moves_that_were_not_made_are_marked() -> None:
    stopped: list[Event] = [Planned(SOLUTION), Turned(1, 2)]
    assert [(step.move, step.stage, step.turned) for step in steps_of(stopped)] == [
        (None, "", True),
        ("U", "G1>G2", True),
        ("R", "G2>G3", False),
    ]
    whole: list[Event] = [Planned(SOLUTION), Turned(1, 2), Executed(2, 1.0)]
    assert all(step.turned for step in steps_of(whole))
    assert steps_of([]) == ()


def test_a_second_plan_begins_anew() -> None:
    events: list[Event] = [Planned(SOLUTION), Turned(1, 2), Planned(SOLUTION), Executed(2, 1.0)]
    steps = steps_of(events)
    assert [step.move for step in steps] == [None, "U", "R", None, "U", "R"]
    assert [step.turned for step in steps] == [True, True, False, True, True, True]
