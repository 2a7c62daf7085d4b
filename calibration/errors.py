"""The errors of calibrations."""

from cube.errors import ThistlebotError


class CalibrationError(ThistlebotError):
    """The cube or machine as shown does not allow the calibration; nothing was stored."""


class PointsError(CalibrationError):
    """The points that the user moved are not those of a cube before a camera.

    Attributes:
        kind: ``mirrored``, ``crossed``, ``inside``, ``unseen``, ``outside`` or ``points``.
        about: The face or the corner; empty if there is none.
    """

    def __init__(self, kind: str, about: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.about = about
