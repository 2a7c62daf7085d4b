"""What can go wrong with a calibration."""

from cube.errors import ThistlebotError


class CalibrationError(ThistlebotError):
    """What was shown does not allow the calibration; nothing was stored."""
