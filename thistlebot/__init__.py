"""The application: command line, solve session, configuration, and the names for Python.

The names for Python are loaded on first use: the command line does not need them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cube.errors import InvalidCubeError as InvalidCubeError
    from cube.errors import NotationError as NotationError
    from cube.errors import ThistlebotError as ThistlebotError
    from documents.errors import ConfigError as ConfigError
    from robot.errors import LinkError as LinkError
    from robot.errors import NotAlignedError as NotAlignedError
    from robot.errors import RigError as RigError
    from solver.errors import SolverError as SolverError
    from thistlebot.client import Client
    from thistlebot.errors import ComputerError as ComputerError
    from thistlebot.errors import MisreadError as MisreadError
    from thistlebot.errors import NotVerifiedError as NotVerifiedError
    from thistlebot.errors import RefusedError as RefusedError
    from thistlebot.errors import StoppedError as StoppedError
    from thistlebot.errors import UnsolvableCubeError as UnsolvableCubeError
    from thistlebot.errors import UsageError as UsageError
    from thistlebot.library import Cube, Rig, read_camera, read_photos, solve
    from vision.errors import CameraError as CameraError
    from vision.errors import VisionError as VisionError

__all__ = ["Client", "Cube", "Rig", "read_camera", "read_photos", "solve"]
_WITH_ERRORS = ("cube", "documents", "vision", "solver", "robot", "calibration", "thistlebot")


def __getattr__(name: str) -> Any:
    """Load a name of the library, or an error of any package."""
    for package in _WITH_ERRORS if name.endswith("Error") else ():
        if found := vars(import_module(f"{package}.errors")).get(name):
            return found
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "Client":
        from thistlebot.client import Client

        return Client
    from thistlebot import library

    return getattr(library, name)
