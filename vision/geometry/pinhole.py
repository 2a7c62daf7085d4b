"""A pinhole camera: the projection of the world into the picture.

The world's axes are the cube's: x to the right face, y to the upper face, z to the front face, in
millimetres, with the origin in the middle of the cube.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import VisionError

Vector = tuple[float, float, float]


def camera_matrix(focal_px: float, size: tuple[int, int]) -> NDArray[np.float64]:
    """Return OpenCV's (3, 3) matrix of a camera whose axis meets the middle of the picture."""
    x, y = (size[0] - 1) / 2, (size[1] - 1) / 2
    return np.array([[focal_px, 0.0, x], [0.0, focal_px, y], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A camera without distortion, its principal point in the middle of the picture.

    Attributes:
        position_mm: Position of the camera.
        target_mm: The point in the middle of the picture.
        focal_px: Focal length in pixels.
        size: Width and height of the picture in pixels.
        roll_deg: Rotation of the camera about its axis; the picture turns the other way.
        up: A direction that points upwards in the picture at roll 0.

    Raises:
        VisionError: The camera is at its target, looks along `up`, or has no size.
    """

    position_mm: Vector
    target_mm: Vector = (0.0, 0.0, 0.0)
    focal_px: float = 600.0
    size: tuple[int, int] = (640, 480)
    roll_deg: float = 0.0
    up: Vector = (0.0, 1.0, 0.0)

    def __post_init__(self) -> None:
        forward = np.subtract(self.target_mm, self.position_mm)
        if min(self.size) < 1 or not self.focal_px > 0.0:
            raise VisionError(f"a camera of {self.size} pixels and focal length {self.focal_px}")
        if np.linalg.norm(np.cross(forward, self.up)) < 1e-6 * np.linalg.norm(forward) + 1e-12:
            raise VisionError("the camera is at its target, or looks along its own `up` direction")

    def axes(self) -> NDArray[np.float64]:
        """Return (3, 3) unit rows: the picture's right, its down, and into the picture."""
        return _axes(self)

    def project(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """Project points (n, 3) in mm to pixels (n, 2); (0, 0) is the first pixel's centre.

        Raises:
            VisionError: A point is beside or behind the camera.
        """
        seen = (np.asarray(points_mm, dtype=np.float64) - self.position_mm) @ self.axes().T
        if not (seen[:, 2] > 1e-3).all():
            raise VisionError("a point behind the camera has no position in its picture")
        return self.focal_px * seen[:, :2] / seen[:, 2:] + self._middle()

    def rays(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Return unit directions (n, 3) in which the camera sees the pixels (n, 2)."""
        across = (np.asarray(pixels, dtype=np.float64) - self._middle()) / self.focal_px
        directions = np.column_stack([across, np.ones(len(across))]) @ self.axes()
        return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))

    def _middle(self) -> NDArray[np.float64]:
        return (np.array(self.size, dtype=np.float64) - 1.0) / 2.0


@lru_cache(maxsize=64)
def _axes(pinhole: Pinhole) -> NDArray[np.float64]:
    forward = np.subtract(pinhole.target_mm, pinhole.position_mm)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, pinhole.up)
    right = right / np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = math.radians(pinhole.roll_deg)
    cosine, sine = math.cos(roll), math.sin(roll)
    axes = np.stack([cosine * right + sine * down, cosine * down - sine * right, forward])
    axes.flags.writeable = False  # the result is cached
    return axes
