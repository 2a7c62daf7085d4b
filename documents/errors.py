"""What can go wrong with a file of settings."""

from cube.errors import ThistlebotError


class ConfigError(ThistlebotError):
    """A file of settings cannot be used; the message names the file, the line and the key."""


class MissingDocumentError(ConfigError):
    """A file of settings is not there."""
