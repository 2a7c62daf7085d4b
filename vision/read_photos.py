"""From pictures to a reading: one face, six photos named by face, or fixed cameras."""

from collections.abc import Mapping, Sequence

from cube.facelets import facelet_name
from cube.moves import FACES
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.plain import decode_plainly
from vision.errors import NoFaceError, PhotoError
from vision.faces.finder import find_face
from vision.frame import Frame
from vision.geometry.sampling import frame_number, sample_view
from vision.geometry.view import View
from vision.reading import CubeReading, FaceReading, StickerPlace


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
    plainly: bool = False,
) -> CubeReading:
    """Decode six faces, each seen as in the usual net unless an option says otherwise.

    Args:
        faces: Face letter to reading, all six; with `any_order` the letters only count the photos.
        profile: Measured colours to start from.
        any_orientation: Each face may be turned in its plane.
        any_order: The faces may come in any order and be turned.
        plainly: By k-means and the laws of the cube alone (`vision.decoding.plain`).
    """
    stickers = [(i, sticker) for i, face in enumerate(FACES) for sticker in faces[face].stickers]
    colours = StickerColours.of_lab([sticker.lab for _, sticker in stickers])
    places = [StickerPlace(sticker.polygons, camera) for camera, sticker in stickers]
    if plainly:
        return decode_plainly(colours, profile, places)
    return decode(
        colours,
        profile,
        any_orientation=any_orientation,
        any_order=any_order,
        places=places,
    )


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
    places: dict[str, StickerPlace] = {}
    for number, view in enumerate(views):
        for entry in view.facelet:
            camera = frame_number(entry.camera, number, len(views), len(frames))
            # A facelet that two cameras see is drawn where the first one sees it.
            places.setdefault(entry.name, StickerPlace(entry.polygons, camera))
    return decode(
        StickerColours.of_lab(sample_view(frames, views)),
        profile,
        known or None,
        places=[places.get(facelet_name(i), StickerPlace()) for i in range(54)],
        mistakes=False,  # nobody holds these faces before a camera
    )
