"""Ways to look at a cube: fixed cameras with views, and photos of the six faces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cube.moves import FACES
from vision.camera import Camera
from vision.frame import Frame
from vision.photo_camera import PhotoFolder, read_photo
from vision.profile import ColourProfile
from vision.read_photos import read_photos, read_views
from vision.reading import CubeReading
from vision.view import View


class ViewReader:
    """Fixed cameras: each view says where in its camera's picture the facelets are.

    Args:
        cameras: One camera a view, or a single one whose picture holds all views side by side.
        views: The views; the colours of hidden centres are theirs.
        profile: Measured colours, if the rig was calibrated.
    """

    def __init__(
        self, cameras: Sequence[Camera], views: Sequence[View], profile: ColourProfile | None
    ) -> None:
        self._cameras = cameras
        self._views = views
        self._profile = profile

    def look(self) -> tuple[Frame, ...]:
        """Take one picture with each camera."""
        return tuple(camera.read() for camera in self._cameras)

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures."""
        return read_views(frames, self._views, self._profile)


class PictureReader:
    """Pictures that fixed cameras took earlier.

    Args:
        files: One picture a view, or a single one that holds all views side by side.
        views: Where the facelets are.
        profile: Measured colours, if there are any.
    """

    def __init__(
        self, files: Sequence[Path], views: Sequence[View], profile: ColourProfile | None
    ) -> None:
        self._files = files
        self._views = views
        self._profile = profile

    def look(self) -> tuple[Frame, ...]:
        """Load the pictures."""
        return tuple(read_photo(file) for file in self._files)

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures."""
        return read_views(frames, self._views, self._profile)


class PhotoReader:
    """A folder with six photos named by face."""

    def __init__(self, folder: Path, profile: ColourProfile | None) -> None:
        self._folder = folder
        self._profile = profile

    def look(self) -> tuple[Frame, ...]:
        """Load the six photos, in the order U R F D L B."""
        photos = PhotoFolder(self._folder)
        return tuple(photos.read_face(face) for face in FACES)

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Find the face in each photo and read the cube."""
        return read_photos(dict(zip(FACES, frames, strict=True)), self._profile)
