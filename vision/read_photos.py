"""From pictures to a reading: one face, photos named by face, or fixed cameras."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cube.facelets import facelet_name
from cube.moves import FACES
from vision.colours.looks import AllLooks, FaceLook
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.classifiers import CLASSIFIERS, JOINT
from vision.decoding.decode import decode
from vision.errors import NoFaceError, PhotoError
from vision.faces.finder import find_face
from vision.frame import Frame
from vision.geometry.sampling import sample_view
from vision.geometry.view import View
from vision.reading import CubeReading, FaceReading, StickerPlace

# Pictures without a sticker of this chroma, CIELAB, are grey; of 30 real sets, the least has 33.
_LEAST_CHROMA = 6.0


@dataclass(frozen=True, slots=True)
class SeenFace:
    """A face of the cube in one of the pictures.

    Attributes:
        face: Its letter; of photos in any order, their number as a letter of URFDLB.
        reading: The face in the picture.
        camera: Index of the picture.
    """

    face: str
    reading: FaceReading
    camera: int

    @property
    def colours(self) -> StickerColours:
        """Return the colours of its nine stickers."""
        return StickerColours.of_lab([sticker.lab for sticker in self.reading.stickers])


def read_faces(photos: Sequence[tuple[str, Frame]], *, named: bool = True) -> list[SeenFace]:
    """Find the face in each of six or more photos.

    Args:
        photos: Face letter and photo; a face may have several.
        named: Whether the letters are those of the faces; else they only count the photos.

    Returns:
        The faces found, at least one look at each, in the order of the photos.

    Raises:
        PhotoError: A face has no photo.
        NoFaceError: No photo of a face shows it; all such photos are named. Or all are grey.
    """
    given = {face for face, _ in photos}
    if missing := [face for face in FACES if face not in given]:
        raise PhotoError(f"no photo of face {', '.join(missing)}; six faces are needed")
    found = [(face, find_face(frame.image)) for face, frame in photos]
    seen = [
        SeenFace(face, reading, camera)
        for camera, (face, reading) in enumerate(found)
        if reading is not None
    ]
    known = {each.face for each in seen}
    if known != set(FACES):
        unseen = [
            f"{frame.source} (face {face})" if named else frame.source
            for letter in FACES
            for face, frame in photos
            if face == letter and face not in known
        ]
        raise NoFaceError(
            f"no face of a cube found in {', '.join(unseen)}; take it again: all nine "
            "stickers in view, in focus, not covered by a hand"
        )
    _require_colours(seen)
    return seen


def read_cube_faces(
    seen: Sequence[SeenFace],
    profile: ColourProfile | None = None,
    *,
    any_orientation: bool = False,
    any_order: bool = False,
    classifier: str = JOINT,
    scheme: Mapping[str, str] | None = None,
) -> CubeReading:
    """Decode six faces, each seen as in the usual net unless an option says otherwise.

    Args:
        seen: At least one look at each face. All count; places of stickers are those of the first.
        profile: Measured colours to start from.
        any_orientation: Each face may be rotated in its plane, each look differently.
        any_order: The faces may come in any order and rotated.
        classifier: One of `CLASSIFIERS`; only the usual one reads faces that are rotated.
        scheme: Colours of the cube, as the user gave them; see `vision.decoding.decode.decode`.
    """
    first = [next(each for each in seen if each.face == face) for face in FACES]
    colours = StickerColours.joined([each.colours for each in first])
    places = [
        StickerPlace(sticker.polygons, each.camera)
        for each in first
        for sticker in each.reading.stickers
    ]
    further = [FaceLook(each.face, each.colours) for each in seen if each not in first]
    if classifier != JOINT:
        mean = AllLooks.of(colours, further).mean()
        return CLASSIFIERS[classifier](mean, profile, scheme=scheme).placed(places)
    return decode(
        colours,
        profile,
        scheme=scheme,
        any_orientation=any_orientation,
        any_order=any_order,
        further=further,
    ).placed(places)


def _require_colours(seen: Sequence[SeenFace]) -> None:
    chroma = np.linalg.norm(
        StickerColours.joined([each.colours for each in seen]).lab[:, 1:], axis=1
    )
    if np.nanmax(chroma, initial=0.0) < _LEAST_CHROMA:
        raise NoFaceError(
            "the pictures have no colours, only greys; take them with a colour camera, and "
            "without a black-and-white filter"
        )


def read_views(
    frames: Sequence[Frame],
    views: Sequence[View],
    profile: ColourProfile | None = None,
    centres: Mapping[str, str] | None = None,
    further: Sequence[tuple[Sequence[Frame], Sequence[View]]] = (),
    *,
    scheme: Mapping[str, str] | None = None,
) -> CubeReading:
    """Read a cube from fixed cameras.

    Args:
        frames: One picture per view.
        views: The places of the facelets.
        profile: Measured colours to start from.
        centres: Colours of hidden centres; those of the views are used as well.
        further: Further looks: pictures, with the places of the facelets in each.
        scheme: Colours of the cube, as the user gave them; see `vision.decoding.decode.decode`.

    Raises:
        VisionError: Frames and views do not belong together.
    """
    known = {face: colour for view in views for face, colour in view.centres.items()}
    known.update(centres or {})
    places: dict[str, StickerPlace] = {}
    for number, view in enumerate(views):
        for entry in view.facelet:
            # A facelet that two cameras see is drawn where the first one sees it.
            places.setdefault(entry.name, StickerPlace(entry.polygons, number))
    return decode(
        StickerColours.of_lab(sample_view(frames, views)),
        profile,
        known or None,
        scheme=scheme,
        further=[look for again in further for look in _looks(*again)],
        by_hand=False,
    ).placed([places.get(facelet_name(i), StickerPlace()) for i in range(54)])


def _looks(frames: Sequence[Frame], views: Sequence[View]) -> list[FaceLook]:
    """Return one look at each face, with whatever fixed cameras see of it."""
    nines = sample_view(frames, views).reshape(6, 9, 3)
    return [
        FaceLook(face, StickerColours.of_lab(nine)) for face, nine in zip(FACES, nines, strict=True)
    ]
