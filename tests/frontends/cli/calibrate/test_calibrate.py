"""`calibrate camera`, `calibrate colours`, `calibrate check` and `calibrate motors`."""

import json
from pathlib import Path

import cv2
import msgspec
import pytest
from cubes import cube

from calibration.cameras import corners_in_sight
from documents.typed_toml import load_document, save_document
from robot.ports.port import MonotonicClock
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig, default_rig_text, named_rig, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import SINGLE_KEYS, Corners
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import record, thistlebot
from thistlebot.config import load_view
from thistlebot.exit_codes import ExitCode
from thistlebot.session import machine
from vision.colours.profile import ColourProfile
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

STATE = cube(7)


def calibrate(*args: object, typed: str = ""):
    arguments = ["calibrate", "camera", "--state", STATE.to_facelets().text, *map(str, args)]
    return thistlebot(*arguments, typed=typed)


def corners() -> list[str]:
    """The corners of the cube in the picture of the virtual rig's first camera."""
    seen = corners_in_sight(CORNER_CAMERAS["A"])
    return [f"--point={name}={x:.1f},{y:.1f}" for name, (x, y) in seen.items()]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    with VirtualCamera(lambda: STATE, corner_viewpoint("A"), seed=3) as camera:
        cv2.imwrite(str(tmp_path / "rig.png"), camera.read().image)
    return tmp_path / "rig.png"


def test_a_picture_and_corners_make_a_view(picture: Path, tmp_path: Path) -> None:
    file = tmp_path / "views" / "a.toml"
    result = calibrate("--image", picture, *corners(), "--view", file, "--yes", "--json")
    assert result.exit_code == 0
    record = json.loads(result.stdout)
    assert set(record["faces"]) == set("URF")
    assert record["agreement"] > 0.7
    view = load_view(file)
    assert view.image_size == (640, 480)
    assert set(view.centres) == set("URF")
    look = cv2.imread(str(tmp_path / "views" / "a.png"))
    assert look.shape == (480, 640, 3)


@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        ("\n", ExitCode.DONE, ""),
        ("n\n", ExitCode.STOPPED, "--point"),
        ("", ExitCode.USAGE, "--yes"),  # there is nobody to ask
    ],
)
def test_a_position_is_confirmed_in_the_terminal(
    picture: Path, tmp_path: Path, typed: str, code: ExitCode, said: str
) -> None:
    file = tmp_path / "a.toml"
    result = calibrate("--image", picture, *corners(), "--view", file, typed=typed)
    assert result.exit_code == code
    assert said in result.output
    assert file.exists() == (code is ExitCode.DONE)


def test_a_file_that_cannot_be_written_is_known_before_anything_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or before a cube is shown: the photos are missing as well."""
    (tmp_path / "file").write_text("")
    target = str(tmp_path / "file" / "rig.toml")
    for verb in (("camera", *corners(), "--view"), ("motors", "--output")):
        result = thistlebot("calibrate", *verb, target, "--virtual")
        assert result.exit_code == ExitCode.NO_DEVICE
        assert "rig.toml" in result.output
        assert len(result.output.splitlines()) == 1
    monkeypatch.setenv("THISTLEBOT_CONFIG_DIR", str(tmp_path / "file" / "config"))
    result = thistlebot("calibrate", "colours", "--photos", tmp_path / "missing")
    assert result.exit_code == ExitCode.NO_DEVICE
    assert "default.toml" in result.output.replace("\n", "")
    assert "missing" not in result.output


@pytest.mark.usefixtures("simulated_time")
def test_a_profile_is_made_checked_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pair that lies close fails, with a mark."""
    monkeypatch.setenv("THISTLEBOT_CONFIG_DIR", str(tmp_path))
    file = tmp_path / "profiles" / "hall.toml"
    made = record("calibrate", "colours", "--virtual", "--seed", 5, "--output", file)
    assert made["file"] == str(file)
    text = file.read_text()
    assert len(made["pairs"]) == 15
    assert made["pairs"][0]["colours"] == ["white", "red"]
    assert all(pair["passed"] for pair in made["pairs"])
    asked = ("solve", "--virtual", "--profile", "hall", "--seed", 5, "--budget-ms", 50)
    monkeypatch.setenv("THISTLEBOT_LEARN", "1")
    assert record(*asked)["verified"] is True
    assert file.read_text() == text  # the light of a virtual machine is nobody's
    other = ("--profile", "hall", "--scheme", "white,red,green,blue,orange,yellow")
    refused = thistlebot("scan", "--rgb", file, *other)
    assert refused.exit_code == ExitCode.USAGE
    assert "thistlebot calibrate colours" in " ".join(refused.stderr.split())
    check = ("calibrate", "check", "--profile", "hall")
    done = thistlebot(*check)
    assert done.exit_code == 0
    rows = done.stdout.splitlines()
    assert rows[0].split()[1:] == ["red", "green", "yellow", "orange", "blue"]
    assert [len(row.split()) for row in rows[1:6]] == [6, 5, 4, 3, 2]
    assert "!" not in done.stdout
    assert "\x1b" not in done.stdout

    known = load_document(file, ColourProfile)
    lightness, a, b = known.colours["R"]
    colours = known.colours | {"L": (lightness, a - 2.0, b + 2.0)}
    save_document(file, msgspec.structs.replace(known, colours=colours))
    assert thistlebot(*check).exit_code == ExitCode.MISREAD
    checked = json.loads(thistlebot(*check, "--json").stdout)
    assert checked["passed"] is False
    assert [pair["colours"] for pair in checked["pairs"] if not pair["passed"]] == [
        ["red", "orange"]
    ]
    missing = thistlebot("calibrate", "check", "--profile", "stage")
    assert missing.exit_code == ExitCode.USAGE
    assert "hall" in missing.stderr


FAST = named_rig("cubotino-fast")


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    file = tmp_path / "rig.toml"
    file.write_text(rig_text("cubotino-fast"))
    return file


@pytest.fixture
def board(simulated_time: None, monkeypatch: pytest.MonkeyPatch) -> VirtualRig:
    virtual = VirtualRig(FAST, MonotonicClock())
    monkeypatch.setattr(machine, "open_port", lambda *_: virtual)
    return virtual


def test_a_person_finds_places_and_a_time(rig: Path, board: VirtualRig) -> None:
    opening = ["", "", ""]  # the cube is out, both servos may go to their start
    closed = ["", "", "", "", "", "++", ""]  # five steps down, 20 us up, there
    flipped = [""] * 12 + ["here"]  # at 1950 of 2000
    places = ["", *flipped, *closed]  # where it starts, upwards, downwards
    asked = ("calibrate", "motors", "--rig", rig, "--port", "board", "--part", "cover")
    done = thistlebot(*asked, "--no-times", "--json", typed="\n".join([*opening, *places, ""]))
    assert done.exit_code == 0, done.stderr
    record = json.loads(done.stdout.split("\n")[-2])  # before it the line ends of the answers
    assert record["pulse_us"] == [1020, 1300, 1950]
    made = load_document(rig, ActionMachine)
    assert made.variables["cover"].pulse_us == (1020, 1300, 1950)
    assert made.actions == FAST.actions
    assert rig.read_text() == rig_text("cubotino-fast").replace(
        "[1000, 1300, 2000]", "[1020, 1300, 1950]"
    )
    assert (rig.parent / "rig.toml.1.bak").read_text() == rig_text("cubotino-fast")
    assert board.parts.servos[1].at_us == 1300
    assert all(part in done.stderr for part in ("cover", "1950", "'flipped'", "2000"))


def test_nothing_is_written_when_the_person_gives_up(rig: Path, board: VirtualRig) -> None:
    asked = ("calibrate", "motors", "--rig", rig, "--port", "board", "--no-times")
    done = thistlebot(*asked, typed="\n\n\n\n")  # and the input ends
    assert done.exit_code == ExitCode.STOPPED
    assert rig.read_text() == rig_text("cubotino-fast")
    assert [arm.at_us for arm in board.parts.servos[:2]] == pytest.approx([1500, 1300], abs=60)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("simulated_time")
def test_angles_of_before_slow_no_motor_down_and_are_narrowed(tmp_path: Path) -> None:
    """They jam the cube when all faces turn together: no motor is too fast for that."""
    file, made = tmp_path / "rig.toml", tmp_path / "made.toml"
    angles = "".join(f"{key} = 33\n" for key in SINGLE_KEYS)
    file.write_text(default_rig_text().replace("[corners]\n", f"[corners]\n{angles}"))
    assert load_document(file, FaceMotors).corners == Corners(**dict.fromkeys(SINGLE_KEYS, 33.0))
    asked = ("calibrate", "motors", "--rig", file, "--virtual", "--faces", "U", "--no-corners")
    found = record(*asked, "--output", made)
    after = load_document(made, FaceMotors)
    assert found["motor"]["rate_steps_s"] == after.motors["U"].rate_steps_s
    assert after.motors == default_rig().motors | {"U": after.motors["U"]}
    assert 20 < after.corners.cut < 33
