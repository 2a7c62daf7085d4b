"""The application: command line, solve session, configuration, and the names for Python.

The names for Python are loaded on first use: the command line does not need them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thistlebot.client import Client
    from thistlebot.library import Cube, Rig, read_camera, read_photos, solve

__all__ = ["Client", "Cube", "Rig", "read_camera", "read_photos", "solve"]


def __getattr__(name: str) -> Any:
    """Load a name of the library."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "Client":
        from thistlebot.client import Client

        return Client
    from thistlebot import library

    return getattr(library, name)
