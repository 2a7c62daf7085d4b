"""The position of a camera before the cube, from points of the cube in its picture.

This module also computes the position of a view's camera: from a view file back to a virtual
camera.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from cube.facelets import facelet_index
from cube.moves import FACES
from vision.errors import VisionError
from vision.geometry.pinhole import Pinhole, Vector, camera_matrix
from vision.geometry.scene import FACE_AXES, HALF_MM, facelet_centre
from vision.geometry.view import FaceletPatches, View

Array = NDArray[np.float64]

# Focal lengths tried first, as shares of the picture's longer side: from a wide action camera to a
# zoomed phone.
_FOCAL_SHARES = tuple(np.geomspace(0.5, 3.0, 12).tolist())
# Standard deviations of a webcam's focal length from its usual share of the longer side (in
# logarithms), and of its radial distortion from 0. They decide if the points do not.
_USUAL_FOCAL_SHARE, _FOCAL_SPREAD, _DISTORTION_SPREAD = 1.0, 0.7, 0.12
# A point with a larger error in pixels than this, at 640 pixels width, counts less and less.
_SOFT_MISS_PX = 2.0
_NORMALS = np.array([FACE_AXES[face].normal for face in FACES])
_IMPOSSIBLE = "no camera can see these points like this; check their names and positions"
LEAST_POINTS = 4
"""Minimum number of points for a pose."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """A camera in front of the cube; the axes are those of `vision.geometry.pinhole`.

    Attributes:
        rotation: (3,) Rodrigues vector from the cube's axes to the camera's (right, down, ahead).
        translation_mm: (3,) the cube's middle in the camera's axes.
        focal_px: Focal length in pixels.
        distortion: First radial coefficient of the lens (k1 of OpenCV's model); negative for barrel
            distortion.
        size: Width and height of the picture in pixels; its centre is the principal point.
    """

    rotation: tuple[float, float, float]
    translation_mm: tuple[float, float, float]
    focal_px: float
    distortion: float
    size: tuple[int, int]

    def project(self, points_mm: ArrayLike) -> Array:
        """Project points (n, 3) in mm to pixels (n, 2); (0, 0) is the first pixel's centre."""
        return _projected(
            np.array([*self.rotation, *self.translation_mm, np.log(self.focal_px)]),
            self.distortion,
            np.asarray(points_mm, dtype=np.float64),
            self.size,
        )

    @property
    def position_mm(self) -> Array:
        """The camera's position, (3,) in the cube's axes."""
        return np.asarray(-self._turn().T @ np.array(self.translation_mm))

    @property
    def faces(self) -> str:
        """The faces that the camera is in front of, in the order URFDLB."""
        ahead = _NORMALS @ self.position_mm > HALF_MM
        return "".join(face for face, seen in zip(FACES, ahead, strict=True) if seen)

    def turned(self, rotation: Array) -> "CameraPose":
        """Return the pose before a cube that was rotated as a whole by a (3, 3) rotation."""
        vector, _ = cv2.Rodrigues(self._turn() @ rotation)
        x, y, z = (float(value) for value in vector.ravel())
        return CameraPose((x, y, z), self.translation_mm, self.focal_px, self.distortion, self.size)

    def axes(self) -> Array:
        """Return (3, 3) unit rows: the picture's right, its down, and into the picture."""
        return self._turn()

    def _turn(self) -> Array:
        return np.asarray(cv2.Rodrigues(np.array(self.rotation))[0], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class PoseFit:
    """A pose, and how well it explains the points.

    Attributes:
        pose: The camera.
        miss_px: Root mean square error of the points.
    """

    pose: CameraPose
    miss_px: float


def fit_pose(
    places_mm: ArrayLike, pixels: ArrayLike, size: tuple[int, int], *, with_lens: bool = True
) -> PoseFit:
    """Find the pose, focal length and distortion that project points of the cube to their pixels.

    Perspective-n-point (SQPnP, Terzakis and Lourakis 2020) for several focal lengths, then least
    squares over all parameters, with a robust loss.

    Args:
        places_mm: (n, 3) points of the cube.
        pixels: (n, 2) their positions in the picture.
        size: Width and height of the picture.
        with_lens: Also find the distortion; needs points in more than one plane.

    Raises:
        VisionError: There are fewer than four points, or no camera can see them like this.
    """
    from scipy.optimize import least_squares

    places = np.asarray(places_mm, dtype=np.float64)
    seen = np.asarray(pixels, dtype=np.float64)
    if len(places) < LEAST_POINTS or len(places) != len(seen):
        raise VisionError(
            f"a pose needs {LEAST_POINTS} points of the cube, but there are {len(places)}"
        )
    first = _first_guess(places, seen, size)
    usual = np.log(_USUAL_FOCAL_SHARE * max(size))
    soft = _SOFT_MISS_PX * max(size) / 640.0

    def misses(parameters: Array) -> Array:
        k1 = parameters[7] if with_lens else 0.0
        off = (_projected(parameters[:7], k1, places, size) - seen) / soft
        prior = [(parameters[6] - usual) / _FOCAL_SPREAD, parameters[7] / _DISTORTION_SPREAD]
        return np.concatenate([off.ravel(), 0.3 * np.array(prior)])

    found = least_squares(misses, first, loss="soft_l1", x_scale=(0.1, 0.1, 0.1, 9, 9, 9, 0.1, 0.1))
    if not np.isfinite(found.x).all() or found.x[5] <= HALF_MM:
        raise VisionError(_IMPOSSIBLE)
    rx, ry, rz, tx, ty, tz, log_focal, k1 = (float(value) for value in found.x)
    pose = CameraPose(
        (rx, ry, rz), (tx, ty, tz), float(np.exp(log_focal)), k1 if with_lens else 0.0, size
    )
    off = pose.project(places) - seen
    return PoseFit(pose, float(np.sqrt(np.mean(np.sum(off**2, axis=1)))))


def _first_guess(places: Array, seen: Array, size: tuple[int, int]) -> Array:
    best: tuple[float, Array] | None = None
    for share in _FOCAL_SHARES:
        focal = share * max(size)
        try:
            came, turns, shifts, _ = cv2.solvePnPGeneric(
                places, seen, camera_matrix(focal, size), None, flags=cv2.SOLVEPNP_SQPNP
            )
        except cv2.error:  # coincident points, or not finite
            continue
        for turn, shift in zip(turns, shifts, strict=True) if came else ():
            parameters = np.array([*turn.ravel(), *shift.ravel(), np.log(focal), 0.0])
            off = _projected(parameters[:7], 0.0, places, size) - seen
            miss = float(np.mean(np.sum(off**2, axis=1)))
            if parameters[5] > HALF_MM and (best is None or miss < best[0]):
                best = miss, parameters
    if best is None:
        raise VisionError(_IMPOSSIBLE)
    return best[1]


def _projected(parameters: Array, k1: float, places: Array, size: tuple[int, int]) -> Array:
    """Project (n, 3) points; parameters are rotation, translation and the focal's logarithm."""
    if len(places) == 0:
        return np.zeros((0, 2))
    points, _ = cv2.projectPoints(
        places.reshape(-1, 1, 3),
        parameters[:3],
        parameters[3:6],
        camera_matrix(float(np.exp(parameters[6])), size),
        np.array([k1, 0.0, 0.0, 0.0]),
    )
    return np.asarray(points, dtype=np.float64).reshape(-1, 2)


def view_pinhole(view: View) -> Pinhole:
    """Return a camera without distortion that sees the facelets about where a view has them.

    Raises:
        VisionError: It shows too few facelets, or no camera can see them like this.
    """
    places = [facelet_centre(facelet_index(entry.name)) for entry in view.facelet]
    seen = [_middle(entry) for entry in view.facelet]
    pose = fit_pose(places, seen, view.image_size, with_lens=False).pose
    _, down, ahead = pose.axes()
    target = pose.position_mm + ahead * np.linalg.norm(pose.position_mm)
    return Pinhole(
        _vector(pose.position_mm),
        _vector(target),
        pose.focal_px,
        view.image_size,
        up=_vector(-down),
    )


def _middle(entry: FaceletPatches) -> NDArray[np.float64]:
    """Return the centre of a facelet's patches, (2,) in pixels."""
    return np.asarray(np.array(entry.polygons).reshape(-1, 2).mean(axis=0))


def _vector(values: NDArray[np.float64]) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
