"""Measures the position of a fixed camera, from one picture of a cube with known colours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from cube.facelets import Facelets
from cube.moves import FACES
from cube.pieces import CORNERS
from vision.errors import VisionError
from vision.geometry.pinhole import Pinhole
from vision.geometry.sampling import as_bgr8
from vision.geometry.scene import COUPLER, FACE_AXES, HALF_MM, Ring
from vision.geometry.view import View
from vision.geometry.view_geometry import view_from
from vision.placement.camera_pose import LEAST_POINTS, fit_pose
from vision.placement.cube_finder import find_cube
from vision.placement.known_cube import KnownCube, unlike_neighbours

Array = NDArray[np.float64]
Point = tuple[float, float]

LEAST_AGREEMENT = 0.7
"""Minimum share of stickers that look most like others of their own colour. If stickers are
assigned to the wrong facelets, a sixth of them agree; reflections spoil a few of the right ones.
"""

LEAST_UNLIKENESS = 0.55
"""Minimum share of neighbouring stickers that differ, so that the colours determine the position.
For random states it is 0.58 or more, for a solved cube 0: there, patches shifted by a sticker
agree, too.
"""

USUAL_COUPLER_MM = 7.8
"""Radius of the default rig's couplers."""

_POINTS_FOR_LENS = 6  # corners needed to distinguish the distortion of the lens from the pose


@dataclass(frozen=True, slots=True)
class CameraCalibration:
    """A camera with a known position.

    Attributes:
        pose: Its position, focal length and lens distortion.
        view: The patches of its picture that show each facelet.
        agreement: Share of the stickers that look most like others of their own colour, 0..1.
        unlikeness: Share of visible neighbouring stickers that differ in colour, 0..1.
    """

    pose: Pinhole
    view: View
    agreement: float
    unlikeness: float

    @property
    def faces(self) -> str:
        """The visible faces."""
        return self.pose.faces

    @property
    def doubt(self) -> str:
        """Why the colours do not confirm the position; empty if they do."""
        if len(self.faces) < 3:
            return f"no corner of the cube with three faces is in view, only {self.faces}"
        if self.unlikeness < LEAST_UNLIKENESS:
            return (
                "too many neighbouring stickers have the same colour, so colours cannot "
                "determine the position"
            )
        if self.agreement < LEAST_AGREEMENT:
            return f"only {100 * self.agreement:.0f} % of the stickers fit the known colours"
        return ""


def calibrate_camera(
    image_bgr: NDArray[np.uint8],
    facelets: Facelets,
    scheme: Mapping[str, str],
    *,
    couplers: tuple[Ring, ...] = COUPLER,
    corner: str = "",
    points: Mapping[str, Point] | None = None,
) -> CameraCalibration:
    """Find the cube in a picture, or use the corners that a person gave, and make the view.

    Args:
        image_bgr: (h, w, 3) uint8.
        facelets: The state of the cube.
        scheme: Colour name of each face; including centres that couplers hide.
        couplers: The rings on each centre; empty if there is none.
        corner: The three visible faces, such as "URF", if known; or the only one.
        points: Pixels of four or more corners of the cube; then only these count.

    Raises:
        CalibrationError: No cube is found, or the points contradict each other.
    """
    pose: Pinhole | None
    if points:
        pose = pose_from_corners(points, (image_bgr.shape[1], image_bgr.shape[0]))
        missing = "with these points, no sticker of the cube is completely in the picture"
    elif corner and corner in FACES:
        pose, missing = None, f"the camera sees only face {corner}"
    else:
        pose = find_cube(image_bgr, facelets, scheme, corner_name(corner) if corner else "")
        missing = "no cube with three faces was found in the picture"
    try:
        view = view_from(pose, scheme, couplers) if pose else None
    except VisionError:
        view = None
    if pose is None or view is None:
        raise CalibrationError(f"{missing}. {how_to_point(scheme, corner)}")
    if corner in tuple(FACES):  # faces that are almost edge-on cannot be read
        view = view.of_face(corner)
    agreement = KnownCube(as_bgr8(image_bgr), facelets, scheme).agreement(pose)
    unlikeness = unlike_neighbours(facelets, pose.faces)
    return CameraCalibration(pose, view, agreement, unlikeness)


def couplers(radius_mm: float = USUAL_COUPLER_MM) -> tuple[Ring, ...]:
    """Return the rings on each centre: couplers of a radius, nothing for 0."""
    part = radius_mm / COUPLER[0].radius_mm
    return tuple(replace(ring, radius_mm=ring.radius_mm * part) for ring in COUPLER if part)


def tells_place(facelets: Facelets) -> bool:
    """Return whether enough neighbouring stickers differ to determine a camera's position."""
    return unlike_neighbours(facelets, FACES) >= LEAST_UNLIKENESS


def how_to_point(scheme: Mapping[str, str], corner: str = "") -> str:
    """Return how the user gives the position of the cube.

    Args:
        scheme: Colour name of each face.
        corner: The three visible faces, if known; or the only one.
    """
    alone = next(name for name in CORNERS if corner in name) if len(corner) < 3 else corner
    name = corner_name(alone)
    near = [other for other in CORNERS if len(set(other) & set(name)) == 2]
    if len(corner) == 1:
        near = [other for other in CORNERS if corner in other and other != name]
    faces = ", ".join(f"{face} ({scheme[face]} centre)" for face in name)
    points = " ".join(f"--point {each}=X,Y" for each in (name, *near))
    return (
        "Show a scrambled cube and give its --state. If couplers and reflections hide too "
        "much, give the corners of the cube: open the picture, note the positions of four "
        "corners, in pixels from the top left, and pass them with the faces that meet there: "
        f"{points}. {name} is the corner between the faces {faces}; with six corners or more, "
        "the lens distortion is measured, too."
    )


def pose_from_corners(points: Mapping[str, Point], size: tuple[int, int]) -> Pinhole:
    """Find the pose from corners of the cube, by name.

    Raises:
        CalibrationError: There are too few, or no camera can see them like this.
    """
    if len(points) < LEAST_POINTS:
        raise CalibrationError(
            f"{len(points)} corners are too few; give at least {LEAST_POINTS} of "
            f"{' '.join(CORNERS)}"
        )
    places = np.array([corner_place(name) for name in points])
    pixels = np.array(list(points.values()), dtype=np.float64)
    try:
        pose = fit_pose(places, pixels, size, with_lens=len(points) >= _POINTS_FOR_LENS)
    except VisionError as error:
        raise CalibrationError(str(error)) from None
    if not all(set(name) & set(pose.faces) for name in points):
        raise CalibrationError(
            "one of the given corners cannot be visible together with the others"
        )
    return pose


def corners_in_sight(pose: Pinhole) -> dict[str, Point]:
    """Return the positions in the picture of the visible corners of the cube."""
    return corners_in_picture(pose, [name for name in CORNERS if set(name) & set(pose.faces)])


def corners_in_picture(camera: Pinhole, names: Sequence[str]) -> dict[str, Point]:
    """Return the positions of some corners of the cube in the picture."""
    pixels = camera.project([corner_place(name) for name in names])
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, pixels, strict=True)}


def corner_name(text: str) -> str:
    """Return the usual name of a corner, whatever the order of its letters.

    Raises:
        CalibrationError: There is no such corner.
    """
    for name in CORNERS:
        if sorted(name) == sorted(text.upper()):
            return name
    raise CalibrationError(f"{text!r} is not a corner; the corners are {' '.join(CORNERS)}")


def corner_place(name: str) -> Array:
    """Return the position of a corner of the cube, (3,) mm."""
    normals = [FACE_AXES[face].normal for face in corner_name(name)]
    return np.asarray(HALF_MM * np.sum(normals, axis=0), dtype=np.float64)
