"""From corners of the cube that the user drags over a picture to a view, and back.

A camera before a corner of the cube sees seven of its eight corners, one before a face sees four.
The user's points are checked for consistency: crossing lines and mirrored pictures are refused, and
a point that does not fit the others is named.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.cameras import (
    Point,
    corner_name,
    corners_in_picture,
    corners_in_sight,
    pose_from_corners,
)
from calibration.errors import CalibrationError, PointsError
from cube.moves import FACES, OPPOSITE_FACE
from cube.pieces import CORNER_FACELETS, CORNERS
from vision.errors import VisionError
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import COUPLER, FACE_AXES, Ring
from vision.geometry.view import View
from vision.geometry.view_geometry import view_from
from vision.placement.camera_pose import view_pinhole

Size = tuple[int, int]

MOST_MISS = 0.0125
"""Maximum error of a point as a share of the picture's longer side: 8 pixels of 640. People place
points to 2 or 3 pixels, and the corners of a cube are round.
"""

# Distance of a camera before the points are moved.
_DISTANCE_MM = 230.0


@dataclass(frozen=True, slots=True)
class PointedView:
    """The view that points make.

    Attributes:
        view: The patches of the picture that show each facelet.
        pose: The camera's pose.
        points: Positions of the cube's corners for that camera, in pixels.
        misses_px: Distance of each given point from its position.
        worst: The point that does not fit the others; empty if all fit.
    """

    view: View
    pose: Pinhole
    points: Mapping[str, Point]
    misses_px: Mapping[str, float]
    worst: str

    @property
    def doubt(self) -> str:
        """The point that does not fit, and its error; empty if all fit."""
        if not self.worst:
            return ""
        return (
            f"corner {self.worst} does not fit the others: it is "
            f"{self.misses_px[self.worst]:.0f} pixels off; move it"
        )


def point_names(sight: str) -> tuple[str, ...]:
    """Return the corners of the cube that the user must point at.

    Args:
        sight: The three faces around the corner that the camera sees, or its only face.

    Raises:
        CalibrationError: There is no such corner or face.
    """
    if len(sight) == 1 and sight in FACES:
        return tuple(name for name in CORNERS if sight in name)
    hidden = {OPPOSITE_FACE[face] for face in corner_name(sight)}
    return tuple(name for name in CORNERS if set(name) != hidden)


def sight_of(view: View) -> str:
    """Return what the camera of a view looks at: three faces around a corner, or its only face.

    Raises:
        CalibrationError: It is neither; the message names the faces.
    """
    seen = {entry.name[0] for entry in view.facelet}
    faces = "".join(face for face in FACES if face in seen)
    if len(faces) == 1:
        return faces
    if len(faces) == 3:
        return corner_name(faces)
    raise CalibrationError(
        f"the view shows the faces {faces or 'of no cube'}: points can be moved for three faces "
        "around a corner, or for one"
    )


def usual_points(sight: str, size: Size) -> dict[str, Point]:
    """Return initial points: a cube in the middle of the picture, upright.

    Args:
        sight: See `point_names`.
        size: Width and height of the picture.

    Raises:
        CalibrationError: There is no such corner or face.
    """
    names = point_names(sight)
    away = np.sum([FACE_AXES[face].normal for face in sight], axis=0)
    place = _DISTANCE_MM * away / np.linalg.norm(away)
    # As in the net: U is up, and F below U and above D.
    up = FACE_AXES["U" if sight not in "UD" else "B" if sight == "U" else "F"].normal
    camera = Pinhole.at(place, focal_px=min(size) * 4 / 3, size=size, up=up)
    return corners_in_picture(camera, names)


def points_of_view(view: View) -> dict[str, Point]:
    """Return the points that would make a view like this one.

    Raises:
        CalibrationError: It shows no corner and no single face, or no camera can see it like this.
    """
    names = point_names(sight_of(view))
    try:
        camera = view_pinhole(view, with_lens=len(names) > 4)
    except VisionError as error:
        raise CalibrationError(f"the view's patches cannot be those of a cube: {error}") from None
    return corners_in_picture(camera, names)


def view_of_points(
    points: Mapping[str, Point],
    size: Size,
    scheme: Mapping[str, str],
    couplers: tuple[Ring, ...] = COUPLER,
) -> PointedView:
    """Make a view from all points of a camera.

    Args:
        points: Pixels of each of `point_names`.
        size: Width and height of the picture.
        scheme: Colour name of each face; for centres that couplers hide.
        couplers: The rings on each centre; empty if there is none.

    Raises:
        CalibrationError: Points are missing.
        PointsError: Their arrangement is impossible, or they leave no complete sticker in the
            picture; the message names them.
    """
    sight = _sight_of_points(points)
    for face in sight:
        _check_around(face, points)
    pose = pose_from_corners(points, size)
    worst = ""
    if max(_misses(points, pose).values()) > MOST_MISS * max(size):
        worst = _worst(points, size)
        pose = pose_from_corners({n: place for n, place in points.items() if n != worst}, size)
    if unseen := set(sight) - set(pose.faces):
        face = min(unseen)
        raise PointsError(
            "unseen",
            face,
            f"face {face} cannot be visible like this: check the positions of its four corners",
        )
    try:
        view = view_from(pose, scheme, couplers)
    except VisionError:
        raise PointsError(
            "outside",
            "",
            "with these points, no sticker of the cube is completely in the picture: move "
            "the camera or the points",
        ) from None
    if len(sight) == 1:  # faces that are almost edge-on cannot be read
        view = view.of_face(sight)
    return PointedView(view, pose, corners_in_sight(pose), _misses(points, pose), worst)


def _sight_of_points(points: Mapping[str, Point]) -> str:
    """Return the faces of the points.

    Raises:
        CalibrationError: They are neither the seven corners around a corner nor the four of a face.
    """
    sights: tuple[str, ...] = (*FACES, *CORNERS)
    fitting = [sight for sight in sights if set(points) == set(point_names(sight))]
    if not fitting:
        raise CalibrationError(
            f"{' '.join(sorted(points)) or 'no points'}: give the seven corners of the cube "
            "that one camera sees, or the four of one face"
        )
    wrong = [name for name, place in points.items() if not np.isfinite(place).all()]
    if wrong:
        raise CalibrationError(f"the position of corner {wrong[0]} is not a pixel")
    return fitting[0]


def _check_around(face: str, points: Mapping[str, Point]) -> None:
    """Refuse four points of a face that are not arranged as seen from outside."""
    names = _around(face)
    corners = np.array([points[name] for name in names])
    before, after = np.roll(corners, 1, axis=0) - corners, np.roll(corners, -1, axis=0) - corners
    # Positive if the order is clockwise in the picture, whose y points down.
    turns = after[:, 0] * before[:, 1] - after[:, 1] * before[:, 0]
    if (turns > 0).all():
        return
    told = f"{', '.join(names[:-1])} and {names[-1]}"
    if (turns < 0).all():
        raise PointsError(
            "mirrored",
            face,
            f"face {face} is mirrored: seen from outside, its corners {told} follow each "
            "other clockwise; swap the points, or undo the mirroring of the camera's picture",
        )
    if (turns > 0).sum() == 3:
        inside = names[int(np.argmin(turns))]
        raise PointsError(
            "inside",
            inside,
            f"corner {inside} lies inside the other three of face {face}: move it outwards",
        )
    raise PointsError(
        "crossed",
        face,
        f"the edges of face {face} cross: seen from outside, its corners {told} follow each "
        "other clockwise; swap the points that are in the wrong order",
    )


def _around(face: str) -> list[str]:
    """Return the corners of a face, clockwise as seen from outside."""
    name_of = {i: name for name, place in zip(CORNERS, CORNER_FACELETS, strict=True) for i in place}
    return [name_of[9 * FACES.index(face) + cell] for cell in (0, 2, 8, 6)]


def _misses(points: Mapping[str, Point], pose: Pinhole) -> dict[str, float]:
    places = corners_in_picture(pose, list(points))
    return {name: math.dist(places[name], point) for name, point in points.items()}


def _worst(points: Mapping[str, Point], size: Size) -> str:
    """Return the point without which the others fit best."""
    left: dict[str, float] = {}
    for name in points:
        rest = {other: place for other, place in points.items() if other != name}
        try:
            misses = _misses(rest, pose_from_corners(rest, size))
        except CalibrationError:  # without this point the others are not enough
            continue
        left[name] = sum(miss**2 for miss in misses.values())
    return min(left, key=lambda name: left[name])
