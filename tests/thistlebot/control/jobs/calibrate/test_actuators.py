"""Places and times of a machine of variables and actions, answered on a page."""

from pathlib import Path

from documents.typed_toml import load_document
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import named_rig, rig_text
from thistlebot.control.calibrate_commands import (
    Answer,
    FlipDirection,
    MeasureParts,
    SaveMotors,
)
from thistlebot.session.machine import open_machine

FAST = named_rig("cubotino-fast")
assert isinstance(FAST, ActionMachine)


def test_the_virtual_machine_is_measured_with_a_trace(workshop) -> None:
    shop = workshop(rig=Path("cubotino-fast"))
    assert shop.pane.motors.measurable == tuple(FAST.variables)
    pane = shop.do(MeasureParts("cover"))
    assert shop.view.attention is None
    motors = pane.motors
    assert motors.trials
    assert {trial.face for trial in motors.trials} == {found.face for found in motors.found}
    for found in motors.found:
        held = [t.quarter_ms for t in motors.trials if t.face == found.face and t.held]
        assert found.fastest_ms in held
        assert found.quarter_ms >= found.fastest_ms
    assert (motors.doing, motors.asking, motors.can_save) == ("", None, True)
    assert shop.do(SaveMotors()).motors.saved == "-"


def test_a_person_answers_on_the_page_and_the_file_is_written(
    workshop, tmp_path: Path, pty_rig
) -> None:
    file = tmp_path / "rig.toml"
    file.write_text(rig_text("cubotino-fast"))
    port, virtual = pty_rig(rig=FAST)
    shop = workshop(opening=open_machine, virtual=False, rig=file, port=port)
    shop.begin(MeasureParts("cover", times=False))
    flipped, closed = [""] * 12 + ["here"], ["", "", "", "", "", "+", "+", ""]
    asked = []
    for said in ["", "", "", "", *flipped, *closed]:
        shop.wait(lambda: shop.pane.motors.asking is not None)
        asking = shop.pane.motors.asking
        asked.append(asking.kind)
        shop.worker.tell(Answer("nonsense"))  # is passed over
        shop.worker.tell(Answer(said))
        shop.wait(lambda asking=asking: shop.pane.motors.asking is not asking)
    shop.wait(lambda: shop.worker._task is None)
    assert asked[:3] == ["do"] * 3
    assert set(asked[3:]) == {"place"}
    assert shop.pane.motors.can_save
    assert file.read_text() == rig_text("cubotino-fast")
    saved = shop.do(SaveMotors()).motors
    assert saved.saved == str(file)
    made = load_document(file, ActionMachine)
    assert made.variables["cover"].pulse_us == (1020, 1300, 1950)
    assert virtual.parts.servos[1].at_us == 1300


def test_what_has_no_direction_is_not_flipped(workshop) -> None:
    shop = workshop(rig=Path("cubotino-fast"))
    shop.do(FlipDirection("cover"))
    assert "has no motor 'cover'" in shop.view.notes[-1]


def test_a_part_that_there_is_not_is_refused(workshop) -> None:
    shop = workshop(rig=Path("cubotino-fast"))
    shop.do(MeasureParts("lid"))
    assert "'lid' is no part of it" in shop.view.attention.text
    six = workshop()
    six.do(MeasureParts())
    assert "motors on faces" in six.view.attention.text
