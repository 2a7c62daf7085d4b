"""The ribbon camera, by a stand-in for the system's program that is as strict with its options."""

import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from prepared import ROOT
from vision.cameras import rpicam
from vision.cameras.camera_kinds import list_cameras, open_camera
from vision.cameras.csi_camera import CsiCamera
from vision.cameras.light_lock import Held
from vision.errors import CameraError

GREY, BLUE = (60, 120, 180), (200, 60, 40)
Show = Callable[[tuple[int, int, int]], None]


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Puts a colour before the camera."""
    program = tmp_path / "bin" / "rpicam-vid"
    program.parent.mkdir()
    stand_in = f'"{sys.executable}" -m benchmarks.pi.rpicam_vid'
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec {stand_in} "$@"\n')
    program.chmod(0o755)
    scene = tmp_path / "scene.png"
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setenv("SCENE", str(scene))

    def put(colour: tuple[int, int, int]) -> None:
        done = cv2.imwrite(
            str(scene.with_suffix(".new.png")), np.full((24, 32, 3), colour, np.uint8)
        )
        assert done
        scene.with_suffix(".new.png").rename(scene)

    put(GREY)
    return put


def test_light_is_measured_then_held_and_every_picture_is_new(show: Show) -> None:
    assert ("csi:0", "imx708") in [(each.source, each.name) for each in list_cameras()]
    with open_camera("csi") as camera:
        light = camera.light
        assert light is not None
        assert (light.exposure, light.white_balance) == (Held.LOCKED, Held.LOCKED)
        assert light.steady
        assert "8.0 ms" in light.settings
        assert np.allclose(camera.read().image.mean(axis=(0, 1)), GREY, atol=4)
        show(BLUE)  # what was on its way shows the scene before
        assert np.allclose(camera.read().image.mean(axis=(0, 1)), BLUE, atol=4)
        assert camera.expose(0.5)
        dark = camera.read().image.mean(axis=(0, 1))
        assert np.allclose(dark, np.array(BLUE) / 2, atol=4)
        assert camera.expose(1.0)
    with pytest.raises(CameraError):
        camera.read()


@pytest.mark.usefixtures("show")
def test_what_is_wrong_with_a_ribbon_camera_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for fault, cure in {"none": "ribbon cable", "busy": "other program", "dies": "power"}.items():
        monkeypatch.setenv("FAULT", fault)
        with pytest.raises(CameraError, match=cure):
            CsiCamera("0")
    monkeypatch.setenv("FAULT", "hangs")
    with monkeypatch.context() as patch:
        patch.setattr(rpicam, "PATIENCE_S", 2.0)
        with pytest.raises(CameraError, match="no picture"):
            CsiCamera("0")
    monkeypatch.setenv("FAULT", "deaf")
    with CsiCamera() as camera:
        assert camera.light.exposure is Held.IGNORED
        assert not camera.expose(0.5)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CameraError, match="rpicam-apps"):
        CsiCamera()
    with pytest.raises(CameraError):
        CsiCamera("one")
