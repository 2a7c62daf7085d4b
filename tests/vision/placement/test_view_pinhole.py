"""A view file tells about where its camera stands."""

import numpy as np

from vision.geometry.scene import facelet_centre
from vision.geometry.view_geometry import view_from
from vision.placement.view_pinhole import view_pinhole
from vision.virtual.viewpoints import CORNER_CAMERAS, default_views, straight_viewpoint


def test_cameras_are_found_from_their_views() -> None:
    for number in (0, 1):
        known = tuple(CORNER_CAMERAS.values())[number]
        found = view_pinhole(default_views()[number])
        places = [facelet_centre(facelet) for facelet in range(54)]
        ahead = [place for place in places if np.dot(place, known.position_mm) > 28.5 * 60]
        off = np.asarray(found.project(ahead)) - np.asarray(known.project(ahead))
        assert np.abs(off).max() < 6.0  # patches lie beside the couplers, not in the cells' middles
        assert np.linalg.norm(np.subtract(found.position_mm, known.position_mm)) < 40.0
    for faces in (("U",), ("R", "F"), ("D", "L", "B")):
        known = straight_viewpoint(faces, "ahead").pinhole
        found = view_pinhole(view_from(known, {}, ()))
        places = [
            facelet_centre(9 * "URFDLB".index(face) + cell) for face in faces for cell in range(9)
        ]
        off = np.asarray(found.project(places)) - np.asarray(known.project(places))
        assert np.abs(off).max() < 1.0
