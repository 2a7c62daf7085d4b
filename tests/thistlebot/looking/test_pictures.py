"""Pictures for people, as they lie on the disk."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from world import World

from documents.errors import UnwritableError
from thistlebot.looking.pictures import save_reading, write_png


def test_a_picture_is_written_as_it_is(tmp_path: Path) -> None:
    image = np.random.default_rng(1).integers(0, 256, (9, 12, 3), dtype=np.uint8)
    file = tmp_path / "new" / "one.png"
    write_png(file, image)
    assert np.array_equal(cv2.imread(str(file)), image)
    with pytest.raises(UnwritableError):
        write_png(file / "one.png", image)  # which is no folder


def test_each_camera_has_a_picture_of_its_own(tmp_path: Path) -> None:
    reader = World().reader
    frames = reader.look()
    files = save_reading(tmp_path, "scan", frames, reader.read(frames))
    assert [file.name for file in files] == ["scan-1.png", "scan-2.png"]
    for file, frame in zip(files, frames, strict=True):
        drawn = cv2.imread(str(file))
        assert drawn is not None
        assert drawn.shape == frame.image.shape
        assert not np.array_equal(drawn, frame.image)  # the reading is drawn over it
