"""Locks a webcam's exposure and white balance, and checks that they are really constant.

Drivers ignore settings silently. So each setting is read back, and then the pictures themselves are
measured: the same cube must keep its colours from one face to the next.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

# The value for manual exposure in OpenCV's back ends: V4L2_EXPOSURE_MANUAL is 1, DirectShow's
# bridge uses a quarter, Media Foundation nothing.
_MANUAL_EXPOSURE = {cv2.CAP_V4L2: 1.0, cv2.CAP_DSHOW: 0.25, cv2.CAP_MSMF: 0.0}
_MANUAL_BALANCE = 0.0
# The automatic exposure has settled if the picture's levels change by less than this share per
# picture.
_SETTLED, _MOST_SETTLING = 0.01, 30
# Pictures checked after locking, and the change of a channel's level, as a share, that noise can
# cause.
_WATCHED, _MOST_DRIFT = 6, 0.02


class Held(Enum):
    """How reliably a setting is locked."""

    LOCKED = "locked"
    REFUSED = "not lockable"
    IGNORED = "set, but the driver ignores it"


@dataclass(frozen=True, slots=True)
class LightLock:
    """The result of locking a camera's light.

    Attributes:
        exposure: Whether the exposure is locked.
        white_balance: Whether the white balance is locked.
        drift: Largest change of a channel's mean level over the checked pictures, as a share.
        settings: The locked values, for a person; empty if the camera does not report them.
    """

    exposure: Held
    white_balance: Held
    drift: float
    settings: str = ""

    @property
    def steady(self) -> bool:
        """Whether the pictures themselves were constant."""
        return self.drift <= _MOST_DRIFT

    @property
    def text(self) -> str:
        """One sentence for the user; says what to do if it is not good."""
        state = f"exposure {self.exposure.value}, white balance {self.white_balance.value}"
        state += f" ({self.settings})" if self.settings else ""
        if not self.steady:
            return (
                f"{state}; the pictures still change by {100 * self.drift:.0f} %: keep lamps "
                "and hands still, or turn off automatic exposure and white balance in the "
                "camera's own program"
            )
        return f"{state}; the pictures do not change"


def lock_light(
    capture: cv2.VideoCapture, back_end: int, next_image: Callable[[], Image]
) -> LightLock:
    """Let the automatic controls settle, lock their values, read them back, and measure.

    Args:
        capture: An open webcam.
        back_end: OpenCV's number of its back end.
        next_image: Takes one picture, (h, w, 3) uint8 BGR.
    """
    _settle(next_image)
    exposure = _hold(
        capture, cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE.get(back_end), cv2.CAP_PROP_EXPOSURE
    )
    white_balance = _hold(
        capture, cv2.CAP_PROP_AUTO_WB, _MANUAL_BALANCE, cv2.CAP_PROP_WB_TEMPERATURE
    )
    return LightLock(exposure, white_balance, measure_drift(next_image))


def measure_drift(next_image: Callable[[], Image]) -> float:
    """Return the largest change of a channel's mean level over a few pictures, as a share."""
    levels = np.array([_levels(next_image()) for _ in range(_WATCHED)])
    return float((np.ptp(levels, axis=0) / np.maximum(levels.mean(axis=0), 1.0)).max())


def change_exposure(capture: cv2.VideoCapture, held: float, share: float) -> bool:
    """Set a locked exposure to a share of its original value, and read it back.

    Args:
        capture: An open webcam whose exposure is locked.
        held: The original value: above 0 a time (V4L2), below 0 its binary logarithm (DirectShow,
            Media Foundation).
        share: Share of the light; 1 restores the original value.
    """
    wanted = held * share if held > 0.0 else held + round(math.log2(share))
    if not capture.set(cv2.CAP_PROP_EXPOSURE, wanted):
        return False
    return abs(capture.get(cv2.CAP_PROP_EXPOSURE) - wanted) <= 0.05 * max(1.0, abs(wanted))


def _settle(next_image: Callable[[], Image]) -> None:
    """Take pictures until two successive ones are alike."""
    before = _levels(next_image())
    for _ in range(_MOST_SETTLING):
        now = _levels(next_image())
        if np.abs(now - before).max() <= _SETTLED * max(1.0, float(before.max())):
            return
        before = now


def _hold(capture: cv2.VideoCapture, automatic: int, manual: float | None, value: int) -> Held:
    """Switch an automatic control off and keep its value."""
    if manual is None:
        return Held.REFUSED
    found = capture.get(value)
    if not capture.set(automatic, manual):
        return Held.REFUSED
    if capture.get(automatic) != manual:
        return Held.IGNORED
    if found > 0.0 or value == cv2.CAP_PROP_EXPOSURE:
        capture.set(value, found)  # some drivers jump to a default when the automatic ends
        if abs(capture.get(value) - found) > 0.05 * max(1.0, abs(found)):
            return Held.IGNORED
    return Held.LOCKED


def _levels(image: Image) -> NDArray[np.float64]:
    """Return the mean level of each channel, (3,), without clipped and black pixels."""
    small = cv2.resize(image, (64, 48), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    usable = small[(small.max(axis=1) < 250) & (small.max(axis=1) > 12)]
    return np.asarray((usable if len(usable) else small).mean(axis=0), dtype=np.float64)
