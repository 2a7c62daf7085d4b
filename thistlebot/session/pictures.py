"""Pictures for people: the reading drawn over what the cameras saw."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from thistlebot.errors import UsageError
from vision.annotate import annotate_reading
from vision.frame import Frame
from vision.reading import CubeReading


def save_reading(
    folder: Path, name: str, frames: tuple[Frame, ...], reading: CubeReading
) -> list[Path]:
    """Write each frame with its share of the reading as ``name-1.png``, ``name-2.png`` ….

    Raises:
        UsageError: The folder cannot be written.
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
        UsageError: The file cannot be written.
    """
    encoded, data = cv2.imencode(".png", image)
    if not encoded:
        raise AssertionError("OpenCV writes every 8-bit picture as PNG")
    write_file(file, data.tobytes())


def write_file(file: Path, data: bytes) -> None:
    """Write a file, with its folder when that is missing.

    Raises:
        UsageError: It cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be written ({error.strerror}); choose another folder"
        ) from error
