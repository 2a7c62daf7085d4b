"""A stand-in for `rpicam-vid`: takes its published options, and shows a picture as a camera would.

``SCENE`` names what is before the camera: a PNG file, looked at again for each picture, or the
folder of `benchmarks.pi.machine`. The automatic begins in the dark and settles; settings that are
given are held. ``FAULT`` is one of ``none`` (no camera), ``busy``, ``dies`` and ``hangs`` (after 5
pictures), ``deaf`` (settings are ignored) and ``untold`` (no times).
"""

import argparse
import os
import sys
import time
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from benchmarks.pi.machine import MachineView
from cube.facelets import Facelets
from vision.virtual.viewpoints import straight_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

SETTLED = {"exposure": 8000.0, "gain": 2.0, "red": 1.8, "blue": 1.5, "lens": 8.0}


def arguments(given: list[str]) -> argparse.Namespace:
    """Parse the options of `rpicam-vid` that are used, as strictly as it does."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--list-cameras", action="store_true")
    for name in ("camera", "timeout", "width", "height", "framerate", "quality"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--nopreview", action="store_true")
    parser.add_argument("--flush", action="store_true")
    parser.add_argument("--denoise", choices=["auto", "off", "cdn_off", "cdn_fast", "cdn_hq"])
    parser.add_argument("--codec", choices=["h264", "mjpeg", "yuv420", "libav"])
    parser.add_argument("--output")
    parser.add_argument("--metadata")
    parser.add_argument("--metadata-format", choices=["json", "txt"])
    parser.add_argument("--shutter", type=int)
    parser.add_argument("--gain", type=float)
    parser.add_argument("--awbgains")
    parser.add_argument("--autofocus-mode", choices=["default", "manual", "auto", "continuous"])
    parser.add_argument("--lens-position", type=float)
    return parser.parse_args(given)


def settings(given: argparse.Namespace, number: int, *, deaf: bool) -> dict[str, float]:
    """Where the automatic is at a picture, and what is given instead."""
    share = 1.0 - 0.8 * 0.7**number
    now = {name: value * share for name, value in SETTLED.items()}
    if deaf and given.shutter:
        now["exposure"] *= 1.3
    if not deaf:
        held = {"exposure": given.shutter, "gain": given.gain, "lens": given.lens_position}
        now |= {name: float(value) for name, value in held.items() if value is not None}
        if given.awbgains:
            now["red"], now["blue"] = map(float, given.awbgains.split(","))
    return now


class CameraScene:
    """What is before the camera."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._content = b""
        self._image = np.zeros((1, 1, 3), dtype=np.uint8)

    def image(self) -> NDArray[np.uint8]:
        """Return it as it is now, (h, w, 3) uint8 BGR."""
        file = self._place / "seen.json" if self._place.is_dir() else self._place
        content = file.read_bytes()
        if content != self._content:
            if self._place.is_dir():
                self._image = self._rendered(msgspec.json.decode(content, type=MachineView))
            else:
                image = cv2.imread(str(file))
                assert image is not None
                self._image = np.asarray(image, dtype=np.uint8)
            self._content = content
        return self._image

    def _rendered(self, seen: MachineView) -> NDArray[np.uint8]:
        place = straight_viewpoint(("U",), "above")
        names = () if seen.open else tuple(f"U{number}" for number in range(1, 10))
        camera = VirtualCamera(lambda: Facelets(seen.shown), place, covered=lambda: names)
        return camera.read().image


def boot_s() -> float:
    """Seconds since the system started."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def main() -> int:
    """Send pictures until the program is ended."""
    given, fault = arguments(sys.argv[1:]), os.environ.get("FAULT", "")
    if given.list_cameras:
        sys.stdout.write("Available cameras\n-----------------\n")
        sys.stdout.write("0 : imx708 [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx708@1a)\n")
        sys.stdout.write("    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps]\n")
        return 0
    if fault in {"none", "busy"}:
        said = "no cameras available" if fault == "none" else "failed to acquire camera: busy"
        sys.stderr.write(f"ERROR: *** {said} ***\n")
        return 255
    assert (given.codec, given.output, given.timeout) == ("mjpeg", "-", 0)
    number, scene = 0, CameraScene(Path(os.environ["SCENE"]))
    with Path(given.metadata).open("w", encoding="utf-8") as told:
        while True:
            begun_ns = round(boot_s() * 1e9)
            if fault == "hangs" and number >= 5:
                time.sleep(3600)  # hangs, until it is killed
            if fault == "dies" and number >= 5:
                sys.stderr.write("ERROR: *** Camera frontend has timed out! ***\n")
                return 255
            now = settings(given, number, deaf=fault == "deaf")
            light = now["exposure"] * now["gain"] / (SETTLED["exposure"] * SETTLED["gain"])
            gains = (now["blue"] / SETTLED["blue"], 1.0, now["red"] / SETTLED["red"])
            shown = np.clip(scene.image() * (light * np.array(gains)), 0, 255).astype(np.uint8)
            size = given.width, given.height
            shown = np.array(cv2.resize(shown, size, interpolation=cv2.INTER_LINEAR))
            row = 2 * number % given.height
            shown[row : row + 2] ^= 4  # a sensor's noise: no two pictures are alike
            time.sleep(max(0.0, begun_ns * 1e-9 + 1 / given.framerate - boot_s()))
            _, jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, given.quality])
            sys.stdout.buffer.write(jpeg.tobytes())
            sys.stdout.buffer.flush()
            if fault != "untold":
                told.write(f"SensorTimestamp={begun_ns}\n")
            told.write(f"ExposureTime={now['exposure']:.0f}\nAnalogueGain={now['gain']:.6f}\n")
            told.write(f"ColourGains=[ {now['red']:.6f}, {now['blue']:.6f} ]\n")
            told.write(f"DigitalGain=1.000000\nLensPosition={now['lens']:.6f}\n\n")
            told.flush()
            number += 1


if __name__ == "__main__":
    sys.exit(main())
