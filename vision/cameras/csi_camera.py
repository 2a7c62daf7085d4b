"""The ribbon (CSI) camera of a Raspberry Pi as a camera: its light is measured, then held."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.camera import Camera
from vision.cameras.driver_calls import begun
from vision.cameras.light_lock import Held, LightLock, measure_drift
from vision.cameras.rpicam import FRAMERATE, RpicamProcess, SensorState
from vision.errors import CameraError
from vision.frame import Frame

SIZE = (1280, 960)
"""Size for which sensors read their whole field; for 640×480, some sensors read only the middle."""
DELIVERED = (640, 480)
"""The size of webcams and views; averaging four pixels lowers the noise."""
_SETTLED = 0.01
_MOST_SETTLING = 90
_ALIKE = 5
_HELD = 0.05


class CsiCamera(Camera):
    """A ribbon camera, opened as ``csi`` or ``csi:1``.

    The automatic exposure, white balance and focus settle first. Their values are then locked, so
    that the same sticker has the same colour in every picture.

    Args:
        number: Number of the camera, as `rpicam-vid --list-cameras` counts; empty for the first.

    Raises:
        CameraError: There is no such camera, or it sends no pictures.
    """

    def __init__(self, number: str = "") -> None:
        if not (number or "0").isdecimal():
            raise CameraError(f"csi:{number} is not a ribbon camera: use csi, csi:0 or csi:1")
        self._number = int(number or "0")
        self._held: SensorState | None = None
        self._process: RpicamProcess | None = RpicamProcess(self._number, SIZE)
        try:
            self._held = self._settled()
            self._restart(self._held)
            self._light = self._measured(self._held)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The camera's name for people."""
        return f"csi:{self._number}"

    @property
    def light(self) -> LightLock:
        """Whether exposure and white balance are locked."""
        return self._light

    def read(self) -> Frame:
        """Return a picture whose exposure begins after the call.

        Raises:
            CameraError: The camera is closed or lost.
        """
        image, _ = self._take()
        return Frame(image, self.name, time.monotonic())

    def ask(self) -> Callable[[], Frame]:
        """See `Camera.ask`."""
        return partial(begun(self.read), None)

    def expose(self, share: float) -> bool:
        """See `Camera.expose`; the program of the camera is started again, in about a second.

        Raises:
            CameraError: The camera is lost.
        """
        if self._held is None or self._light.exposure is not Held.LOCKED:
            return False
        wanted = replace(self._held, exposure_us=self._held.exposure_us * share)
        self._restart(wanted)
        _, state = self._take()
        return _near(state.exposure_us, wanted.exposure_us)

    def close(self) -> None:
        """End the camera's program."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _restart(self, held: SensorState) -> None:
        self.close()
        self._process = RpicamProcess(self._number, SIZE, held.options)

    def _take(self) -> tuple[NDArray[np.uint8], SensorState]:
        if self._process is None:
            raise CameraError(f"{self.name} is closed; open it again to read from it")
        jpeg, state = self._process.newest()
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise CameraError(f"{self.name} sent a damaged picture; start again")
        image = cv2.resize(image, DELIVERED, interpolation=cv2.INTER_AREA)
        return np.asarray(image, dtype=np.uint8), state

    def _settled(self) -> SensorState:
        """Return the settings that the automatic controls reach within about three seconds."""
        _, state = self._take()
        alike = 0
        for _ in range(_MOST_SETTLING):
            _, now = self._take()
            alike = alike + 1 if _same(now, state) else 0
            state = now
            if alike >= _ALIKE:
                break
        return state

    def _measured(self, wanted: SensorState) -> LightLock:
        """Read the camera's settings back, and measure its pictures."""
        for _ in range(FRAMERATE // 3):  # settings apply after a few pictures
            _, state = self._take()
        exposed = _near(state.exposure_us, wanted.exposure_us) and _near(state.gain, wanted.gain)
        balanced = _near(state.red, wanted.red) and _near(state.blue, wanted.blue)
        return LightLock(
            Held.LOCKED if exposed else Held.IGNORED,
            Held.LOCKED if balanced else Held.IGNORED,
            measure_drift(lambda: self._take()[0]),
            str(state),
        )


def _near(value: float, wanted: float, share: float = _HELD) -> bool:
    return abs(value - wanted) <= share * max(abs(wanted), 1e-9)


def _same(one: SensorState, other: SensorState) -> bool:
    """Whether the automatic controls changed almost nothing between two pictures."""
    lens = (one.lens or 0.0, other.lens or 0.0)
    return (
        _near(one.exposure_us * one.gain, other.exposure_us * other.gain, _SETTLED)
        and _near(one.red, other.red, _SETTLED)
        and _near(one.blue, other.blue, _SETTLED)
        and abs(lens[0] - lens[1]) <= 0.05
    )
