"""Motors buzzed, searched and stopped by a page's wish on the virtual machine."""

from pathlib import Path

from thistlebot.control.calibrate_commands import (
    Buzz,
    FlipDirection,
    MeasureMotors,
    SaveMotors,
)
from thistlebot.session.machine import open_machine


def test_a_buzz_is_there_and_back(workshop) -> None:
    shop = workshop()
    assert [part.name for part in shop.pane.motors.parts] == list("URFDLB")
    before = shop.view.cube.facelets
    pane = shop.do(Buzz("R"))
    assert shop.view.attention is None
    assert pane.motors.doing == ""
    assert shop.view.cube.facelets == before
    shop.do(Buzz("X"))
    assert "'X' is no part of rig" in shop.view.attention.text


def test_actions_of_other_machines_are_buzzed(workshop) -> None:
    shop = workshop(rig=Path("cubotino"))
    names = [part.name for part in shop.pane.motors.parts]
    assert shop.pane.motors.searchable == ""
    shop.do(Buzz(names[0]))
    assert shop.view.attention is None
    shop.do(MeasureMotors("U"))
    assert "motors on faces; here: none" in shop.view.attention.text


def test_a_search_leaves_a_trace_trial_by_trial(workshop) -> None:
    shop = workshop()
    pane = shop.do(MeasureMotors("R"))
    assert shop.view.attention is None
    motors = pane.motors
    assert [trial.number for trial in motors.trials] == list(range(1, len(motors.trials) + 1))
    assert [trial.held for trial in motors.trials] == [True] * (len(motors.trials) - 1) + [False]
    times = [trial.quarter_ms for trial in motors.trials]
    assert times == sorted(times, reverse=True)
    (found,) = motors.found
    assert found.face == "R"
    assert found.fastest_ms < found.quarter_ms
    assert motors.can_save
    assert (motors.doing, motors.align) == ("", "")
    saved = shop.do(SaveMotors()).motors
    assert (saved.saved, saved.can_save) == ("-", False)  # a virtual machine has no rig file
    assert not (shop.folders.config / "rig.toml").exists()


def test_a_search_that_is_stopped_ends_and_keeps_its_trace(workshop) -> None:
    shop = workshop(opening=open_machine)  # in real time
    shop.begin(MeasureMotors("URF"))
    shop.wait(lambda: len(shop.pane.motors.trials) >= 1)
    shop.worker.stop()
    shop.wait(lambda: shop.worker._task is None)
    assert shop.view.attention.kind == "stopped"
    motors = shop.pane.motors
    assert (motors.doing, motors.can_save) == ("", False)
    assert motors.trials
    pane = shop.do(Buzz("U"))
    assert shop.view.attention is None
    assert pane.motors.doing == ""


def test_a_direction_of_a_virtual_motor_is_not_written(workshop) -> None:
    shop = workshop()
    assert shop.do(FlipDirection("U")).motors.saved == "-"
    assert not (shop.folders.config / "rig.toml").exists()
    shop.do(FlipDirection("X"))
    assert "has no motor 'X'" in shop.view.notes[-1]
