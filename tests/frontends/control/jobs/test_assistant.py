"""The steps of the assistant, on machines with and without a board."""

import tomllib

import msgspec
import pytest

from documents.errors import ConfigError
from frontends.control.assistant_commands import (
    AssistantStep,
    ChooseRig,
    FindDevices,
    GoToStep,
    JudgePart,
    TryPart,
    UseCamera,
)
from frontends.control.commands import HandBegin, Look, Solve
from frontends.control.jobs.assistant import (
    AssistantState,
    load_state,
    names_machine,
    opens_first,
    resumed_choices,
    state_file,
)
from frontends.control.view_model.view import AssistantPane
from frontends.panel.server.serving import drawing
from robot.rigs.catalogue import NAMES, cautious_rig_text
from thistlebot.config import Folders
from thistlebot.session.choices import Choices


def pane(setup) -> AssistantPane:
    return setup.view.panes.assistant


def settle(setup, command) -> AssistantPane:
    """Do what is commanded; return what is shown when the machine is open again."""
    setup.do(command)
    setup.wait(lambda: not pane(setup).opening)
    return pane(setup)


def test_a_virtual_rig_is_chosen_checked_solved_and_resumed(workshop) -> None:
    setup = workshop()
    assert opens_first(setup.folders)
    shown = settle(setup, ChooseRig("cubotino", virtual=True))
    assert (setup.view.machine.rig, setup.view.machine.virtual) == ("cubotino", True)
    assert (shown.step, shown.board_trouble, shown.camera_trouble) == ("devices", "", "")
    assert setup.view.machine.cameras
    setup.do(GoToStep(AssistantStep.DIRECTIONS))
    part = setup.pane.motors.parts[0].name
    assert part in setup.refused(JudgePart(part, right=True))  # it was not tried
    setup.do(TryPart(part))
    assert pane(setup).tried == part
    setup.do(JudgePart(part, right=True))
    expected = AssistantState(AssistantStep.DIRECTIONS, "cubotino", True, (part,))
    assert load_state(setup.folders) == expected
    again = resumed_choices(Choices(), setup.folders)
    assert (str(again.rig), again.virtual) == ("cubotino", True)
    setup.do(GoToStep(AssistantStep.SOLVE))
    assert setup.do(Solve()).verified
    setup.do(GoToStep(AssistantStep.DONE, skips=True))
    assert pane(setup).skipped == load_state(setup.folders).skipped == (AssistantStep.SOLVE,)
    setup.do(GoToStep(AssistantStep.SOLVE))
    setup.do(GoToStep(AssistantStep.DONE))
    assert pane(setup).skipped == ()
    assert not opens_first(setup.folders)
    assert not (setup.folders.config / "rig.toml").exists()


def test_of_a_cameras_address_only_the_host_is_in_any_view(workshop) -> None:
    """What is shown of each form of address is told by tests/vision/cameras."""
    address = "http://al:s3cret@127.0.0.1:9/s3cret.mjpg?user=s3cret#s3cret"
    setup = workshop(virtual=False, port="/dev/no-such-port", cameras=(address, address))
    told: list[object] = []
    setup.when(lambda view: bool(told.append(view)), lambda: None)
    shown = settle(setup, FindDevices()).sources[0]
    for command in (GoToStep(AssistantStep.DEVICES), Look(), Solve(), HandBegin(shown)):
        settle(setup, command)
    assert pane(setup).camera_trouble
    assert len(told) > 5
    said = msgspec.json.encode([*told, setup.view]).decode()
    assert "s3cret" not in said


def test_a_rig_file_is_written_with_a_copy_of_the_previous_one(workshop) -> None:
    setup = workshop(port="/dev/no-such-port")
    file = setup.folders.config / "rig.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# mine\n")
    settle(setup, ChooseRig("six"))
    assert file.read_text() == cautious_rig_text("six")
    assert pane(setup).backup.endswith("rig.toml.1.bak")
    assert pane(setup).board_trouble
    assert not setup.view.machine.virtual
    settle(setup, UseCamera(1, "/dev/video7"))
    devices = [each["device"] for each in tomllib.loads(file.read_text())["cameras"]]
    assert devices == [0, "/dev/video7"]
    assert pane(setup).sources == ("0", "/dev/video7")
    assert "numbered from 0" in setup.refused(UseCamera(2, "0"))
    before = file.read_text()
    for foreign in ("http://10.0.0.3/", "/etc/passwd", "/dev/zero", "/dev/video\0", "\\u0000", ""):
        setup.do(UseCamera(1, foreign))
    assert file.read_text() == before
    secret = "http://al:s3cret@127.0.0.1:9/s3cret?key=s3cret"
    file.write_text(before.replace('"/dev/video7"', f'"{secret}"'))
    settle(setup, FindDevices())
    settle(setup, UseCamera(1, pane(setup).sources[1]))  # as it is shown
    assert tomllib.loads(file.read_text())["cameras"][1]["device"] == secret
    settle(setup, FindDevices())
    mine = file.read_text()
    settle(setup, ChooseRig(""))  # the user's own
    assert (file.read_text(), pane(setup).rig, pane(setup).step) == (mine, "", "devices")
    settle(setup, ChooseRig("six", virtual=True))  # without a board there is still a way
    assert setup.view.machine.virtual
    settle(setup, ChooseRig("six"))  # nor does the worker wait for the virtual machine's board
    assert pane(setup).board_trouble


def test_a_motor_that_turned_the_wrong_way_is_asked_about_again(workshop) -> None:
    setup = workshop()
    setup.do(TryPart("R"))
    setup.do(JudgePart("R", right=False))
    assert setup.pane.motors.saved == "-"  # a virtual machine has no rig file
    assert (pane(setup).tried, pane(setup).checked) == ("", ())
    assert "'X'" in setup.refused(TryPart("X"))
    assert "'X'" in setup.refused(ChooseRig("X"))


def test_a_machine_or_rig_file_of_the_user_comes_before_the_assistant() -> None:
    folders = Folders.of_platform()
    assert not names_machine(Choices(profile="hall"))
    assert all(map(names_machine, (Choices(virtual=True), Choices(port="COM3"))))
    state_file(folders).parent.mkdir(parents=True, exist_ok=True)
    state_file(folders).write_text('rig = "three"\nvirtual = true\n')
    assert resumed_choices(Choices(port="COM3"), folders) == Choices(port="COM3")
    assert resumed_choices(Choices(), folders).virtual
    (folders.config / "rig.toml").write_text(cautious_rig_text("five"))
    assert resumed_choices(Choices(), folders) == Choices()
    assert opens_first(folders)  # it was not finished
    state_file(folders).write_text('step = "nowhere"\n')
    with pytest.raises(ConfigError, match=r"assistant\.toml, step"):
        opens_first(folders)


def test_every_rig_and_pattern_has_a_picture() -> None:
    assert all((drawing("rig", name) or "").startswith("<svg") for name in NAMES)
    assert (drawing("pattern", "cube-in-cube") or "").count("<polygon") == 27
    assert drawing("rig", "../six") is None
