"""From pictures to a reading: one face, six photos named by face, or fixed cameras."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from cube.facelets import facelet_name
from cube.moves import FACES
from vision.colours.profile import ColourProfile
from vision.decoding.decode import decode
from vision.errors import NoFaceError, PhotoError
from vision.faces.finder import find_face
from vision.frame import Frame
from vision.geometry.sampling import frame_number, sample_view
from vision.geometry.view import View
from vision.reading import CubeReading, FaceReading, Polygon


def read_face(frame: Frame) -> FaceReading:
    """Find the face that a picture shows.

    Raises:
        NoFaceError: There is none; the message names the picture.
    """
    face = find_face(frame.image)
    if face is None:
        raise NoFaceError(
            f"no face of a cube was found in {frame.source}; show all nine stickers of one face, "
            "sharp and without a hand over them"
        )
    return face


def read_faces(frames: Mapping[str, Frame]) -> dict[str, FaceReading]:
    """Find the face in each of six photos.

    Args:
        frames: Face letter to photo.

    Raises:
        PhotoError: A face has no photo.
        NoFaceError: Photos show no face; all of them are named.
    """
    if missing := [face for face in FACES if face not in frames]:
        raise PhotoError(f"no photo of face {', '.join(missing)}; six faces are needed")
    found = {face: find_face(frames[face].image) for face in FACES}
    if unseen := [face for face in FACES if found[face] is None]:
        places = ", ".join(f"{frames[face].source} (face {face})" for face in unseen)
        raise NoFaceError(
            f"no face of a cube was found in {places}; take it again: all nine stickers in view, "
            "sharp, no hand over them"
        )
    return {face: reading for face, reading in found.items() if reading is not None}


def read_cube_faces(
    faces: Mapping[str, FaceReading],
    profile: ColourProfile | None = None,
    *,
    any_orientation: bool = False,
    any_order: bool = False,
) -> CubeReading:
    """Decode six faces, each seen as in the usual net unless an option says otherwise.

    Args:
        faces: Face letter to reading, all six; with `any_order` the letters only count the photos.
        profile: Measured colours to start from.
        any_orientation: Each face may be turned in its plane.
        any_order: The faces may come in any order and be turned.
    """
    stickers = [sticker for face in FACES for sticker in faces[face].stickers]
    labs = np.array([sticker.lab for sticker in stickers], dtype=np.float64)
    polygons = [sticker.polygons for sticker in stickers]
    cameras = [place // 9 for place in range(54)]
    reading = decode(labs, profile, any_orientation=any_orientation, any_order=any_order)
    return with_places(reading, polygons, cameras)


def read_photos(
    frames: Mapping[str, Frame],
    profile: ColourProfile | None = None,
    *,
    any_orientation: bool = False,
    any_order: bool = False,
) -> CubeReading:
    """Read a cube from six photos, one a face, each seen as in the usual net.

    The stickers' `camera` counts the photos in the order URFDLB.

    Args:
        frames: Face letter to photo; with `any_order` the letters only count the photos.
        profile: Measured colours to start from.
        any_orientation: Each face may be turned in its plane.
        any_order: The faces may come in any order and be turned.

    Raises:
        PhotoError: A face has no photo.
        NoFaceError: Photos show no face; the message names them.
    """
    return read_cube_faces(
        read_faces(frames), profile, any_orientation=any_orientation, any_order=any_order
    )


def read_views(
    frames: Sequence[Frame],
    views: Sequence[View],
    profile: ColourProfile | None = None,
    centres: Mapping[str, str] | None = None,
) -> CubeReading:
    """Read a cube from fixed cameras.

    Args:
        frames: One picture per view, or per camera of a single view.
        views: Where the facelets lie.
        profile: Measured colours to start from.
        centres: Colours of hidden centres; those of the views are used as well.

    Raises:
        VisionError: Frames and views do not belong together.
    """
    known = {face: colour for view in views for face, colour in view.centres.items()}
    known.update(centres or {})
    polygons: dict[str, tuple[Polygon, ...]] = {}
    cameras: dict[str, int] = {}
    for number, view in enumerate(views):
        for entry in view.facelet:
            # A facelet that two cameras see is drawn where the first one sees it.
            if entry.name not in polygons:
                polygons[entry.name] = entry.polygons
                cameras[entry.name] = frame_number(entry.camera, number, len(views), len(frames))
    names = [facelet_name(i) for i in range(54)]
    reading = decode(sample_view(frames, views), profile, known or None)
    return with_places(
        reading, [polygons.get(n, ()) for n in names], [cameras.get(n, 0) for n in names]
    )


def with_places(
    reading: CubeReading, polygons: Sequence[tuple[Polygon, ...]], cameras: Sequence[int]
) -> CubeReading:
    """Say where in the pictures each of the 54 stickers was seen, given in the pictures' order."""
    placed = tuple(
        replace(sticker, polygons=polygons[cell], camera=cameras[cell])
        for sticker, cell in zip(reading.stickers, reading.cells, strict=True)
    )
    return replace(reading, stickers=placed)
