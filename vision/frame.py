"""One picture from any camera."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture, with its source and time.

    The image is read-only, so a frame can be shared by the reading, the annotation and the history
    without copies; code that draws on a picture draws on a copy.

    Attributes:
        image: (h, w, 3) uint8, channels blue, green, red (OpenCV's order), gamma-encoded sRGB.
        source: The origin for people: a file's path, a camera's name.
        time_s: Seconds on the camera's clock; only differences within one source have a meaning.

    Raises:
        VisionError: The array is not a colour picture of at least 1×1 pixel.
    """

    image: NDArray[np.uint8]
    source: str
    time_s: float = 0.0

    def __post_init__(self) -> None:
        image = self.image
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or image.size == 0:
            raise VisionError(
                f"the picture from {self.source} has shape {image.shape} and type "
                f"{image.dtype}, but must be height × width × 3 channels of 8 bits; check the "
                "camera's pixel format"
            )
        if image.flags.writeable:
            image = image.view()
            image.flags.writeable = False
            object.__setattr__(self, "image", image)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.shape[1], self.image.shape[0]
