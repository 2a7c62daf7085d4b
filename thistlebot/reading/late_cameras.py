"""How late the pictures of a rig's cameras are, measured at its own motions.

If the machine turned the whole cube, and a camera shows it as before, its pictures are late. Then
they are watched until they change: by this much, all later pictures are late, too.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame

MOST_DELAY_S = 6.0
"""Pictures later than this cannot be used: this long the program waits for a turn to be seen."""
CHANGED = 10.0
"""ΔE from which a sticker's place shows another colour; noise and drift stay below."""
LEAST_CHANGED = 2
"""Minimum number of changed stickers for each camera."""
_LONGER, _MARGIN_S = 1.25, 0.3
"""A measured delay is waited for this much longer: it may grow."""

Samples = list[NDArray[np.float64]]
"""For each camera, (54, 3) CIELAB; NaN for facelets that it does not see."""


def changes(
    before: NDArray[np.float64], after: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which facelets both samples contain, and which of them differ: (54,) each."""
    both = np.asarray(np.isfinite(before).all(axis=1) & np.isfinite(after).all(axis=1))
    with np.errstate(invalid="ignore"):
        changed = np.linalg.norm(after - before, axis=1) > CHANGED
    return both, both & changed


@dataclass(frozen=True, slots=True)
class WatchedCameras:
    """Some cameras of a rig.

    Attributes:
        glimpse: Takes a picture with each of them.
        samples: Returns what such pictures show at the places of the stickers.
    """

    glimpse: Callable[[], tuple[Frame, ...]]
    samples: Callable[[tuple[Frame, ...]], Samples]


class LateCameras:
    """The delay of a rig's cameras.

    Attributes:
        late_s: How long to wait for pictures after a motion; 0 if they were never late.
        given_up: Whether no picture showed a motion of this look: the camera hangs, or the machine
            did not move the cube. The reading tells.
    """

    def __init__(self, nap: Callable[[], None]) -> None:
        self._nap = nap
        self.late_s = 0.0
        self.given_up = False

    def follow(
        self, before: tuple[Frame, ...], after: tuple[Frame, ...], cameras: WatchedCameras
    ) -> bool:
        """Return whether to use pictures: all cameras show that the cube was carried, or never do.

        If they do not, their delay is measured, and newer pictures are needed.

        Args:
            before: Pictures that were taken just before the motion.
            after: Pictures that were taken after it.
            cameras: The cameras of these pictures.
        """
        seen = cameras.samples(before)
        if self.given_up or not _unchanged(seen, cameras.samples(after)):
            return True
        shown_s = self._shown_s(seen, cameras)
        if shown_s is None:
            self.given_up = True
        else:
            late_s = shown_s - before[0].time_s
            self.late_s = max(self.late_s, _LONGER * late_s) + _MARGIN_S
        return False

    def wait(self, cameras: WatchedCameras) -> None:
        """Let the pictures follow what was done before, if they are late."""
        begin_s = now_s = cameras.glimpse()[0].time_s if self.late_s else 0.0
        while now_s - begin_s < self.late_s:
            self._nap()
            now_s = cameras.glimpse()[0].time_s

    def _shown_s(self, seen: Samples, cameras: WatchedCameras) -> float | None:
        """Return when all cameras show another view than before; None if they do not."""
        frames = cameras.glimpse()
        begin_s = frames[0].time_s
        while _unchanged(seen, cameras.samples(frames)):
            if frames[0].time_s - begin_s > MOST_DELAY_S:
                return None
            self._nap()
            frames = cameras.glimpse()
        return frames[0].time_s


class PlayedLateness(LateCameras):
    """The delay in a recorded run: if a picture is late, the next recorded one was taken for it."""

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self._again = False

    def follow(
        self, before: tuple[Frame, ...], after: tuple[Frame, ...], cameras: WatchedCameras
    ) -> bool:
        """See `LateCameras.follow`."""
        late = not self.given_up and _unchanged(cameras.samples(before), cameras.samples(after))
        if self._again:
            self.given_up = late
            self.late_s += 0.0 if late else _MARGIN_S
        self._again = late and not self._again
        return not self._again

    def wait(self, cameras: WatchedCameras) -> None:
        """Do nothing."""


def _unchanged(before: Samples, after: Samples) -> bool:
    """Return whether a camera shows what it has shown before."""
    return any(
        np.count_nonzero(changes(one, other)[1]) < LEAST_CHANGED
        for one, other in zip(before, after, strict=True)
    )
