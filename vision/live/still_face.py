"""Whether the face before the camera is held still, and for how long."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from vision.frame import Frame
from vision.live.known_faces import face_difference
from vision.reading import FaceReading

WINDOW = 7
"""Number of recent frames considered."""
STILL_FRAMES = 5
"""Number of them in which the face must be found, sharp and in the same place; one or two missed
frames do not matter.
"""
SHIFT = 0.04
"""Maximum movement of its corners during these frames, as a share of its side."""
COLOUR_CHANGE = 6.0
"""Maximum change of its stickers' colours, median ΔE."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A face in one frame.

    Attributes:
        face: Its reading.
        sharp: Its `vision.live.face_watch.sharpness`.
        frame: The picture.
        spoilt: Its `vision.live.face_watch.spoilt_stickers`.
    """

    face: FaceReading
    sharp: float
    frame: Frame
    spoilt: tuple[int, ...] = ()

    @property
    def rank(self) -> tuple[int, float]:
        """Sort key: the fewest spoilt stickers come first, then the sharpest picture."""
        return len(self.spoilt), -self.sharp


class StillFace:
    """Follows a face from frame to frame; one or two frames without it do not matter."""

    def __init__(self) -> None:
        self._recent: deque[Sighting | None] = deque(maxlen=WINDOW)
        self._since_s: float | None = None
        self.held_s = 0.0
        """How long the last face has been held still, seconds on the camera's clock."""

    def clear(self) -> None:
        """Forget all frames."""
        self._recent.clear()
        self._since_s, self.held_s = None, 0.0

    def miss(self) -> None:
        """Count a frame without a face."""
        self._recent.append(None)

    def add(self, seen: Sighting) -> list[Sighting]:
        """Return the recent sightings that agree with this one in place and colours.

        This one is among them.
        """
        self._recent.append(seen)
        limit = SHIFT * max(1.0, seen.face.side_px)
        alike = [
            one
            for one in self._recent
            if one is not None
            and np.abs(np.array(seen.face.corners) - np.array(one.face.corners)).max() <= limit
            and face_difference(seen.face, one.face) <= COLOUR_CHANGE
        ]
        if len(alike) < STILL_FRAMES:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = alike[0].frame.time_s
        self.held_s = 0.0 if self._since_s is None else seen.frame.time_s - self._since_s
        return alike
