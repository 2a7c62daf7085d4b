"""The kinds of cameras, how sources are assigned to them, and the cameras of this computer."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from documents.plugins import Plugins
from vision.cameras.camera import Camera
from vision.cameras.csi_camera import CsiCamera
from vision.cameras.opencv_camera import OpenCVCamera
from vision.cameras.rpicam import list_sensors
from vision.errors import CameraError

CAMERA_KINDS = Plugins[Callable[[str], Camera]]("cameras", {"csi": CsiCamera})
"""Functions that open the address after ``NAME:``; ``csi`` alone is the first ribbon camera.

Webcams, streams and video files need no name.
"""


def open_camera(source: int | str) -> Camera:
    """Open what a person named: a webcam, a stream, a video file, or a plugin's ``NAME:ADDRESS``.

    Raises:
        CameraError: It does not open.
        PluginError: The plugin cannot be loaded.
    """
    if (named := CAMERA_KINDS.prefixed(str(source))) is not None:
        opener, address = named
        return opener(address)
    return OpenCVCamera(source)


_NO_WEBCAMS = ("bcm2835-", "unicam", "rp1-cfe", "pispbe", "rpivid", "rpi-hevc")
"""Nodes of a Raspberry Pi's video decoder, and of ribbon cameras, whose pictures are raw there."""
PROBED_INDICES = 4
"""Number of webcams to try on platforms that do not list them."""


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """A camera of this computer: the source for `OpenCVCamera`, and its name."""

    source: int | str
    name: str


def list_cameras(sysfs: Path = Path("/sys/class/video4linux")) -> tuple[CameraInfo, ...]:
    """Return the cameras of this computer in the order of their indices.

    Linux lists them without opening any. Elsewhere the first few indices are tried, which switches
    a camera's light on for a moment and does not give names.

    Args:
        sysfs: The folder in which the Linux kernel lists its video devices.
    """
    if sys.platform.startswith("linux"):
        ribbons = (CameraInfo(f"csi:{number}", name) for number, name in list_sensors())
        return (*_linux_cameras(sysfs), *ribbons)
    found = []
    for index in range(PROBED_INDICES):
        try:
            OpenCVCamera(index, lock=False).close()
        except CameraError:
            continue
        found.append(CameraInfo(index, f"camera {index}"))
    return tuple(found)


def _linux_cameras(sysfs: Path) -> tuple[CameraInfo, ...]:
    """Read the kernel's list; a camera's first node (index 0) is the one with the pictures."""
    found: list[tuple[int, CameraInfo]] = []
    for node in sysfs.glob("video*"):
        number = node.name.removeprefix("video")
        if not number.isdecimal() or _first_line(node / "index") not in {"", "0"}:
            continue
        name = _first_line(node / "name") or f"camera {number}"
        if name.startswith(_NO_WEBCAMS):
            continue
        found.append((int(number), CameraInfo(f"/dev/{node.name}", name)))
    return tuple(info for _, info in sorted(found, key=lambda entry: entry[0]))


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").partition("\n")[0].strip()
    except OSError:
        return ""
