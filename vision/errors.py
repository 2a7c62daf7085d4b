"""The errors of cameras, pictures and readings."""

from cube.errors import ThistlebotError


class VisionError(ThistlebotError):
    """A picture could not be obtained or interpreted."""


class CameraError(VisionError):
    """A camera cannot be opened, vanished, or delivers no pictures."""


class EndOfVideoError(CameraError):
    """A recorded source (a video file, a folder of photos) has no further picture."""


class PhotoError(VisionError):
    """A picture file is missing, unreadable or no picture, or shows no cube; the text names it."""


class NoFaceError(PhotoError):
    """A picture shows no face of a cube, or too few colours of a cube; the text says which."""


class ViewError(VisionError, ValueError):
    """A view contradicts itself or its picture.

    It is also a `ValueError`, because msgspec adds the place in the file to those.
    """
