"""A frame is a colour picture that nobody can change."""

import numpy as np
import pytest

from vision.errors import VisionError
from vision.frame import Frame


def test_a_frame_cannot_be_painted_on_but_its_source_array_still_can():
    image = np.zeros((4, 6, 3), dtype=np.uint8)
    frame = Frame(image, "test")
    assert frame.size == (6, 4)
    with pytest.raises(ValueError, match="read-only"):
        frame.image[0, 0] = 1
    image[0, 0] = 7  # the owner of the array keeps the right to write


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 6), dtype=np.uint8),
        np.zeros((4, 6, 4), dtype=np.uint8),
        np.zeros((4, 6, 3), dtype=np.uint16),
        np.zeros((0, 6, 3), dtype=np.uint8),
    ],
)
def test_other_arrays_are_refused_with_the_camera_named(image):
    with pytest.raises(VisionError, match="the picture from webcam has shape"):
        Frame(image, "webcam")
