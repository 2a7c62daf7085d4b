"""A run as pictures of its cube, one a move: what can be played again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from thistlebot.journal.rows import RunRow
from thistlebot.runs.events import Event, Executed, Planned, Read, Turned


@dataclass(frozen=True, slots=True)
class RunStep:
    """The cube after a move.

    Attributes:
        facelets: What it shows.
        move: The move; None where nothing was turned, as at the beginning and where the run looked
            again and planned anew.
        stage: Name of the stage that begins with the move; mostly empty.
        turned: Whether the board acknowledged the move.
    """

    facelets: str
    move: str | None = None
    stage: str = ""
    turned: bool = True


def steps_of(events: Sequence[Event]) -> tuple[RunStep, ...]:
    """Return the cube before the first move, and after each; empty when nothing was planned.

    Args:
        events: Of the run, in order.
    """
    found: list[RunStep] = []
    for number, event in enumerate(events):
        if isinstance(event, Planned):
            found += _plan(event.solution, _done(events[number + 1 :]))
    return tuple(found)


def steps_of_row(row: RunRow) -> tuple[RunStep, ...]:
    """Return the same from what is kept longest of a run; which moves were made is not known."""
    if not row.facelets or not row.moves:
        return ()
    moves = [str(move) for move in MoveSequence.parse(row.moves)]
    return tuple(_turn(row.facelets, moves, {}, len(moves)))


def scheme_of(events: Sequence[Event]) -> dict[str, str]:
    """Return the colours of the faces as the run read them."""
    for event in events:
        if isinstance(event, Read) and event.reading.get("scheme"):
            return dict(event.reading["scheme"])
    return dict(WESTERN_SCHEME)


def _done(events: Sequence[Event]) -> int | None:
    """Return how many steps of a plan the board acknowledged; None for all of them.

    Args:
        events: Those after the plan.
    """
    done = 0
    for event in events:
        match event:
            case Planned():
                return done
            case Executed():
                return None
            case Turned(done=now):
                done = now
            case _:
                pass
    return done


def _plan(solution: dict[str, Any], done: int | None) -> list[RunStep]:
    steps = [step.split() for step in solution["steps"]]
    moves = [move for step in steps for move in step]
    made = sum(len(step) for step in (steps if done is None else steps[:done]))
    stages: dict[int, str] = {}
    named = [(stage["name"], stage["moves"].split()) for stage in solution["stages"]]
    if [move for _, those in named for move in those] == moves:
        place = 0
        for name, those in named:
            if those:
                stages[place] = name
            place += len(those)
    return _turn(solution["facelets"], moves, stages, made)


def _turn(facelets: str, moves: Sequence[str], stages: dict[int, str], made: int) -> list[RunStep]:
    state = CubeState.from_facelets(Facelets(facelets))
    found = [RunStep(facelets)]
    for number, move in enumerate(moves):
        state = state.apply(MoveSequence.parse(move))
        shown = state.to_facelets().text
        found.append(RunStep(shown, move, stages.get(number, ""), number < made))
    return found
