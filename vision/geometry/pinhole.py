"""A pinhole camera: the projection of the world into the picture.

The world's axes are the cube's: x to the right face, y to the upper face, z to the front face, in
millimetres, with the origin in the middle of the cube.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from cube.moves import FACES
from vision.errors import VisionError
from vision.geometry.scene import FACE_AXES, HALF_MM

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
Size = tuple[int, int]


def camera_matrix(focal_px: float, size: Size) -> Array:
    """Return OpenCV's (3, 3) matrix of a camera whose axis meets the middle of the picture."""
    x, y = (size[0] - 1) / 2, (size[1] - 1) / 2
    return np.array([[focal_px, 0.0, x], [0.0, focal_px, y], [0.0, 0.0, 1.0]])


def project(
    points_mm: ArrayLike,
    axes: Array,
    shift_mm: ArrayLike,
    focal_px: ArrayLike,
    size: Size,
    *,
    distortion: float = 0.0,
) -> Array:
    """Project points (n, 3) in mm to pixels (…, n, 2); (0, 0) is the first pixel's centre.

    Args:
        points_mm: The points, in the cube's axes.
        axes: (…, 3, 3), one camera or many: see `Pinhole.axes`.
        shift_mm: (…, 3), the cube's middle in the camera's axes.
        focal_px: (…,).
        size: Width and height of the picture; its centre is the principal point.
        distortion: See `Pinhole`.
    """
    seen = np.asarray(points_mm, dtype=np.float64) @ axes.swapaxes(-1, -2)
    seen = seen + np.asarray(shift_mm)[..., None, :]
    # A point beside or behind the camera lands far outside the picture.
    flat = seen[..., :2] / np.maximum(seen[..., 2:], 1.0)
    if distortion:
        flat = flat * (1.0 + distortion * (flat**2).sum(axis=-1, keepdims=True))
    middle = (np.array(size, dtype=np.float64) - 1.0) / 2.0
    return np.asarray(np.asarray(focal_px)[..., None, None] * flat + middle)


def vector(values: ArrayLike) -> Vector:
    """Return three numbers as a tuple."""
    x, y, z = (float(value) for value in np.ravel(values))
    return x, y, z


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A camera in front of the cube, its principal point in the middle of the picture.

    Attributes:
        rotation: (3,) Rodrigues vector from the cube's axes to the camera's (right, down, ahead).
        shift_mm: (3,) the cube's middle in the camera's axes.
        focal_px: Focal length in pixels.
        size: Width and height of the picture in pixels.
        distortion: First radial coefficient of the lens (k1 of OpenCV's model); negative for barrel
            distortion.
    """

    rotation: Vector
    shift_mm: Vector
    focal_px: float
    size: Size
    distortion: float = 0.0

    @classmethod
    def at(
        cls,
        position_mm: ArrayLike,
        target_mm: ArrayLike = (0.0, 0.0, 0.0),
        *,
        focal_px: float = 600.0,
        size: Size = (640, 480),
        roll_deg: float = 0.0,
        up: ArrayLike = (0.0, 1.0, 0.0),
    ) -> "Pinhole":
        """Place a camera.

        Args:
            position_mm: Position of the camera.
            target_mm: The point in the middle of the picture.
            focal_px: Focal length in pixels.
            size: Width and height of the picture in pixels.
            roll_deg: Rotation of the camera about its axis; the picture turns the other way.
            up: A direction that points upwards in the picture at roll 0.

        Raises:
            VisionError: The camera is at its target, or looks along `up`.
        """
        forward = np.subtract(target_mm, position_mm)
        right = np.cross(forward, np.asarray(up))
        if np.linalg.norm(right) < 1e-6 * np.linalg.norm(forward) + 1e-12:
            raise VisionError("the camera is at its target, or looks along its own `up` direction")
        forward, right = forward / np.linalg.norm(forward), right / np.linalg.norm(right)
        down = np.cross(forward, right)
        roll = math.radians(roll_deg)
        cosine, sine = math.cos(roll), math.sin(roll)
        axes = np.stack([cosine * right + sine * down, cosine * down - sine * right, forward])
        return cls.of(axes, -axes @ np.asarray(position_mm), focal_px, size)

    @classmethod
    def of(cls, axes: Array, shift_mm: ArrayLike, focal_px: float, size: Size) -> "Pinhole":
        """Return the camera with these `axes`, and without distortion."""
        return cls(vector(cv2.Rodrigues(axes)[0]), vector(shift_mm), float(focal_px), size)

    def axes(self) -> Array:
        """Return (3, 3) unit rows: the picture's right, its down, and into the picture."""
        return _axes(self.rotation)

    @property
    def position_mm(self) -> Array:
        """The camera's position, (3,) in the cube's axes."""
        return np.asarray(-self.axes().T @ np.array(self.shift_mm))

    @property
    def faces(self) -> str:
        """The faces that the camera is in front of, in the order URFDLB."""
        place = self.position_mm
        return "".join(face for face in FACES if place @ FACE_AXES[face].normal > HALF_MM)

    def turned(self, rotation: Array) -> "Pinhole":
        """Return the camera before a cube that was rotated as a whole by a (3, 3) rotation."""
        return replace(self, rotation=vector(cv2.Rodrigues(self.axes() @ rotation)[0]))

    def project(self, points_mm: ArrayLike) -> Array:
        """Project points (n, 3) in mm to pixels (n, 2); (0, 0) is the first pixel's centre."""
        where = self.axes(), self.shift_mm, self.focal_px, self.size
        return project(points_mm, *where, distortion=self.distortion)

    def rays(self, pixels: ArrayLike) -> Array:
        """Return unit directions (n, 3) in which a camera without distortion sees pixels (n, 2)."""
        middle = (np.array(self.size, dtype=np.float64) - 1.0) / 2.0
        across = (np.asarray(pixels, dtype=np.float64) - middle) / self.focal_px
        directions = np.column_stack([across, np.ones(len(across))]) @ self.axes()
        return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))

    def enlarged(self, factor: int) -> "Pinhole":
        """Return the camera of a picture with several times as many pixels across."""
        width, height = self.size
        size = factor * width, factor * height
        return replace(self, size=size, focal_px=factor * self.focal_px)


@lru_cache(maxsize=64)
def _axes(rotation: Vector) -> Array:
    axes = np.asarray(cv2.Rodrigues(np.array(rotation))[0], dtype=np.float64)
    axes.flags.writeable = False  # the result is cached
    return axes
