"""The verb `calibrate camera`, on the virtual rig and with corners typed in."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.random_states import random_state
from run_thistlebot import thistlebot
from thistlebot.config import load_view
from thistlebot.exit_codes import ExitCode
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

STATE = random_state(np.random.default_rng(7))


def calibrate(*args: object, typed: str = ""):
    arguments = ["calibrate", "camera", "--state", STATE.to_facelets().text, *map(str, args)]
    return thistlebot(*arguments, typed=typed)


def corners() -> list[str]:
    """The corners of the cube in the picture of the virtual rig's first camera."""
    pinhole = CORNER_CAMERAS["A"]
    places = {
        "URF": (1, 1, 1),
        "UFL": (-1, 1, 1),
        "UBR": (1, 1, -1),
        "DFR": (1, -1, 1),
        "DLF": (-1, -1, 1),
        "DRB": (1, -1, -1),
    }
    pixels = pinhole.project(28.5 * np.array(list(places.values()), dtype=float))
    return [f"--point={name}={x:.1f},{y:.1f}" for name, (x, y) in zip(places, pixels, strict=True)]


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
    assert look is not None
    assert look.shape == (480, 640, 3)


@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        ("URF 10\nURF 346 166\nfit\n\n", ExitCode.DONE, "URF 10"),
        ("URF nan nan\nDBL 10 10\nfit\nfit\n\n", ExitCode.DONE, "URF nan nan"),
        ("q\n", ExitCode.STOPPED, ""),
        ("", ExitCode.USAGE, "--yes"),  # there is nobody to ask
    ],
)
def test_corners_are_moved_and_confirmed_in_the_terminal(
    picture: Path, tmp_path: Path, typed: str, code: ExitCode, said: str
) -> None:
    """Points that no camera sees are said and taken back; who stops has nothing written."""
    file = tmp_path / "a.toml"
    result = calibrate("--image", picture, *corners(), "--view", file, typed=typed)
    assert result.exit_code == code
    assert said in result.output
    assert file.exists() == (code is ExitCode.DONE)
    if "nan" in typed:
        assert result.output.count("corner    URF ") > 1  # they are back
        assert set(load_view(file).centres) == set("URF")


def test_corners_that_no_cube_has_are_refused_and_others_place_a_solved_cube(
    tmp_path: Path,
) -> None:
    """Unasked it tells no place: patches that are slid by a sticker still lie on their colour."""
    arguments = ["calibrate", "camera", "--virtual", "--yes", "--view", str(tmp_path / "v.toml")]
    together = [f"--point={name}=1,1" for name in ("URF", "UFL", "UBR", "DFR")]
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((120, 160, 3), 90, np.uint8))
    grey = calibrate("--image", tmp_path / "grey.png", "--view", tmp_path / "v.toml", "--yes")
    for refused in (thistlebot(*arguments, *together), grey):
        assert refused.exit_code == ExitCode.MISREAD
        assert not (tmp_path / "v.toml").exists()
    pointed = thistlebot(*arguments, *corners())
    assert pointed.exit_code == 0
    assert set(load_view(tmp_path / "v.toml").centres) == set("URF")


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
