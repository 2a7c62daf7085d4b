"""What can go wrong with a calibration."""

from cube.errors import ThistlebotError


class CalibrationError(ThistlebotError):
    """What was shown does not allow the calibration; nothing was stored."""


class PointsError(CalibrationError):
    """Points that a person moved are not those of a cube before a camera.

    Attributes:
        kind: ``mirrored``, ``crossed``, ``inside``, ``unseen``, ``outside`` or ``points``.
        about: The face or the corner; empty where none is meant.
    """

    def __init__(self, kind: str, about: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.about = about
