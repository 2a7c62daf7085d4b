"""Mistakes that the virtual machine makes on request, and what the session does about them."""

from pathlib import Path

import pytest
from world import cube

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.action_machine.mechanism import NAMES
from thistlebot.config import Folders
from thistlebot.errors import MisreadError, UsageError
from thistlebot.events import Diagnosed, Event, Planned, Read, Verified
from thistlebot.session.choices import Choices, StagedMistake
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.solver import Solve


def events_of(machine: Machine, solve: Solve, mistake: str) -> list[Event]:
    """The events of one session in which a mistake is made; the cube is solved at its end."""
    events: list[Event] = []
    machine.world.rig.state = cube(2)
    machine.mistake = StagedMistake.parse(mistake)
    solve_session(machine, solve, (events.append,)).run()
    assert machine.world.rig.state == SOLVED
    assert [each.reached for each in events if isinstance(each, Verified)][-1]
    assert machine.mistake is None  # it is made once
    return events


def diagnosed(events: list[Event]) -> list[tuple[int, str]]:
    """The number and the move of each turn that went wrong."""
    found = [each for event in events if isinstance(event, Diagnosed) for each in event.deviations]
    return [(each.turn, each.does) for each in found]


@pytest.mark.parametrize("kind", ["short", "slip", "double"])
def test_a_turn_that_goes_wrong_is_found_and_mended(kind: str, solve: Solve) -> None:
    with open_machine(Choices(virtual=True), Folders.of_platform()) as machine:
        machine.hurry()
        plan = next(
            each for each in events_of(machine, solve, "unplug") if isinstance(each, Planned)
        )
        moves = MoveSequence.parse(plan.solution.moves).moves
        kinds = {}
        for number, move in enumerate(moves, start=1):
            kinds[move.turns, str(move) in (plan.solution.steps or ())] = (number, move)
        assert len(kinds) >= 5  # quarter turns either way and half turns, alone and in pairs
        for number, move in kinds.values():
            events = events_of(machine, solve, f"{move.face} {number} {kind}")
            none = kind == "double" and move.turns == 2
            assert none or diagnosed(events) == [(number, str(move))], (number, move)


@pytest.mark.parametrize("rig", sorted({*NAMES} & {"claws", "three"}))
def test_a_holder_that_slips_is_found_and_mended(rig: str, solve: Solve) -> None:
    with open_machine(Choices(Path(rig), virtual=True), Folders.of_platform()) as machine:
        machine.hurry()
        assert len(diagnosed(events_of(machine, solve, "3 short"))) == 1


@pytest.mark.parametrize("mistake", ["glare", "cover"])
def test_a_spoilt_picture_is_doubted_and_mended(mistake: str, solve: Solve) -> None:
    with open_machine(Choices(virtual=True), Folders.of_platform()) as machine:
        machine.hurry()
        events = events_of(machine, solve, mistake)
    first = next(each.reading for each in events if isinstance(each, Read))
    assert first.state == "repaired"
    assert first.facelets == cube(2).to_facelets().text


def test_no_motor_moves_if_the_only_camera_is_covered(solve: Solve) -> None:
    with open_machine(Choices(Path("cubotino"), virtual=True), Folders.of_platform()) as machine:
        machine.hurry()
        with pytest.raises(MisreadError):
            events_of(machine, solve, "cover")
        assert machine.world.rig.state == cube(2)


@pytest.mark.parametrize("text", ["", "7", "Z 3 short", "R 0 slip", "R glare", "short R 7", "R 7"])
def test_what_is_no_mistake_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        StagedMistake.parse(text)
