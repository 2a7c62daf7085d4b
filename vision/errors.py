"""What can go wrong between the light and the reading."""

from cube.errors import ThistlebotError


class VisionError(ThistlebotError):
    """A picture could not be obtained or not be understood."""


class CameraError(VisionError):
    """A camera does not open, vanished, or delivers no pictures."""


class EndOfVideoError(CameraError):
    """A recorded source (a video file, a folder of photos) has no further picture."""


class PhotoError(VisionError):
    """A picture file is missing, unreadable or no picture, or shows no cube; the text names it."""


class NoFaceError(PhotoError):
    """A picture shows no face of a cube, or colours too little of a cube; the text says which."""


class ViewError(VisionError, ValueError):
    """A view contradicts itself or the picture that it is used with.

    Also a `ValueError`, because msgspec adds the place in the file to those.
    """
