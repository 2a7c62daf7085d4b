"""Ways to look at a cube that need no camera."""

import json
from pathlib import Path

import numpy as np
import pytest

from cube.random_states import random_state
from thistlebot.session.readers import ColourReader
from vision.frame import Frame

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
    with pytest.raises(AssertionError, match="no pictures"):
        reader.read((Frame(np.zeros((2, 2, 3), np.uint8), "a camera"),))
