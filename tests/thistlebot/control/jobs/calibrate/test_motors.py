"""Motors buzzed, searched and stopped by a page's wish on the virtual machine."""

from pathlib import Path

from thistlebot.control.commands import (
    Buzz,
    FlipDirection,
    MeasureMotors,
    SaveMotors,
)


def test_a_buzz_is_there_and_back(workshop) -> None:
    shop = workshop()
    assert [part.name for part in shop.pane.motors.parts] == list("URFDLB")
    before = shop.view.cube.facelets
    view = shop.do(Buzz("R"))
    assert view.attention is None
    assert shop.pane.motors.doing == ""
    assert view.cube.facelets == before
    assert "'X'" in shop.refused(Buzz("X"))
    shop.do(FlipDirection("U"))
    assert shop.pane.motors.saved == "-"  # a virtual machine has no rig file
    assert not (shop.folders.config / "rig.toml").exists()
    assert "'X'" in shop.refused(FlipDirection("X"))


def test_actions_of_other_machines_are_buzzed(workshop) -> None:
    shop = workshop(rig=Path("cubotino"))
    names = [part.name for part in shop.pane.motors.parts]
    assert shop.pane.motors.searchable == ""
    assert shop.do(Buzz(names[0])).attention is None
    assert shop.refused(MeasureMotors("U"))


def test_a_search_leaves_a_trace_trial_by_trial(workshop) -> None:
    shop = workshop()
    assert shop.do(MeasureMotors("R")).attention is None
    motors = shop.pane.motors
    assert [trial.number for trial in motors.trials] == list(range(1, len(motors.trials) + 1))
    assert [trial.held for trial in motors.trials] == [True] * (len(motors.trials) - 1) + [False]
    times = [trial.quarter_ms for trial in motors.trials]
    assert times == sorted(times, reverse=True)
    (found,) = motors.found
    assert found.face == "R"
    assert found.fastest_ms < found.quarter_ms
    assert motors.can_save
    assert (motors.doing, motors.align) == ("", "")
    shop.do(SaveMotors())
    saved = shop.pane.motors
    assert (saved.saved, saved.can_save) == ("-", False)  # a virtual machine has no rig file
    assert not (shop.folders.config / "rig.toml").exists()


def test_a_search_that_is_stopped_ends_and_keeps_its_trace(workshop) -> None:
    shop = workshop()
    shop.when(lambda _: len(shop.pane.motors.trials) >= 1, shop.worker.stop)
    assert shop.do(MeasureMotors("URF")).attention.kind == "stopped"
    motors = shop.pane.motors
    assert (motors.doing, motors.can_save) == ("", False)
    assert motors.trials
    assert shop.do(Buzz("U")).attention is None
    assert shop.pane.motors.doing == ""
