"""What doctor says of rigs that cannot do what they should: in one place, once."""

import json
from pathlib import Path

import pytest
from faulty_rig import Faults
from serial.tools.list_ports_common import ListPortInfo

from frontends.cli.machine import devices
from robot.rigs.catalogue import default_rig_text, rig_text
from run_thistlebot import records, thistlebot, told
from thistlebot.exit_codes import ExitCode
from vision.cameras.camera_kinds import CameraInfo

CAMERA = '\n[[cameras]]\nname = "above"\ndevice = 0\nsees = ["U"]\n'


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    return tmp_path / "rig.toml"


def test_devices_are_listed_as_lines_or_as_records(monkeypatch: pytest.MonkeyPatch) -> None:
    found = (CameraInfo(0, "Integrated"), CameraInfo(2, "USB 2.0"))
    monkeypatch.setattr(devices, "list_cameras", lambda: found)
    monkeypatch.setattr(devices, "serial_ports", lambda: [ListPortInfo("/dev/ttyACM0")])
    assert [line.split()[:2] for line in thistlebot("devices").stdout.splitlines()] == [
        ["port", "/dev/ttyACM0"],
        ["camera", "0"],
        ["camera", "2"],
    ]
    port, *cameras = records("devices")
    assert port["device"] == "/dev/ttyACM0"
    assert cameras == [{"source": each.source, "name": each.name} for each in found]


def findings(*options: object) -> tuple[int, dict[str, str]]:
    """What is bad, by its subject, and the exit code."""
    done = thistlebot("doctor", *options, "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return done.exit_code, {
        each["subject"]: each["text"] for each in found if each["health"] == "bad"
    }


def test_a_board_with_too_few_servos_is_refused_before_anything_moves(pty_rig) -> None:
    port, virtual = pty_rig()
    code, bad = findings("--rig", "four-claws", "--port", port)
    assert code == ExitCode.USAGE
    (board,) = [text for text in bad.values() if "servo" in text]
    assert "variables.B-angle.servo" in board
    assert "variables.B-claw.servo" in board
    done = thistlebot("try", "let R go", "--rig", "four-claws", "--port", port, "--json")
    assert done.exit_code == ExitCode.USAGE
    assert "variables.B-angle.servo" in told(done).text
    assert virtual.board.accepted == 0


def test_a_pressed_emergency_stop_and_faces_that_may_be_askew_are_found(pty_rig) -> None:
    port, virtual = pty_rig()
    assert "board" not in findings("--port", port)[1]
    virtual.board.press_estop()
    code, bad = findings("--port", port)
    assert (code, "release it" in bad["board"]) == (ExitCode.NO_DEVICE, True)
    virtual.board.release_estop()
    assert "board" not in findings("--port", port)[1]
    port, _ = pty_rig(Faults(stall_at_move=2))
    assert thistlebot("run", "R U F", "--port", port).exit_code == ExitCode.NOT_VERIFIED
    code, bad = findings("--port", port)
    assert (code, "thistlebot align" in bad["board"]) == (ExitCode.NO_DEVICE, True)


def test_what_a_rig_cannot_do_or_see_is_told_once(rig: Path) -> None:
    for faces, code in (("UR", ExitCode.USAGE), ("URFDL", ExitCode.DONE)):
        motors = (f"[motors.{face}]\nchannel = {number}\n" for number, face in enumerate(faces))
        rig.write_text('name = "a"\n' + "".join(motors))
        found, bad = findings("--virtual", "--rig", rig)
        assert (found, bool(bad)) == (code, code != ExitCode.DONE)
    assert findings("--rig", "cubotino", "--virtual") == (0, {})  # one face after the other
    text = rig_text("cubotino")
    flips = (
        text.index('[[actions]]\nname = "flip the cube"'),
        text.index('[[actions]]\nname = "lower the'),
    )
    rig.write_text(text[: flips[0]] + text[flips[1] :])  # too few faces come to its layer
    code, bad = findings("--rig", rig, "--virtual")
    assert code == ExitCode.USAGE
    assert len([text for text in bad.values() if "D" in text.split()]) == 1
    text = rig_text("three")
    rig.write_text(text[: text.index("[[cameras]]")] + CAMERA)
    code, bad = findings("--rig", rig, "--virtual")
    assert code == ExitCode.USAGE
    assert len([text for text in bad.values() if "R, F, D, L, B" in text]) == 1


def test_a_wrong_rig_file_is_told_from_a_missing_board(rig: Path) -> None:
    rig.write_text('name = "a"\n[motors.X]\nchannel = 0\n')
    code, bad = findings("--rig", rig)
    assert code == ExitCode.USAGE
    assert len(bad) > 1
    assert len([text for text in bad.values() if "motors.X" in text]) == 1
    rig.write_text(default_rig_text().replace("\nmicrosteps", "\nmikrosteps", 1))
    code, bad = findings("--rig", rig)
    assert (code, "mikrosteps" in " ".join(bad.values())) == (ExitCode.USAGE, True)
    rig.write_text(default_rig_text())
    assert findings("--rig", rig, "--port", rig.parent / "nowhere")[0] == ExitCode.NO_DEVICE
    sound = records("doctor", "--virtual")
    assert {each["health"] for each in sound} == {"good"}
    assert {"rig", "solver", "board", "cameras"} <= {each["subject"] for each in sound}
