"""Whether the face before the camera is held still, and for how long."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from vision.frame import Frame
from vision.live.known_faces import face_difference
from vision.live.step import LiveSettings
from vision.reading import FaceReading


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
    """Follows a face from frame to frame; one or two frames without it do not matter.

    Args:
        settings: How many frames it must be seen in, and how far it may move.
    """

    def __init__(self, settings: LiveSettings) -> None:
        self._settings = settings
        self._recent: deque[Sighting | None] = deque(maxlen=settings.window)
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
        limit = self._settings.shift * max(1.0, seen.face.side_px)
        alike = [
            one
            for one in self._recent
            if one is not None
            and np.abs(np.array(seen.face.corners) - np.array(one.face.corners)).max() <= limit
            and face_difference(seen.face, one.face) <= self._settings.colour_change
        ]
        if len(alike) < self._settings.still_frames:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = alike[0].frame.time_s
        self.held_s = 0.0 if self._since_s is None else seen.frame.time_s - self._since_s
        return alike
