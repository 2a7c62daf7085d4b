"""Pictures with too many pixels are reduced or refused."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.random_states import random_state
from run_thistlebot import finished
from vision.cameras.picture_size import MOST_PIXELS, limit_pixels
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


def test_the_limit_takes_a_photo_of_24_megapixels_and_leaves_a_limit_that_the_user_set() -> None:
    environment = {"OPENCV_IO_MAX_IMAGE_PIXELS": "7"}
    limit_pixels(environment)
    assert environment == {"OPENCV_IO_MAX_IMAGE_PIXELS": "7"}
    environment.clear()
    limit_pixels(environment)
    assert int(environment["OPENCV_IO_MAX_IMAGE_PIXELS"]) == MOST_PIXELS >= 6000 * 4000
    assert abs(3 * MOST_PIXELS - 0.1e9) < 0.001e9  # all fits in a tenth of a gigabyte


@pytest.mark.parametrize(("suffix", "code"), [(".jpg", 0), (".png", 5)])
def test_a_picture_with_too_many_pixels_is_reduced_or_refused(
    suffix: str, code: int, tmp_path: Path
) -> None:
    """OpenCV reads the limit when it is loaded; it lies between picture and half its size here."""
    state = random_state(np.random.default_rng(1))
    with VirtualCamera(lambda: state, hand_held_viewpoint("F", size=(1280, 960))) as camera:
        image = camera.read().image
    cv2.imwrite(str(tmp_path / f"F{suffix}"), image)
    environment = os.environ | {"OPENCV_IO_MAX_IMAGE_PIXELS": str(640 * 480)}
    result = finished("scan", "--face", tmp_path / f"F{suffix}", "--json", env=environment)
    assert result.returncode == code, result.stderr
    assert ('"found":true' in result.stdout) == (code == 0)
    assert ("PhotoError" in result.stdout) == (code == 5)
    assert code == 0 or f" {MOST_PIXELS // 1_000_000} " in result.stdout
