"""The machine's thread, on the virtual machine: real cameras' code, real protocol, real solver."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import SOLVED
from thistlebot.control import commands
from thistlebot.control.gate import RefusedError
from thistlebot.control.routing import task_of
from thistlebot.history.one_run import overview_of

Make = Callable[..., Any]


def test_a_dry_run_turns_nothing_and_a_solve_ends_verified(workshop: Make) -> None:
    desk = workshop()
    before = desk.state
    view = desk.do(commands.Solve(dry_run=True))
    assert view.dry_run
    assert desk.state == before
    assert before.apply(MoveSequence.parse(" ".join(view.plan.moves))) == SOLVED
    assert "Q" in desk.refused(commands.Turn("R Q"))
    view = desk.do(commands.Solve())
    assert view.verified
    assert desk.state == SOLVED
    assert view.cube.facelets == SOLVED_FACELETS.text
    assert (view.attention, view.solved) == (None, 1)
    assert set(view.times) >= {"total_s", "turn_s", "look_s"}


def test_scramble_copy_and_pattern(workshop: Make) -> None:
    desk = workshop()
    view = desk.do(commands.Remember())
    remembered = desk.state
    assert view.remembered == remembered.to_facelets().text
    view = desk.do(commands.Scramble())
    assert view.attention is None
    assert view.cube.facelets == desk.state.to_facelets().text
    assert desk.state != remembered
    assert desk.do(commands.Copy()).verified
    assert desk.state == remembered
    view = desk.do(commands.Solve(target="superflip"))
    assert view.verified
    assert str(view.cube.facelets) == desk.state.to_facelets().text
    assert desk.worker.close()
    assert overview_of(desk.folders, virtual=True).summary.solves == 0  # neither is a solve


def test_one_job_at_a_time_and_a_stop_in_the_middle_stops_at_a_detent(workshop: Make) -> None:
    desk = workshop()
    scramble = task_of(commands.Scramble())

    def press() -> None:
        with pytest.raises(RefusedError) as caught:
            desk.worker.begin(scramble)
        assert caught.value.kind == "busy"
        desk.worker.stop()

    desk.when(lambda view: view.executed >= 3, press)
    view = desk.do(commands.Solve())
    assert view.attention.kind == "stopped"
    assert 3 <= view.executed < len(view.plan.steps)
    assert desk.state != SOLVED
    assert desk.do(commands.Solve()).verified
    assert desk.state == SOLVED


def test_stop_while_nothing_is_under_way_stops_nothing_later(workshop: Make) -> None:
    desk = workshop()
    desk.worker.stop()
    desk.wait(lambda: not desk.worker._stop.is_set())
    assert desk.do(commands.Solve()).verified


def test_stop_at_any_moment_ends_the_job(workshop: Make) -> None:
    """After each thing that is told of a job; whatever turns comes to rest."""
    desk = workshop()
    for moment in (1, 2, 4, 7, 12, 20):
        told = iter(range(moment))
        desk.when(lambda _, told=told: next(told, None) is None, desk.worker.stop)
        view = desk.do(commands.Scramble())
        assert view.attention is None or view.attention.kind == "stopped", moment
        before = desk.state
        desk.do(commands.Look())
        assert desk.state == before, moment


def test_the_button_on_the_board_solves(workshop: Make) -> None:
    desk = workshop()
    desk.machine.world.rig.press_button()
    desk.wait(lambda: desk.view.run == 1)
    desk.rest()
    assert desk.view.verified
    assert desk.view.last_job == "solve"


def test_a_board_that_is_lost_is_found_again(workshop: Make) -> None:
    desk = workshop()
    desk.machine.world.rig.unplug(60.0)
    desk.wait(lambda: bool(desk.view.notes))
    desk.wait(lambda: desk.opened == 2)
    assert desk.do(commands.Solve()).verified


def test_a_machine_that_is_closed_in_mid_turn_stops_at_a_detent(workshop: Make) -> None:
    desk = workshop()
    closing = threading.Thread(target=desk.worker.close)

    def close() -> None:
        closing.start()
        desk.worker._closing.wait()

    desk.when(lambda view: view.executed >= 2, close)
    desk.begin(commands.Solve())
    desk.worker.ended.wait(60.0)
    closing.join(60.0)
    assert not closing.is_alive()
    assert 2 <= desk.view.executed < len(desk.view.plan.steps)
