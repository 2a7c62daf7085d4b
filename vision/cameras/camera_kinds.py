"""Which camera opens which source."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from vision.cameras.camera import Camera
from vision.cameras.opencv_camera import OpenCVCamera

CAMERA_KINDS: Mapping[str, Callable[[int | str], Camera]] = MappingProxyType(
    {
        r"\d+|/dev/.*": OpenCVCamera,  # webcams
        r"\w+://.*": OpenCVCamera,  # streams
        r".*": OpenCVCamera,  # video files
    }
)
"""Pattern of a whole source to what opens it; the first that matches counts. A new kind of camera
is a module of its own and a line here, before the last."""


def open_camera(source: int | str) -> Camera:
    """Open what a person named: a webcam's index, a device path, a URL or a video file.

    Raises:
        CameraError: It does not open.
    """
    kinds = (kind for pattern, kind in CAMERA_KINDS.items() if re.fullmatch(pattern, str(source)))
    return next(kinds, OpenCVCamera)(source)
