"""What can go wrong between the light and the reading."""

from cube.errors import ThistlebotError


class VisionError(ThistlebotError):
    """A picture could not be obtained or not be understood."""


class CameraError(VisionError):
    """A camera does not open, vanished, or delivers no pictures."""


class PhotoError(VisionError):
    """A picture file is missing, unreadable, not a picture, or shows no cube; the message names the file."""
