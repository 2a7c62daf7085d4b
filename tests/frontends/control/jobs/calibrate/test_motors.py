"""Motors buzzed, searched and stopped by a page's wish on the virtual machine."""

from pathlib import Path

import pytest
from benches import machine

from documents.typed_toml import load_document
from frontends.control.commands import (
    Answer,
    Buzz,
    FlipDirection,
    MeasureMotors,
    MeasureParts,
    SaveMotors,
)
from robot.ports.port import SimulatedClock
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import rig_text
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.session.machine import Machine


def test_a_buzz_is_there_and_back_and_a_search_leaves_a_trace_trial_by_trial(workshop) -> None:
    """What the trials of a search are is tested in tests/calibration."""
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
    assert setup.do(MeasureMotors("R")).attention is None
    motors = setup.pane.motors
    assert [trial.number for trial in motors.trials] == list(range(1, len(motors.trials) + 1))
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


FAST = machine("cubotino-fast")


def test_the_virtual_machine_is_measured_with_a_trace(workshop) -> None:
    setup = workshop(rig=Path("cubotino-fast"))
    assert setup.pane.motors.measurable == tuple(FAST.variables)
    assert setup.do(MeasureParts("cover")).attention is None
    motors = setup.pane.motors
    assert motors.trials
    assert {trial.face for trial in motors.trials} == {found.face for found in motors.found}
    for found in motors.found:
        held = [t.quarter_ms for t in motors.trials if t.face == found.face and t.held]
        assert found.fastest_ms in held
        assert found.quarter_ms >= found.fastest_ms
    assert (motors.doing, motors.asking, motors.can_save) == ("", None, True)
    setup.do(SaveMotors())
    assert setup.pane.motors.saved == "-"


def test_a_person_answers_on_the_page_and_the_file_is_written(
    workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rig.toml"
    file.write_text(rig_text("cubotino-fast"))
    clock = SimulatedClock()
    virtual = VirtualRig(FAST, clock)

    def plugged_in(*_: object) -> VirtualRig:
        virtual.reopen()
        return virtual

    def real(opened: Machine) -> None:
        opened._clock = clock

    monkeypatch.setattr("thistlebot.session.machine.open_port", plugged_in)
    setup = workshop(real, virtual=False, rig=file, port="board")
    setup.begin(MeasureParts("cover", times=False))
    flipped, closed = [""] * 12 + ["here"], ["", "", "", "", "", "+", "+", ""]
    asked = []
    for said in ["", "", "", "", *flipped, *closed]:
        setup.wait(lambda: setup.pane.motors.asking is not None)
        asking = setup.pane.motors.asking
        asked.append(asking.kind)
        setup.worker.tell(Answer("nonsense"))  # is passed over
        setup.worker.tell(Answer(said))
        setup.wait(lambda asking=asking: setup.pane.motors.asking is not asking)
    setup.rest()
    assert asked[:3] == ["do"] * 3
    assert set(asked[3:]) == {"place"}
    assert setup.pane.motors.can_save
    assert file.read_text() == rig_text("cubotino-fast")
    setup.do(SaveMotors())
    assert setup.pane.motors.saved == str(file)
    made = load_document(file, ActionMachine)
    assert made.variables["cover"].pulse_us == (1020, 1300, 1950)
    assert virtual.parts.servos[1].at_us == 1300


def test_actions_of_other_machines_are_buzzed_and_a_part_that_there_is_not_is_refused(
    workshop,
) -> None:
    setup = workshop(rig=Path("cubotino-fast"))
    names = [part.name for part in setup.pane.motors.parts]
    assert setup.pane.motors.searchable == ""
    assert setup.do(Buzz(names[0])).attention is None
    assert setup.refused(MeasureMotors("U"))
    assert "'lid'" in setup.refused(MeasureParts("lid"))
    assert "'cover'" in setup.refused(FlipDirection("cover"))  # it has no direction
    assert setup.pane.motors.saved == ""
