"""What can go wrong with a file of settings."""

from cube.errors import ThistlebotError


class ConfigError(ThistlebotError):
    """A file of settings cannot be used; the message names the file, the line and the key."""


class UnwritableError(ConfigError):
    """A file cannot be written: for want of room, or of permission."""


class MissingDocumentError(ConfigError):
    """A file of settings is not there."""


class PluginError(ThistlebotError):
    """Something that another package adds cannot be used; the message names the package."""
