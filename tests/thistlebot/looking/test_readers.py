"""Ways to look at a cube that need no camera."""

import json
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from cube.random_states import random_state
from robot.rigs.catalogue import default_rig
from thistlebot.looking.readers import ColourReader
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from vision.frame import Frame
from vision.read_photos import read_views
from vision.virtual.viewpoints import (
    CORNER_CAMERAS,
    corner_viewpoint,
    default_views,
)
from vision.virtual.virtual_camera import VirtualCamera

COLOURS = {
    "U": (230, 230, 225),
    "R": (190, 25, 45),
    "F": (10, 150, 70),
    "D": (240, 205, 10),
    "L": (250, 110, 20),
    "B": (10, 70, 170),
}


def test_a_file_of_colours_is_read_without_pictures(tmp_path: Path) -> None:
    facelets = random_state(np.random.default_rng(5)).to_facelets()
    file = tmp_path / "scan.jsonl"
    file.write_text(json.dumps({"rgb": [COLOURS[letter] for letter in facelets.text]}) + "\n")
    reader = ColourReader(file, None)
    assert reader.look() == ()
    assert reader.read(reader.look()).facelets == facelets
    with pytest.raises(AssertionError):
        reader.read((Frame(np.zeros((2, 2, 3), np.uint8), "a camera"),))


def test_cameras_look_again_in_other_exposures_when_the_cube_is_in_doubt() -> None:
    state = random_state(np.random.default_rng(6))
    with ExitStack() as stack:
        cameras = [
            stack.enter_context(VirtualCamera(lambda: state, corner_viewpoint(name), seed=i))
            for i, name in enumerate(CORNER_CAMERAS)
        ]
        reader = RigReader(RigScan(default_rig(), default_views()), cameras)
        frames = reader.look()
        dark = tuple(Frame((frame.image * 0.04).astype(np.uint8), "dark") for frame in frames)
        assert not read_views(dark, default_views()).accepted
        assert reader.read(dark).facelets == state.to_facelets()
        usual = frames[0].image.mean()
        assert reader.look()[0].image.mean() == pytest.approx(usual, rel=0.02)
