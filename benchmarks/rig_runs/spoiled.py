"""Cameras with a temporary defect."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.cameras.camera import Camera, WrappedCamera
from vision.errors import CameraError
from vision.frame import Frame

Spoil = Callable[[Frame], Frame]


class Spoiled(WrappedCamera):
    """A camera with a defect for a few pictures."""

    def __init__(self, camera: Camera, first: int, count: int, spoil: Spoil) -> None:
        super().__init__(camera)
        self._left, self._count, self._spoil = first, count, spoil

    def read(self) -> Frame:
        """Return the next picture."""
        frame = self._camera.read()
        self._left -= 1
        return self._spoil(frame) if -self._count <= self._left < 0 else frame


def glare(rng: np.random.Generator) -> Spoil:
    """Return a function that puts a bright spot somewhere on a picture."""
    at, size = rng.uniform(0.25, 0.75, 2), rng.uniform(0.05, 0.25)

    def spoil(frame: Frame) -> Frame:
        light = 255.0 * np.exp(-_away(frame, at, size))[..., None]
        return replace(frame, image=np.minimum(frame.image + light, 255.0).astype(np.uint8))

    return spoil


def cover(rng: np.random.Generator) -> Spoil:
    """Return a function that hides a round part of a picture."""
    at, size = rng.uniform(0.2, 0.8, 2), rng.uniform(0.05, 0.5)
    colour = rng.integers(20, 220, 3)

    def spoil(frame: Frame) -> Frame:
        image = frame.image.copy()
        image[_away(frame, at, size) < 1.0] = colour
        return replace(frame, image=image)

    return spoil


def fail(_: np.random.Generator) -> Spoil:
    """Return a function that makes a camera fail."""

    def spoil(frame: Frame) -> Frame:
        raise CameraError(f"{frame.source} delivers no picture; plug it in again")

    return spoil


def exchange(_: np.random.Generator) -> Spoil:
    """Return a function that exchanges red and blue."""
    return lambda frame: replace(frame, image=np.ascontiguousarray(frame.image[..., ::-1]))


def _away(frame: Frame, at: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    """Return (h, w) squared distances of pixels from a place, in sizes of the spot."""
    height, width = frame.image.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(float)
    across = (rows - at[0] * height) ** 2 + (columns - at[1] * width) ** 2
    return np.asarray(across / (size * width) ** 2)
