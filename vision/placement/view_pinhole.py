"""Where the camera of a view stands: the way back from a view file to a virtual camera."""

import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_index
from vision.geometry.pinhole import Pinhole, Vector
from vision.geometry.scene import facelet_centre
from vision.geometry.view import FaceletPatches, View
from vision.placement.camera_pose import fit_pose


def view_pinhole(view: View) -> Pinhole:
    """Return a camera without distortion that sees the facelets about where a view says.

    Args:
        view: Of one camera.

    Raises:
        VisionError: It shows too few facelets, or no camera can see them so.
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
    """Return the middle of a facelet's patches, (2,) in pixels."""
    return np.asarray(np.array(entry.polygons).reshape(-1, 2).mean(axis=0))


def _vector(values: NDArray[np.float64]) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
