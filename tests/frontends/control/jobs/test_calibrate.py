"""Colours measured, motors buzzed, searched and stopped, and views by points, by a page's wish."""

from pathlib import Path

import msgspec
import pytest
from benches import machine
from cubes import cube_after
from hand_video import record

from cube.state import SOLVED
from documents.typed_toml import load_document
from frontends.control import calibrate_commands
from frontends.control.view_model.calibrate import ViewPoints
from robot.ports.port import SimulatedClock
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import rig_text
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.session.machine import Machine
from vision.colours.profile import ColourProfile
from vision.live.capture import CAPTURE_ORDER


def test_colours_are_measured_shown_saved_and_used_until_they_are_deleted(workshop) -> None:
    """What names and files profiles have is told by tests/calibration."""
    setup = workshop()
    assert setup.refused(calibrate_commands.SaveColours("hall"))  # nothing was measured
    setup.do(calibrate_commands.MeasureColours())
    pane = setup.pane
    assert setup.view.attention is None
    colours = pane.colours
    assert (colours.doing, colours.trouble, colours.can_save) == ("", "", True)
    assert len(colours.pairs) == 15
    assert all(pair.passed for pair in colours.pairs)
    assert [shade.colour for shade in colours.shades][:2] == ["white", "red"]
    assert all(shade.srgb.startswith("#") for shade in colours.shades)
    assert "../rig" in setup.refused(calibrate_commands.SaveColours("../rig"))
    setup.do(calibrate_commands.SaveColours("town hall"))
    pane = setup.pane
    assert (pane.chosen, pane.colours.can_save) == ("town hall (virtual)", False)
    assert pane.colours.saved == "town hall (virtual)"
    file = setup.folders.config / "profiles" / "town hall (virtual).toml"
    assert load_document(file, ColourProfile).name == "town hall (virtual)"
    assert [each.name for each in pane.profiles] == ["town hall (virtual)"]
    assert pane.colours.measured == "town hall (virtual)"
    msgspec.json.encode(setup.view)
    setup.do(calibrate_commands.CopyProfile(pane.chosen, "stage"))
    setup.do(calibrate_commands.ChooseProfile("stage"))
    assert (setup.pane.chosen, setup.pane.colours.measured) == ("stage", "stage")
    assert "'nowhere'" in setup.refused(calibrate_commands.ChooseProfile("nowhere"))
    setup.do(calibrate_commands.DeleteProfile("stage"))
    pane = setup.pane
    assert (pane.chosen, [each.name for each in pane.profiles]) == ("", ["town hall (virtual)"])


def test_colours_that_a_person_shows_become_a_profile_of_a_real_place(
    workshop, tmp_path: Path
) -> None:
    film = tmp_path / "faces.avi"
    record(film, SOLVED, CAPTURE_ORDER)
    setup = workshop(virtual=False, port="/dev/no-such-port", cameras=(str(film),))
    setup.do(calibrate_commands.MeasureColours(by_hand=True))
    colours = setup.pane.colours
    assert (colours.trouble, len(colours.captured), colours.can_save) == ("", 5, True)
    assert [pair.passed for pair in colours.pairs] == [True] * 15
    setup.do(calibrate_commands.SaveColours("Зал"))
    file = setup.folders.config / "profiles" / "Зал.toml"
    assert load_document(file, ColourProfile).name == "Зал"


def test_a_cube_that_is_not_solved_is_told(workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    scrambled = cube_after("R U")
    monkeypatch.setattr("thistlebot.session.bench.SOLVED", scrambled)
    setup = workshop()
    setup.do(calibrate_commands.MeasureColours())
    colours = setup.pane.colours
    assert colours.trouble
    assert not colours.can_save
    assert len(colours.pairs) == 15


def test_a_buzz_is_there_and_back_and_a_search_leaves_a_trace_trial_by_trial(workshop) -> None:
    setup = workshop()
    assert [part.name for part in setup.pane.motors.parts] == list("URFDLB")
    before = setup.view.cube.facelets
    view = setup.do(calibrate_commands.Buzz("R"))
    assert view.attention is None
    assert setup.pane.motors.doing == ""
    assert view.cube.facelets == before
    assert "'X'" in setup.refused(calibrate_commands.Buzz("X"))
    setup.do(calibrate_commands.FlipDirection("U"))
    assert setup.pane.motors.saved == "-"  # a virtual machine has no rig file
    assert not (setup.folders.config / "rig.toml").exists()
    assert "'X'" in setup.refused(calibrate_commands.FlipDirection("X"))
    assert setup.do(calibrate_commands.MeasureMotors("R")).attention is None
    motors = setup.pane.motors
    assert [trial.number for trial in motors.trials] == list(range(1, len(motors.trials) + 1))
    (found,) = motors.found
    assert found.face == "R"
    assert found.quarter_ms > min(trial.quarter_ms for trial in motors.trials if trial.held)
    assert motors.can_save
    assert (motors.doing, motors.align) == ("", "")
    setup.do(calibrate_commands.SaveMotors())
    saved = setup.pane.motors
    assert (saved.saved, saved.can_save) == ("-", False)  # a virtual machine has no rig file
    assert not (setup.folders.config / "rig.toml").exists()


def test_a_search_that_is_stopped_ends_and_keeps_its_trace(workshop) -> None:
    setup = workshop()
    setup.when(lambda _: len(setup.pane.motors.trials) >= 1, setup.worker.stop)
    assert setup.do(calibrate_commands.MeasureMotors("URF")).attention.kind == "stopped"
    motors = setup.pane.motors
    assert (motors.doing, motors.can_save) == ("", False)
    assert motors.trials
    assert setup.do(calibrate_commands.Buzz("U")).attention is None
    assert setup.pane.motors.doing == ""


FAST = machine("cubotino-fast")


def test_a_machine_of_actions_is_measured_and_refuses_what_it_has_not(workshop) -> None:
    """How its times are found is told by tests/calibration."""
    setup = workshop(rig=Path("cubotino-fast"))
    assert setup.pane.motors.measurable == tuple(FAST.variables)
    assert setup.do(calibrate_commands.MeasureParts("cover")).attention is None
    motors = setup.pane.motors
    assert {trial.face for trial in motors.trials} == {found.face for found in motors.found}
    assert (motors.doing, motors.asking, motors.can_save) == ("", None, True)
    assert setup.refused(calibrate_commands.MeasureMotors("U"))
    assert "'lid'" in setup.refused(calibrate_commands.MeasureParts("lid"))
    assert "'cover'" in setup.refused(
        calibrate_commands.FlipDirection("cover")
    )  # it has no direction


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
    setup.begin(calibrate_commands.MeasureParts("cover", times=False))
    flipped, closed = [""] * 12 + ["here"], ["", "", "", "", "", "+", "+", ""]
    asked = []
    for said in ["", "", "", "", *flipped, *closed]:
        setup.wait(lambda: setup.pane.motors.asking is not None)
        asking = setup.pane.motors.asking
        asked.append(asking.kind)
        setup.worker.tell(calibrate_commands.Answer("nonsense"))  # is passed over
        setup.worker.tell(calibrate_commands.Answer(said))
        setup.wait(lambda asking=asking: setup.pane.motors.asking is not asking)
    setup.rest()
    assert asked[:3] == ["do"] * 3
    assert set(asked[3:]) == {"place"}
    assert setup.pane.motors.can_save
    assert file.read_text() == rig_text("cubotino-fast")
    setup.do(calibrate_commands.SaveMotors())
    assert setup.pane.motors.saved == str(file)
    made = load_document(file, ActionMachine)
    assert made.variables["cover"].pulse_us == (1020, 1300, 1950)
    assert virtual.parts.servos[1].at_us == 1300


def shown(setup, command) -> ViewPoints:
    """Do what is commanded, and return the points that are shown then."""
    setup.do(command)
    return setup.pane.points


def test_points_of_a_view_are_shown_judged_and_saved_only_if_they_fit(workshop) -> None:
    """Which points make a view is told by tests/calibration."""
    setup = workshop()
    assert setup.refused(calibrate_commands.MovePoints({"URF": (1.0, 2.0)}))  # none is open
    assert "2" in setup.refused(calibrate_commands.OpenView(7))
    points = shown(setup, calibrate_commands.OpenView(0))
    assert (points.camera, points.sight, points.size) == (0, "URF", (640, 480))
    assert {name for name, _ in points.polygons} >= {"U1", "R1", "F9"}
    assert (points.trouble, points.can_save) == ("", True)
    name, (x, y) = next(iter(points.points.items()))
    moved = shown(setup, calibrate_commands.MovePoints({**points.points, name: (x + 30.0, y)}))
    assert (moved.worst, moved.can_save) == (name, False)
    assert name in moved.trouble
    assert setup.refused(calibrate_commands.SaveView())
    mirrored = {name: (640.0 - x, y) for name, (x, y) in points.points.items()}
    found = shown(setup, calibrate_commands.MovePoints(mirrored))
    assert found.trouble
    assert (found.points, found.polygons) == (mirrored, ())
    assert shown(setup, calibrate_commands.OpenView(0, "DBL")).sight == "DBL"
    setup.do(calibrate_commands.OpenView(0, "URF", fresh=True))
    assert setup.pane.points.points["URF"] == pytest.approx((319.5, 239.5), abs=2.0)
    assert setup.do(calibrate_commands.SaveView()).attention is None
    assert setup.pane.points.saved == "-"  # a virtual machine has no view file
