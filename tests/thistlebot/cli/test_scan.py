"""Scans with faces in any order, small cubes, and colours that were sampled elsewhere."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from cubes import cube
from hand_video import held_up, photograph

from cube.facelets import Facelets
from cube.laws import Orbit
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from documents.typed_toml import document_text
from run_thistlebot import finished, record, thistlebot, told
from thistlebot.exit_codes import ExitCode
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_spaces import lab_to_srgb
from vision.decoding.face_turns import make_placement
from vision.virtual.viewpoints import default_views

pytestmark = pytest.mark.usefixtures("simulated_time")
TRUTH: Facelets = cube(2).to_facelets()
CORNERS = "".join(TRUTH.face(face)[cell] for face in FACES for cell in (0, 2, 6, 8))
RIG = dict(zip(FACES, ("orange", "yellow", "blue", "red", "white", "green"), strict=True))
SCHEME = ",".join(RIG.values())


def scan_file(
    folder: Path, text: str, turns: tuple[int, ...] = (0,) * 6, scheme: dict = WESTERN_SCHEME
) -> Path:
    """A scan of these stickers, with some noise, its faces turned."""
    labs = np.array([NAMED_COLOURS[scheme[letter]] for letter in text])
    rgb = lab_to_srgb(labs + np.random.default_rng(1).normal(0, 2.0, labs.shape))
    if len(text) == 54:
        pictures = np.empty_like(rgb)
        pictures[make_placement(range(6), turns).cells] = rgb
        rgb = pictures
    file = folder / "scan.jsonl"
    file.write_text(json.dumps({"rgb": [[float(v) for v in colour] for colour in rgb]}) + "\n")
    return file


def test_turned_faces_are_read_when_told_whatever_the_environment_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THISTLEBOT_CAMERA", "0")
    monkeypatch.setenv("THISTLEBOT_RIG", str(tmp_path / "rig.toml"))
    file = scan_file(tmp_path, TRUTH.text, (1, 0, 3, 2, 1, 0))
    for option in ("--any-orientation", "--any-order"):
        found = record("scan", "--rgb", file, option)
        assert (found["state"], found["facelets"]) == ("sure", TRUTH.text)
        assert found["scheme"] == WESTERN_SCHEME
    straight = thistlebot("scan", "--rgb", file, "--json")
    assert json.loads(straight.stdout)["facelets"] is None
    assert straight.exit_code == ExitCode.MISREAD


def test_sampled_colours_of_both_sizes_are_read_and_a_suspected_cube_names_its_law(
    tmp_path: Path,
) -> None:
    found = record("scan", "--cube", "2", "--rgb", scan_file(tmp_path, CORNERS))
    assert found["accepted"]
    assert found["faces"] == CORNERS
    assert len(found["facelets"]) == 24
    initials = {colour[0]: face for face, colour in WESTERN_SCHEME.items()}
    assert CORNERS[:4] == "".join(initials[letter] for letter in found["facelets"][:4])
    file = scan_file(tmp_path, TRUTH.text)
    assert record("scan", "--rgb", file)["facelets"] == TRUTH.text
    twisted = random_state(np.random.default_rng(3), Orbit(2, 0, 0)).to_facelets()
    file = scan_file(tmp_path, twisted.text)
    found = json.loads(thistlebot("scan", "--rgb", file, "--json").output)
    assert (found["state"], found["suspected"]) == ("ask-again", twisted.text)
    assert [problem["law"] for problem in found["problems"]] == ["corner-twist"]


@pytest.mark.parametrize(("size", "text"), [("3", TRUTH.text), ("2", CORNERS)])
def test_one_line_comes_out_for_each_line_in(tmp_path: Path, size: str, text: str) -> None:
    file = scan_file(tmp_path, text)
    unseen = json.dumps({"rgb": [None] * len(text)})
    file.write_text("\ufeff[]\n\n" + file.read_text() + unseen + "\n")
    scan = ("scan", "--cube", size, "--rgb", file)
    run = thistlebot(*scan, "--json")
    bad, good, blind = map(json.loads, run.stdout.splitlines())
    assert bad["error"]["type"] == "UsageError"
    assert bad["error"]["exit_code"] == run.exit_code == ExitCode.USAGE
    assert f"{file}:1: " in bad["error"]["text"]
    assert good["accepted"]
    assert not blind.get("accepted")
    file.write_text("\n")
    empty = thistlebot(*scan)
    assert empty.exit_code == ExitCode.USAGE
    assert str(file) in empty.stderr.replace("\n", "")


@pytest.fixture(scope="module")
def face_files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A picture of the front face, and one without a face."""
    folder = tmp_path_factory.mktemp("faces")
    image = held_up(cube(2), "F", seed=1).image
    for name, picture in (("face.png", image), ("none.png", np.full_like(image, 128))):
        assert cv2.imwrite(str(folder / name), picture)
    return folder / "face.png", folder / "none.png"


def test_each_sticker_of_a_single_face_has_a_confidence(face_files: tuple[Path, Path]) -> None:
    face, none = face_files
    stickers = record("scan", "--face", face)["stickers"]
    assert [each["colour"] for each in stickers] == [WESTERN_SCHEME[x] for x in TRUTH.face("F")]
    assert all(0.0 < each["confidence"] <= 1.0 for each in stickers)
    shown = thistlebot("scan", "--face", face).stdout
    assert all(f"{each['colour']} {each['confidence']:.2f}" in shown for each in stickers)
    run = thistlebot("scan", "--face", none, "--json")
    assert run.exit_code == ExitCode.MISREAD
    found = json.loads(run.stdout)
    assert (found["found"], found["corners"], found["stickers"]) == (False, [], [])
    run = thistlebot("scan", "--face", none)
    assert run.exit_code == ExitCode.MISREAD
    assert str(none) in run.stdout.replace("\n", "")
    assert thistlebot("scan", "--face", none, face).exit_code == ExitCode.DONE


def test_no_library_warns_about_a_picture_that_breaks_off(
    face_files: tuple[Path, Path], tmp_path: Path
) -> None:
    jpeg = cv2.imencode(".jpg", cv2.imread(str(face_files[0])))[1].tobytes()
    png = face_files[0].read_bytes()
    files = [tmp_path / "a.jpg", tmp_path / "a.png"]
    for file, content in zip(files, (jpeg, png), strict=True):
        file.write_bytes(content[: len(content) // 2])
    result = finished("scan", "--face", *files, "--json")
    assert result.returncode in (ExitCode.DONE, ExitCode.MISREAD, ExitCode.NO_DEVICE)
    assert all(line.startswith("thistlebot: ") for line in result.stderr.splitlines())


def test_told_colours_name_the_faces_of_photos_in_any_order(tmp_path: Path) -> None:
    folder = photograph(tmp_path, cube(2), "BULRFD", RIG, any_order=True)
    arguments = ("scan", "--photos", folder, "--any-order")
    found = record(*arguments, "--scheme", SCHEME)
    assert (found["facelets"], found["scheme"]) == (TRUTH.text, RIG)
    held = record(*arguments)
    assert held["accepted"]
    assert held["scheme"]["U"] == "white"


def test_a_virtual_cube_has_the_colours_that_were_told() -> None:
    found = record("scan", "--virtual", "--scheme", SCHEME)
    assert (found["accepted"], found["scheme"]) == (True, RIG)


def test_colours_that_are_told_may_not_contradict_a_view(tmp_path: Path) -> None:
    """Nor a profile, which tests/thistlebot/reading tells."""
    view = tmp_path / "a.toml"
    view.write_text(document_text(default_views()[0]))
    run = thistlebot("scan", "--frame", "a.png", "--view", view, "--scheme", SCHEME, "--json")
    assert run.exit_code == ExitCode.USAGE
    assert all(part in told(run).text for part in ("U", "orange", "white"))
