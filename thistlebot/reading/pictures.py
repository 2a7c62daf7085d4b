"""Pictures for people: the reading drawn over the cameras' pictures."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.files import write_atomically
from vision.annotate import annotate_reading
from vision.frame import Frame
from vision.reading import CubeReading


def save_reading(
    folder: Path, name: str, frames: tuple[Frame, ...], reading: CubeReading
) -> list[Path]:
    """Write each frame with its part of the reading as ``name-1.png``, ``name-2.png`` ….

    Raises:
        UnwritableError: There is not enough room, or no permission.
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
        UnwritableError: There is not enough room, or no permission; no partial file is left.
    """
    encoded, data = cv2.imencode(".png", image)
    if not encoded:
        raise AssertionError("OpenCV writes every 8-bit picture as PNG")
    write_atomically(file, data.tobytes())
