"""What a rig's cameras do not see is said before they look, and nothing is invented for it."""

import json
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from even_light import decode_lab, seen

from cube.facelets import facelet_index, facelet_name
from cube.random_states import random_state
from documents.typed_toml import document_text
from robot.rigs.catalogue import default_rig_text
from run_thistlebot import thistlebot
from thistlebot.exit_codes import ExitCode
from thistlebot.looking.refusal import refusal
from thistlebot.looking.rig_views import never_sure, unseen_stickers, unseen_text
from vision.geometry.view import View
from vision.reading import ReadingState
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera

UPPER, LOWER = default_views()


def without(view: View, *names: str) -> View:
    return msgspec.structs.replace(
        view, facelet=tuple(entry for entry in view.facelet if entry.name not in names)
    )


EDGES_ONLY = without(UPPER, *(f"{face}{cell}" for face in "URF" for cell in (1, 3, 7, 9)))


def rig_file(folder: Path, *views: View) -> Path:
    """The default rig with these views."""
    text = default_rig_text()
    text = text[: text.index("[[cameras]]")]
    for number, view in enumerate(views):
        (folder / f"{number}.toml").write_text(document_text(view))
        text += f'[[cameras]]\nname = "c{number}"\ndevice = "no{number}"\nview = "{number}.toml"\n'
    file = folder / "rig.toml"
    file.write_text(text)
    return file


def test_every_sticker_is_seen_by_two_corner_cameras() -> None:
    assert unseen_stickers((UPPER, LOWER)) == ()
    assert unseen_text(()) == ""


def test_centres_need_a_view_or_a_name() -> None:
    nameless = msgspec.structs.replace(LOWER, centres={})
    assert unseen_stickers((UPPER, nameless)) == ("D5", "L5", "B5")
    assert "D5 L5 B5" in unseen_text(("D5", "L5", "B5"))
    assert not never_sure(("D5", "L5", "B5"))
    assert unseen_stickers((UPPER, nameless), dict.fromkeys("URFDLB", "")) == ()


def test_stickers_and_faces_are_named() -> None:
    partly = without(LOWER, "B1", "B2", "B3")
    assert unseen_stickers((UPPER, partly)) == ("B1", "B2", "B3")
    assert "B1 B2 B3" in unseen_text(unseen_stickers((UPPER, partly)))
    assert "D, L, B" in unseen_text(unseen_stickers((UPPER,)))


@pytest.mark.parametrize(
    ("hidden", "never"),
    [
        ("B1 B2 B3", False),
        ("U9 R1 F3 U8 F2", False),
        ("U9 R1 F3 U7 L3 F1", True),
        ("U8 F2 U6 R2", True),
    ],
)
def test_what_no_reading_can_tell_is_known_beforehand(hidden: str, *, never: bool) -> None:
    assert never_sure(hidden.split()) is never
    rng = np.random.default_rng(4)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    labs[[facelet_index(name) for name in hidden.split()]] = np.nan
    reading = decode_lab(labs, mistakes=False)
    assert set(reading.unseen) == set(hidden.split())
    if never:
        assert not reading.accepted
        assert refusal(reading).reread
    else:
        assert (reading.state, reading.best) == (ReadingState.REPAIRED, truth)
        assert {facelet_name(repair.facelet) for repair in reading.repairs} == set(hidden.split())


def test_nothing_is_invented_for_what_nobody_saw() -> None:
    """Accepted is only what the laws of the cube leave no choice in, and never as sure."""
    for seed in range(0, 6, 2):
        rng = np.random.default_rng(seed)
        truth = random_state(rng).to_facelets()
        labs = seen(truth, rng)
        stickers = [i for i in range(54) if i % 9 != 4]
        labs[rng.choice(stickers, 4 + 3 * seed, replace=False)] = np.nan
        reading = decode_lab(labs, mistakes=False)
        assert reading.state is not ReadingState.SURE
        assert not reading.accepted or reading.best == truth


def test_what_no_turn_brings_into_sight_is_told_at_once(tmp_path: Path) -> None:
    """Before the camera is opened: there is none. It sees edges only, and they stay edges."""
    rig = rig_file(tmp_path, EDGES_ONLY)
    for arguments in (("scan",), ("solve", "--dry-run"), ("solve", "--scramble", "R")):
        run = thistlebot(*arguments, "--rig", rig)
        assert run.exit_code == ExitCode.USAGE
        assert "D, L, B" in run.stderr


def test_a_rig_that_would_have_to_turn_faces_does_not_in_a_dry_run(tmp_path: Path) -> None:
    run = thistlebot("solve", "--dry-run", "--virtual", "--rig", rig_file(tmp_path, UPPER))
    assert run.exit_code == ExitCode.DONE, run.stderr
    run = thistlebot("solve", "--dry-run", "--rig", rig_file(tmp_path, UPPER))
    assert run.exit_code == ExitCode.NO_DEVICE  # the camera comes first


def test_some_stickers_are_told_before_anybody_looks(tmp_path: Path) -> None:
    rig = rig_file(tmp_path, UPPER, without(LOWER, "B1", "B2", "B3"))
    run = thistlebot("scan", "--rig", rig)
    assert run.exit_code == ExitCode.NO_DEVICE
    said = " ".join(run.stderr.split())
    assert said.index("B1 B2 B3") < said.index("no0")


def test_doctor_names_what_no_camera_sees(tmp_path: Path) -> None:
    for views, health, said in (
        ((EDGES_ONLY,), "bad", "D, L, B"),
        ((UPPER,), "good", "2"),
        ((UPPER, without(LOWER, "B1", "B2", "B3")), "bad", "B1 B2 B3"),
        ((UPPER, LOWER), "good", "U, R, F, D, L, B"),
    ):
        run = thistlebot("doctor", "--json", "--rig", rig_file(tmp_path, *views))
        findings = {each["subject"]: each for each in map(json.loads, run.stdout.splitlines())}
        assert findings["views"]["health"] == health
        assert said in findings["views"]["text"]
        assert "no0" in findings["cameras"]["text"]  # examined all the same


def test_pictures_of_fixed_cameras_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    state = random_state(np.random.default_rng(6))
    arguments: list[object] = ["scan"]
    views = (UPPER, without(LOWER, "B1", "B2", "B3"))
    for name, view in zip(CORNER_CAMERAS, views, strict=True):
        with VirtualCamera(lambda: state, corner_viewpoint(name)) as camera:
            cv2.imwrite(str(tmp_path / f"{name}.png"), camera.read().image)
        (tmp_path / f"{name}.toml").write_text(document_text(view))
        arguments += ["--frame", tmp_path / f"{name}.png", "--view", tmp_path / f"{name}.toml"]
    run = thistlebot(*arguments)
    assert run.exit_code == ExitCode.DONE, run.output
    assert "B1 B2 B3" in " ".join(run.stderr.split())
    assert "\nnot seen  B1 B2 B3" in run.stdout
    assert json.loads(thistlebot(*arguments, "--json").stdout)["unseen"] == ["B1", "B2", "B3"]
    run = thistlebot(*arguments[:5])
    assert run.exit_code == ExitCode.MISREAD
    assert "D, L, B" in run.stdout
