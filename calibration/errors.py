"""What can go wrong with a calibration and with the files that it reads and writes."""

from cube.errors import ThistlebotError


class CalibrationError(ThistlebotError):
    """What was shown does not allow the calibration; nothing was stored."""


class ConfigError(ThistlebotError):
    """A file of settings cannot be used; the message names the file, the line and the key."""


class MissingDocumentError(ConfigError):
    """A file of settings is not there."""
