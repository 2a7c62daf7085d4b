"""Readers of stored data: pictures, photos of the faces, colours."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from cube.moves import FACES
from thistlebot.reading.reader import Reader
from thistlebot.reading.scan_file import read_scan
from vision.cameras.photo_camera import photos_by_face, picture_files, read_photo, unreadable_text
from vision.colours.profile import ColourProfile
from vision.decoding.classifiers import JOINT
from vision.decoding.decode import decode
from vision.errors import NoFaceError, PhotoError
from vision.frame import Frame
from vision.geometry.view import View
from vision.pocket.cube_size import look_2x2x2
from vision.read_photos import read_cube_faces, read_faces, read_views
from vision.reading import CubeReading
from vision.timed import timed


class PictureReader(Reader):
    """Stored pictures of fixed cameras."""

    def __init__(
        self,
        files: Sequence[Path],
        views: Sequence[View],
        profile: ColourProfile | None,
        scheme: Mapping[str, str] | None = None,
    ) -> None:
        self._files = files
        self._read = partial(timed(read_views), views=views, profile=profile, scheme=scheme)

    def look(self) -> tuple[Frame, ...]:
        """Load the pictures."""
        return tuple(read_photo(file) for file in self._files)

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures."""
        return self._read(frames)


class PhotoReader(Reader):
    """A folder with photos named by face, one or more of each, or with six in any order.

    Args:
        folder: The folder.
        profile: Measured colours, if any.
        any_orientation: Each face may be rotated in its plane.
        any_order: The names of the photos and the rotation of the faces do not matter.
        classifier: One of `CLASSIFIERS`.
        scheme: The cube's colours, if its owner gave them.
    """

    def __init__(
        self,
        folder: Path,
        profile: ColourProfile | None,
        *,
        any_orientation: bool = False,
        any_order: bool = False,
        classifier: str = JOINT,
        scheme: Mapping[str, str] | None = None,
    ) -> None:
        self._folder = folder
        self._any_order = any_order
        self._read = partial(
            timed(read_cube_faces),
            profile=profile,
            any_orientation=any_orientation,
            any_order=any_order,
            classifier=classifier,
            scheme=scheme,
        )
        self._faces: tuple[str, ...] = tuple(FACES)

    def look(self) -> tuple[Frame, ...]:
        """Load the photos: one of each face, in the order U R F D L B or of their names, then more.

        Raises:
            PhotoError: The folder does not contain six photos.
        """
        if self._any_order:
            files = picture_files(self._folder)
            if len(files) != len(FACES):
                raise PhotoError(
                    f"{self._folder} contains {len(files)} photos; --any-order needs exactly "
                    f"six, one of each face{unreadable_text(self._folder)}"
                )
            return tuple(read_photo(file) for file in files)
        photos = photos_by_face(self._folder).values()
        first, more = [looks[0] for looks in photos], [file for _, *rest in photos for file in rest]
        return self.order(tuple(read_photo(file) for file in first + more))

    def order(self, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """Determine which photo shows which face, by the names of their files."""
        if not self._any_order:
            self._faces = tuple(Path(frame.source).stem[0].upper() for frame in frames)
        return frames

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Find the face in each photo and read the cube.

        Raises:
            NoFaceError: Photos show no face; the message names them, and says whether they look
                like photos of a 2×2×2 cube.
        """
        try:
            photos = list(zip(self._faces, frames, strict=True))
            seen = read_faces(photos, named=not self._any_order)
        except NoFaceError as error:
            if look_2x2x2([frame.image for frame in frames]):
                raise NoFaceError(
                    f"{error}; if the photos show a 2×2×2 cube, add --cube 2 to scan or solve"
                ) from error
            raise
        return self._read(seen)


class ColourReader(Reader):
    """A file with the measured colours of one cube, without pictures."""

    def __init__(
        self,
        file: Path,
        profile: ColourProfile | None,
        *,
        any_order: bool = False,
        scheme: Mapping[str, str] | None = None,
    ) -> None:
        self._file = file
        self._decode = partial(
            timed(decode),
            profile=profile,
            scheme=scheme,
            any_order=any_order,
        )

    def look(self) -> tuple[Frame, ...]:
        """Return nothing: there are no pictures."""
        return ()

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the file."""
        assert not frames, "a file of colours has no pictures"
        return self._decode(read_scan(self._file))
