"""Motors buzzed, searched and stopped by a page's wish on the virtual machine."""

from pathlib import Path

from thistlebot.control.commands import (
    Buzz,
    FlipDirection,
    MeasureMotors,
    SaveMotors,
)


def test_a_buzz_is_there_and_back(workshop) -> None:
    setup = workshop()
    assert [part.name for part in setup.pane.motors.parts] == list("URFDLB")
    before = setup.view.cube.facelets
    view = setup.do(Buzz("R"))
    assert view.attention is None
    assert setup.pane.motors.doing == ""
    assert view.cube.facelets == before
    assert "'X'" in setup.refused(Buzz("X"))
    setup.do(FlipDirection("U"))
    assert setup.pane.motors.saved == "-"  # a virtual machine has no rig file
    assert not (setup.folders.config / "rig.toml").exists()
    assert "'X'" in setup.refused(FlipDirection("X"))


def test_actions_of_other_machines_are_buzzed(workshop) -> None:
    setup = workshop(rig=Path("cubotino"))
    names = [part.name for part in setup.pane.motors.parts]
    assert setup.pane.motors.searchable == ""
    assert setup.do(Buzz(names[0])).attention is None
    assert setup.refused(MeasureMotors("U"))


def test_a_search_leaves_a_trace_trial_by_trial(workshop) -> None:
    setup = workshop()
    assert setup.do(MeasureMotors("R")).attention is None
    motors = setup.pane.motors
    assert [trial.number for trial in motors.trials] == list(range(1, len(motors.trials) + 1))
    assert [trial.held for trial in motors.trials] == [True] * (len(motors.trials) - 1) + [False]
    times = [trial.quarter_ms for trial in motors.trials]
    assert times == sorted(times, reverse=True)
    (found,) = motors.found
    assert found.face == "R"
    assert found.fastest_ms < found.quarter_ms
    assert motors.can_save
    assert (motors.doing, motors.align) == ("", "")
    setup.do(SaveMotors())
    saved = setup.pane.motors
    assert (saved.saved, saved.can_save) == ("-", False)  # a virtual machine has no rig file
    assert not (setup.folders.config / "rig.toml").exists()


def test_a_search_that_is_stopped_ends_and_keeps_its_trace(workshop) -> None:
    setup = workshop()
    setup.when(lambda _: len(setup.pane.motors.trials) >= 1, setup.worker.stop)
    assert setup.do(MeasureMotors("URF")).attention.kind == "stopped"
    motors = setup.pane.motors
    assert (motors.doing, motors.can_save) == ("", False)
    assert motors.trials
    assert setup.do(Buzz("U")).attention is None
    assert setup.pane.motors.doing == ""
