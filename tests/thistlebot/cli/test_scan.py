"""Scans with faces in any order, small cubes, and colours that were sampled elsewhere."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.facelets import SOLVED_FACELETS, Facelets
from cube.laws import Orbit
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from documents.typed_toml import document_text
from run_thistlebot import finished, thistlebot
from thistlebot.exit_codes import ExitCode
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_space import lab_to_srgb
from vision.colours.profile import ColourProfile
from vision.decoding.laws.photo_order import make_placement
from vision.virtual.viewpoints import default_views, hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


def scan_file(folder: Path, text: str, turns: tuple[int, ...] = (0,) * 6) -> Path:
    """A scan of these stickers, with some noise, its faces turned."""
    labs = np.array([NAMED_COLOURS[WESTERN_SCHEME[letter]] for letter in text])
    rgb = lab_to_srgb(labs + np.random.default_rng(1).normal(0, 2.0, labs.shape))
    if len(text) == 54:
        pictures = np.empty_like(rgb)
        pictures[make_placement(range(6), turns).cells] = rgb
        rgb = pictures
    file = folder / "scan.jsonl"
    file.write_text(json.dumps({"rgb": [[float(v) for v in colour] for colour in rgb]}) + "\n")
    return file


@pytest.fixture
def truth() -> Facelets:
    return random_state(np.random.default_rng(2)).to_facelets()


@pytest.mark.parametrize("option", ["--any-orientation", "--any-order"])
def test_turned_faces_are_read_when_told(tmp_path: Path, truth: Facelets, option: str) -> None:
    file = scan_file(tmp_path, truth.text, (1, 0, 3, 2, 1, 0))
    record = json.loads(thistlebot("scan", "--rgb", file, option, "--json").output)
    assert record["state"] == "sure"
    assert record["facelets"] == truth.text
    assert record["scheme"] == WESTERN_SCHEME
    straight = json.loads(thistlebot("scan", "--rgb", file, "--json").output)
    assert straight["facelets"] is None


def test_sampled_colours_are_solved(tmp_path: Path, truth: Facelets) -> None:
    file = scan_file(tmp_path, truth.text)
    run = thistlebot("solve", "--rgb", file, "--dry-run", "--json")
    assert run.exit_code == 0, run.output
    assert json.loads(run.output.splitlines()[-1])["facelets"] == truth.text


def test_a_suspected_cube_names_its_law_and_turns_nothing(tmp_path: Path) -> None:
    twisted = random_state(np.random.default_rng(3), Orbit(2, 0, 0)).to_facelets()
    file = scan_file(tmp_path, twisted.text)
    record = json.loads(thistlebot("scan", "--rgb", file, "--json").output)
    assert record["state"] == "ask-again"
    assert record["suspected"] == twisted.text
    assert [problem["law"] for problem in record["problems"]] == ["corner-twist"]
    run = thistlebot("solve", "--rgb", file, "--dry-run")
    assert run.exit_code == ExitCode.MISREAD


def test_a_small_cube_is_read(tmp_path: Path, truth: Facelets) -> None:
    corners = "".join(truth.face(face)[cell] for face in FACES for cell in (0, 2, 6, 8))
    file = scan_file(tmp_path, corners)
    record = json.loads(thistlebot("scan", "--cube", "2", "--rgb", file, "--json").output)
    assert record["accepted"]
    assert record["faces"] == corners
    assert len(record["facelets"]) == 24
    assert corners[:4] == "".join(
        next(face for face in FACES if WESTERN_SCHEME[face][0] == letter)
        for letter in record["facelets"][:4]
    )


def test_options_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    for arguments in (
        ("scan", "--any-order"),
        ("scan", "--cube", "2"),
        ("scan", "--rgb", tmp_path / "a", "--edit"),
        ("solve", "--any-order", "--dry-run", "--scramble", "R"),
    ):
        assert thistlebot(*arguments).exit_code == ExitCode.USAGE


@pytest.mark.parametrize(
    "options",
    [
        "--cube 2 --rgb a --edit",
        "--cube 2 --rgb a --save look",
        "--cube 2 --photos a --any-order",
        "--cube 2 --rgb a --profile nope",
        "--rgb a --save look",
        "--face a.jpg --save look",
        "--face a.jpg --profile nope",
        "--photos a --view v.toml",
        "--photos a --virtual",
        "--virtual --hand",
        "--virtual --camera 0",
        "--seed 3",
        "--view v.toml",
        "--face a.jpg --scheme white,red,green,yellow,orange,blue",
        "--cube 2 --rgb a --scheme white,red,green,yellow,orange,blue",
    ],
)
def test_what_a_source_cannot_honour_is_named(options: str) -> None:
    run = thistlebot("scan", *options.split())
    assert run.exit_code == ExitCode.USAGE
    wrong = [word for word in options.split() if word.startswith("--")]
    assert any(f"{word}: leave" in run.output or f"{word} goes" in run.output for word in wrong)


def test_settings_of_the_environment_are_not_held_against_a_scan(
    tmp_path: Path, truth: Facelets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THISTLEBOT_CAMERA", "0")
    monkeypatch.setenv("THISTLEBOT_RIG", str(tmp_path / "rig.toml"))
    assert thistlebot("scan", "--rgb", scan_file(tmp_path, truth.text)).exit_code == ExitCode.DONE


@pytest.mark.parametrize("size", ["3", "2"])
def test_one_line_comes_out_for_each_line_in(tmp_path: Path, truth: Facelets, size: str) -> None:
    corners = "".join(truth.face(face)[cell] for face in FACES for cell in (0, 2, 6, 8))
    text = truth.text if size == "3" else corners
    file = scan_file(tmp_path, text)
    unseen = json.dumps({"rgb": [None] * len(text)})
    file.write_text("\ufeff[]\n\n" + file.read_text() + unseen + "\n")
    run = thistlebot("scan", "--cube", size, "--rgb", file, "--json")
    bad, good, blind = map(json.loads, run.stdout.splitlines())
    assert bad["error"]["type"] == "UsageError"
    assert bad["error"]["exit_code"] == run.exit_code == ExitCode.USAGE
    assert f"{file}:1: no scan: Expected" in bad["error"]["text"]
    assert good["accepted"]
    assert not blind.get("accepted")
    file.write_text("\n\n" + unseen + "\n{}\n")
    told = thistlebot("scan", "--cube", size, "--rgb", file)
    assert f"{file}:4: no scan" in told.stdout.splitlines()[1]
    file.write_text(unseen)
    assert thistlebot("scan", "--cube", size, "--rgb", file).exit_code == ExitCode.MISREAD
    file.write_text("\n")
    empty = thistlebot("scan", "--cube", size, "--rgb", file)
    assert empty.exit_code == ExitCode.USAGE
    assert "holds no colours" in empty.output


def test_lines_of_states_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    file = tmp_path / "states.txt"
    file.write_text("\ufeff" + SOLVED_FACELETS.text + "\n\nnonsense\n")
    run = thistlebot("solve", "--states", file)
    assert run.exit_code == ExitCode.USAGE
    assert run.stdout.splitlines()[-1].startswith("line 3: ")


def test_a_profile_that_cannot_be_kept_is_known_before_the_cube_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("THISTLEBOT_CONFIG_DIR", str(tmp_path / "file" / "config"))
    run = thistlebot("calibrate", "colours", "--photos", tmp_path / "missing")
    assert run.exit_code == ExitCode.NO_DEVICE
    assert "default.toml cannot be written" in run.output


def test_a_rig_that_turns_the_cube_learns_every_place(tmp_path: Path) -> None:
    hall = tmp_path / "hall.toml"
    run = thistlebot("calibrate", "colours", "--virtual", "--turn", 2, "--output", hall, "--json")
    assert run.exit_code == 0, run.output
    assert json.loads(run.output.splitlines()[-1])["file"] == str(hall)
    made = hall.read_text()
    assert "[places.U1]" in made
    solved = thistlebot("solve", "--virtual", "--profile", hall, "--seed", "1", "--learn")
    assert solved.exit_code == 0, solved.output
    assert hall.read_text() == made  # the light of a virtual machine is nobody's
    assert thistlebot("calibrate", "colours", "--hand", "--turn", "2").exit_code == ExitCode.USAGE


@pytest.fixture(scope="module")
def face_files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A picture of the front face of the cube of `truth`, and one without a face."""
    folder = tmp_path_factory.mktemp("faces")
    state = random_state(np.random.default_rng(2))
    with VirtualCamera(lambda: state, hand_held_viewpoint("F"), seed=1) as camera:
        image = camera.read().image
    for name, picture in (("face.png", image), ("none.png", np.full_like(image, 128))):
        assert cv2.imwrite(str(folder / name), picture)
    return folder / "face.png", folder / "none.png"


def test_each_sticker_of_a_single_face_has_a_confidence(face_files, truth: Facelets) -> None:
    run = thistlebot("scan", "--face", face_files[0], "--json")
    assert run.exit_code == ExitCode.DONE
    stickers = json.loads(run.stdout)["stickers"]
    colours = [WESTERN_SCHEME[letter] for letter in truth.face("F")]
    assert [sticker["colour"] for sticker in stickers] == colours
    assert all(0.0 < sticker["confidence"] <= 1.0 for sticker in stickers)
    told = thistlebot("scan", "--face", face_files[0]).stdout
    for sticker in stickers:
        assert f"{sticker['colour']} {sticker['confidence']:.2f}" in told


def test_without_a_face_in_any_picture_the_code_is_3(face_files) -> None:
    face, none = face_files
    run = thistlebot("scan", "--face", none, "--json")
    assert run.exit_code == ExitCode.MISREAD
    record = json.loads(run.stdout)
    assert (record["found"], record["corners"], record["stickers"]) == (False, [], [])
    run = thistlebot("scan", "--face", none)
    assert run.exit_code == ExitCode.MISREAD
    assert f"{none}: no face" in run.stdout.replace("\n", "")
    assert thistlebot("scan", "--face", none, face).exit_code == ExitCode.DONE


def test_no_library_warns_about_a_picture_that_breaks_off(face_files, tmp_path: Path) -> None:
    jpeg = cv2.imencode(".jpg", cv2.imread(str(face_files[0])))[1].tobytes()
    png = face_files[0].read_bytes()
    for name, content in (("a.jpg", jpeg), ("a.png", png)):
        file = tmp_path / name
        file.write_bytes(content[: len(content) // 2])
        result = finished("scan", "--face", file, "--json")
        assert result.returncode in (ExitCode.DONE, ExitCode.MISREAD, ExitCode.NO_DEVICE)
        assert all(line.startswith("thistlebot: ") for line in result.stderr.splitlines())


def test_the_plain_pipeline_is_named_and_asks_for_upright_faces(tmp_path: Path) -> None:
    result = thistlebot("scan", "--classifier", "kmeans", "--any-order", "--photos", tmp_path)
    assert result.exit_code == ExitCode.USAGE
    assert "upright faces in their order" in result.output
    result = thistlebot("scan", "--classifier", "kmeans", "--hand")
    assert result.exit_code == ExitCode.USAGE
    assert "--classifier" in result.output


def test_a_first_reading_loads_nothing_slow(tmp_path: Path) -> None:
    state = random_state(np.random.default_rng(2))
    for face in FACES:
        with VirtualCamera(lambda: state, hand_held_viewpoint(face), seed=1) as camera:
            cv2.imwrite(str(tmp_path / f"{face}.png"), camera.read().image)
    script = (
        "import sys; from thistlebot.__main__ import main\n"
        f"sys.argv = ['thistlebot', 'scan', '--json', '--photos', {str(tmp_path)!r}]\n"
        "try: main()\n"
        "finally: print([m for m in ('scipy', 'sklearn', 'numba') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    record, loaded = done.stdout.splitlines()
    assert json.loads(record)["facelets"] == state.to_facelets().text, done.stderr
    assert loaded == "[]"


RIG = dict(zip(FACES, ("orange", "yellow", "blue", "red", "white", "green"), strict=True))
SCHEME = ",".join(RIG.values())


def profile_file(folder: Path, scheme: dict[str, str]) -> Path:
    colours = {face: NAMED_COLOURS[name] for face, name in scheme.items()}
    file = folder / "hall.toml"
    profile = ColourProfile(name="hall", created="2026-01-01", scheme=scheme, colours=colours)
    file.write_text(document_text(profile))
    return file


def test_told_colours_name_the_faces_of_photos_in_any_order(
    tmp_path: Path, truth: Facelets
) -> None:
    for number, face in enumerate("BULRFD"):
        viewpoint = hand_held_viewpoint(face, roll_deg=90.0 * (number % 4))
        with VirtualCamera(lambda: truth, viewpoint, seed=number, scheme=RIG) as camera:
            cv2.imwrite(str(tmp_path / f"{number}.png"), camera.read().image)
    arguments = ("scan", "--photos", tmp_path, "--any-order", "--json")
    told = json.loads(thistlebot(*arguments, "--scheme", SCHEME).stdout)
    assert (told["facelets"], told["scheme"]) == (truth.text, RIG)
    held = json.loads(thistlebot(*arguments).stdout)
    assert held["accepted"]
    assert held["scheme"]["U"] == "white"


def test_a_virtual_cube_has_the_colours_that_were_told() -> None:
    record = json.loads(thistlebot("scan", "--virtual", "--scheme", SCHEME, "--json").stdout)
    assert (record["accepted"], record["scheme"]) == (True, RIG)
    made = thistlebot("solve", "--virtual", "--scheme", SCHEME, "--seed", "1", "--json")
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout.splitlines()[-1])["verified"]


@pytest.mark.parametrize("verb", ["scan", "solve"])
def test_a_profile_of_another_cube_is_told(tmp_path: Path, truth: Facelets, verb: str) -> None:
    profile = profile_file(tmp_path, dict(WESTERN_SCHEME))
    file = scan_file(tmp_path, truth.text)
    options = ["--rgb", file, "--profile", profile, *(["--dry-run"] if verb == "solve" else [])]
    run = thistlebot(verb, *options, "--scheme", SCHEME)
    assert run.exit_code == ExitCode.USAGE
    said = " ".join(run.output.split())
    assert "leave --scheme away, or measure this cube with: thistlebot calibrate colours" in said
    same = thistlebot(verb, *options, "--scheme", ",".join(WESTERN_SCHEME.values()))
    assert same.exit_code == 0, same.output


def test_a_mirror_image_may_be_the_cube_itself(tmp_path: Path, truth: Facelets) -> None:
    swapped = {**WESTERN_SCHEME, "L": "red", "R": "orange"}
    labs = np.array([NAMED_COLOURS[swapped[letter]] for letter in truth.text])
    rgb = lab_to_srgb(labs + np.random.default_rng(1).normal(0, 2.0, labs.shape))
    file = tmp_path / "scan.jsonl"
    file.write_text(json.dumps({"rgb": rgb.tolist()}))
    run = thistlebot("scan", "--rgb", file, "--any-order")
    assert run.exit_code == ExitCode.MISREAD
    assert "if these are the colours of your cube, name them with --scheme" in run.output
    told = thistlebot(
        "scan", "--rgb", file, "--any-order", "--scheme", ",".join(swapped.values()), "--json"
    )
    assert json.loads(told.stdout)["facelets"] == truth.text


def test_a_view_that_names_other_centres_is_told(tmp_path: Path) -> None:
    view = tmp_path / "a.toml"
    view.write_text(document_text(default_views()[0]))
    run = thistlebot("scan", "--frame", "a.png", "--view", view, "--scheme", SCHEME)
    assert run.exit_code == ExitCode.USAGE
    assert "the centre of U is orange, a view says white" in " ".join(run.output.split())
