"""Errors of settings files."""

from cube.errors import ThistlebotError


class ConfigError(ThistlebotError):
    """A settings file cannot be used; the message names the file and the key."""


class UnwritableError(ConfigError):
    """A file cannot be written, because of missing space or permission."""


class MissingDocumentError(ConfigError):
    """A settings file does not exist."""


class PluginError(ThistlebotError):
    """Something that another package adds cannot be used; the message names the package."""
