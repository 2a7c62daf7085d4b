"""The world of a recorded run: its readers show the stored pictures again, in the same order."""

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from robot.rigs.program import Pose, RigProgram
from robot.running.program_run import RunProgress, RunResult
from thistlebot.journal.rows import STORED, Picture
from thistlebot.reading.readers import PhotoReader
from vision.cameras.camera import Camera
from vision.colours.profile import ColourProfile
from vision.errors import CameraError
from vision.frame import Frame


class RecordEndsError(Exception):
    """The record does not contain a picture; the message names it."""


def frame_of(picture: Picture) -> Frame:
    """Return a recorded picture as the camera gave it.

    Raises:
        CameraError: The camera gave none; the message is the original one.
        RecordEndsError: It is damaged.
    """
    if not picture.png:
        raise CameraError(picture.source)
    image = cv2.imdecode(np.frombuffer(picture.png, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise RecordEndsError(f"picture {picture.number}, which is damaged")
    return Frame(np.asarray(image, np.uint8), picture.source, picture.time_s)


class Pictures:
    """The pictures of a run, delivered again in the same order."""

    def __init__(self, pictures: Iterable[Picture]) -> None:
        self._left = deque(pictures)

    def next(self, camera: int) -> Frame:
        """Return the next picture.

        Raises:
            CameraError: The camera gave none.
            RecordEndsError: That camera took no picture at this point.
        """
        if not self._left or self._left[0].camera != camera:
            raise RecordEndsError(f"a picture of camera {camera}")
        return frame_of(self._left.popleft())

    def stored(self) -> tuple[Frame, ...]:
        """Return the photos from files; they come before any picture of a camera."""
        frames = []
        while self._left and self._left[0].camera == STORED:
            frames.append(self.next(STORED))
        return tuple(frames)


class PlayedCamera(Camera):
    """A camera of a recorded run."""

    def __init__(self, number: int, pictures: Pictures) -> None:
        self._number = number
        self._pictures = pictures

    @property
    def name(self) -> str:
        """Its name."""
        return f"recorded camera {self._number}"

    def read(self) -> Frame:
        """Return the next picture; `RecordEndsError` if it took none at this point."""
        return self._pictures.next(self._number)

    def close(self) -> None:
        """Do nothing."""


class PlayedPhotos(PhotoReader):
    """The photos of a recorded run."""

    def __init__(self, pictures: Pictures, profile: ColourProfile | None, **ways: Any) -> None:
        self._frames = pictures.stored()
        super().__init__(Path(), profile, **ways)

    def look(self) -> tuple[Frame, ...]:
        """Return the photos as loaded originally."""
        return self.order(self._frames)


class PosedRig:
    """A rig of which only the pose matters; implements `robot.running.turner.Turner`."""

    def __init__(self, lanes: int, pose: Pose | None) -> None:
        self.executed = 0
        self.at_detents = True
        self.pose = pose
        self.lanes = lanes

    def prepare(self) -> None:
        """Do nothing."""

    def keep_on(self) -> bool:
        """Return that the motors are on."""
        return True

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
    ) -> RunResult:
        """Take the pose at the end of a program."""
        del on_progress
        self.pose = program.end
        return RunResult(len(program.steps), program.moves, 0.0)
