"""Pictures for people: the reading drawn over what the cameras saw.

Cameras and readers whose pictures are shown to the journal, too.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.moves import MoveSequence
from documents.files import write_atomically
from thistlebot.looking.readers import Reader
from vision.annotate import annotate_reading
from vision.cameras.camera import Camera
from vision.errors import CameraError
from vision.frame import Frame
from vision.reading import CubeReading


class RecordedCamera(Camera):
    """A camera whose pictures are written down, too.

    Args:
        camera: The camera.
        take: Is shown each picture, or told why there was none.
    """

    def __init__(self, camera: Camera, take: Callable[[Frame | str], None]) -> None:
        self._camera = camera
        self._take = take

    @property
    def name(self) -> str:
        """As of the camera."""
        return self._camera.name

    def read(self) -> Frame:
        """Return the next picture of the camera."""
        return self._taken(self._camera.read)

    def ask(self) -> Callable[[], Frame]:
        """As of the camera; the picture is written down when it is waited for."""
        return partial(self._taken, self._camera.ask())

    def _taken(self, picture: Callable[[], Frame]) -> Frame:
        try:
            frame = picture()
        except CameraError as error:
            self._take(str(error))
            raise
        self._take(frame)
        return frame

    def expose(self, share: float) -> bool:
        """As of the camera."""
        return self._camera.expose(share)

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


class RecordedReader(Reader):
    """A reader of stored pictures that are written down, too.

    Args:
        reader: Who looks.
        take: Is shown each picture.
    """

    def __init__(self, reader: Reader, take: Callable[[Frame], None]) -> None:
        self._reader = reader
        self._take = take

    @property
    def turned(self) -> MoveSequence:
        """As of the reader."""
        return self._reader.turned

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures."""
        frames = self._reader.look()
        for frame in frames:
            self._take(frame)
        return frames

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube that they show."""
        return self._reader.read(frames)


def save_reading(
    folder: Path, name: str, frames: tuple[Frame, ...], reading: CubeReading
) -> list[Path]:
    """Write each frame with its share of the reading as ``name-1.png``, ``name-2.png`` ….

    Raises:
        UnwritableError: There is no room, or no permission.
    """
    files = []
    for number, image in enumerate(annotate_reading(frames, reading), start=1):
        file = folder / f"{name}-{number}.png"
        write_png(file, image)
        files.append(file)
    return files


def write_png(file: Path, image: NDArray[np.uint8]) -> None:
    """Write one picture, BGR.

    Raises:
        UnwritableError: There is no room, or no permission; no part of it is left behind.
    """
    encoded, data = cv2.imencode(".png", image)
    if not encoded:
        raise AssertionError("OpenCV writes every 8-bit picture as PNG")
    write_atomically(file, data.tobytes())
