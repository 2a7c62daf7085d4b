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
from thistlebot.errors import MisreadError
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.refusal import refusal
from thistlebot.reading.rig_views import never_sure, unseen_stickers, unseen_text
from vision.geometry.view import View
from vision.reading import ReadingState
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera

UPPER, LOWER = default_views()


def without(view: View, *names: str) -> View:
    return msgspec.structs.replace(
        view, facelet=tuple(entry for entry in view.facelet if entry.name not in names)
    )


PARTLY = without(LOWER, "B1", "B2", "B3")
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


def test_what_no_camera_sees_is_named() -> None:
    nameless = msgspec.structs.replace(LOWER, centres={})
    for views, unseen, told, never in (
        ((UPPER, LOWER), (), "", False),
        ((UPPER, nameless), ("D5", "L5", "B5"), "D5 L5 B5", False),
        ((UPPER, PARTLY), ("B1", "B2", "B3"), "B1 B2 B3", False),
        ((UPPER,), None, "D, L, B", True),
    ):
        found = unseen_stickers(views)
        assert unseen in (found, None)
        assert told in unseen_text(found)
        assert bool(unseen_text(found)) == bool(found)
        assert never_sure(found) == never
    assert "--scheme" in unseen_text(("D5",))
    assert unseen_stickers((UPPER, nameless), dict.fromkeys("URFDLB", "")) == ()


def test_what_no_reading_can_tell_is_known_beforehand() -> None:
    for hidden, never in (
        ("B1 B2 B3", False),
        ("U9 R1 F3 U8 F2", False),
        ("U9 R1 F3 U7 L3 F1", True),
        ("U8 F2 U6 R2", True),
    ):
        names = hidden.split()
        assert never_sure(names) is never
        rng = np.random.default_rng(4)
        truth = random_state(rng).to_facelets()
        labs = seen(truth, rng)
        labs[[facelet_index(name) for name in names]] = np.nan
        reading = decode_lab(labs, mistakes=False)
        assert set(reading.unseen) == set(names)
        if never:
            assert not reading.accepted
            assert isinstance(refusal(reading), MisreadError)
        else:
            assert (reading.state, reading.best) == (ReadingState.REPAIRED, truth)
            assert {facelet_name(repair.facelet) for repair in reading.repairs} == set(names)


def test_what_no_turn_brings_into_sight_is_told_at_once(tmp_path: Path) -> None:
    """Before the camera is opened: there is none. It sees edges only, and they stay edges."""
    rig = rig_file(tmp_path, EDGES_ONLY)
    for arguments in (("scan",), ("solve", "--dry-run"), ("solve", "--scramble", "R")):
        run = thistlebot(*arguments, "--rig", rig)
        assert run.exit_code == ExitCode.USAGE
        assert "D, L, B" in " ".join(run.stderr.split())


def test_a_rig_that_would_have_to_turn_faces_does_not_in_a_dry_run(tmp_path: Path) -> None:
    run = thistlebot("solve", "--dry-run", "--virtual", "--rig", rig_file(tmp_path, UPPER))
    assert run.exit_code == ExitCode.DONE, run.stderr
    run = thistlebot("solve", "--dry-run", "--rig", rig_file(tmp_path, UPPER))
    assert run.exit_code == ExitCode.NO_DEVICE  # the camera comes first


def test_some_stickers_are_told_before_anybody_looks(tmp_path: Path) -> None:
    run = thistlebot("scan", "--rig", rig_file(tmp_path, UPPER, PARTLY))
    assert run.exit_code == ExitCode.NO_DEVICE
    said = " ".join(run.stderr.split())
    assert said.index("B1 B2 B3") < said.index("no0")


def test_doctor_names_what_no_camera_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))  # no large tables to examine
    for views, health, named in (((UPPER,), "good", "2"), ((UPPER, PARTLY), "bad", "B1 B2 B3")):
        port = ("--port", tmp_path / "no board")
        run = thistlebot("doctor", "--json", *port, "--rig", rig_file(tmp_path, *views))
        findings = {each["subject"]: each for each in map(json.loads, run.stdout.splitlines())}
        assert findings["views"]["health"] == health
        assert named in findings["views"]["text"]
        assert "no0" in findings["cameras"]["text"]  # examined all the same


def test_pictures_of_fixed_cameras_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    state = random_state(np.random.default_rng(6))
    arguments: list[object] = ["scan"]
    for name, view in zip(CORNER_CAMERAS, (UPPER, PARTLY), strict=True):
        with VirtualCamera(lambda: state, corner_viewpoint(name)) as camera:
            cv2.imwrite(str(tmp_path / f"{name}.png"), camera.read().image)
        (tmp_path / f"{name}.toml").write_text(document_text(view))
        arguments += ["--frame", tmp_path / f"{name}.png", "--view", tmp_path / f"{name}.toml"]
    run = thistlebot(*arguments)
    assert run.exit_code == ExitCode.DONE, run.output
    assert "B1 B2 B3" in " ".join(run.stderr.split())
    assert "B1 B2 B3" in run.stdout
    assert json.loads(thistlebot(*arguments, "--json").stdout)["unseen"] == ["B1", "B2", "B3"]
    run = thistlebot(*arguments[:5])
    assert run.exit_code == ExitCode.MISREAD
    assert "D, L, B" in run.stdout
