"""The cameras of virtual rigs: the default rig's two at corners, and straight ones; their views."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from msgspec import structs

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.errors import VisionError
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import FACE_AXES, HALF_MM
from vision.geometry.view import View
from vision.geometry.view_geometry import view_from
from vision.virtual.background import rig_clutter
from vision.virtual.render import Viewpoint

CORNER_CAMERAS = {
    "A": Pinhole.at((90.0, 69.0, 127.0), (2.0, 2.0, 2.0), focal_px=720.0, roll_deg=9.0),
    "B": Pinhole.at((-125.0, -71.0, -90.0), (-2.0, -2.0, -2.0), focal_px=720.0, roll_deg=-7.0),
}
"""A looks at the corner of U, R and F, B at the opposite one of D, L and B."""


_BEFORE_FACE_MM = 160.0
_BEFORE_EDGE_MM = 190.0
_STRAIGHT_FOCAL_PX = 608.0


def corner_viewpoint(camera: str, *, coupled: bool = True) -> Viewpoint:
    """Return the viewpoint of the default rig's camera "A" or "B"."""
    return Viewpoint(f"virtual camera {camera}", CORNER_CAMERAS[camera], coupled, rig_clutter)


def straight_viewpoint(faces: Sequence[str], name: str) -> Viewpoint:
    """Return a camera that looks straight at some faces of a cube in a machine.

    Args:
        faces: One face, two neighbours, or three around a corner; one of them is upright in the
            picture as in the net.
        name: The name of the camera.

    Raises:
        VisionError: These faces are not all visible from one position.
    """
    if not faces or len({FACES.index(face) % 3 for face in faces}) != len(faces):
        raise VisionError(f"no camera sees the faces {' '.join(faces) or '(none)'} at once")
    ahead = np.array([FACE_AXES[face].normal for face in faces], dtype=np.float64).sum(axis=0)
    ahead /= np.linalg.norm(ahead)
    distance_mm = HALF_MM + (_BEFORE_FACE_MM if len(faces) == 1 else _BEFORE_EDGE_MM)
    upright = next((face for face in faces if face not in "UD"), faces[0])
    up = -np.array(FACE_AXES[upright].down, dtype=np.float64)
    return Viewpoint(
        name,
        Pinhole.at(distance_mm * ahead, focal_px=_STRAIGHT_FOCAL_PX, up=up),
        background=rig_clutter,
    )


@cache
def straight_view(faces: tuple[str, ...]) -> View:
    """Return the view of `straight_viewpoint`; its centres are read like any sticker.

    Raises:
        VisionError: These faces are not all visible from one position.
    """
    return view_from(straight_viewpoint(faces, "ahead").pinhole, {}, ())


def default_views(scheme: Mapping[str, str] = WESTERN_SCHEME) -> tuple[View, View]:
    """Return the views of the default rig's cameras A and B, from the rig's own geometry.

    Each facelet gets up to four patches, none under a coupler or its shaft; the centres, which the
    couplers hide, get the colours of the scheme.
    """
    first, second = (
        structs.replace(view, centres={face: scheme[face] for face in view.centres})
        for view in _corner_views()
    )
    return first, second


@cache
def _corner_views() -> tuple[View, View]:
    """Compute the rig's geometry once: this takes longer than reading a picture."""
    first, second = (view_from(CORNER_CAMERAS[name], WESTERN_SCHEME) for name in "AB")
    return first, second
