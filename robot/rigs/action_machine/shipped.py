"""The machines that come with the package."""

import tomllib
from importlib import resources

import msgspec

from robot.rigs.action_machine.rig_file import ActionMachineFile

NAMES = ("cubotino", "cubotino-fast", "mindcub3r", "claws", "four-claws", "three")


def shipped_text(name: str) -> str:
    """Return the commented TOML text of a machine, to copy from.

    Raises:
        FileNotFoundError: There is none of this name.
    """
    file = resources.files("robot").joinpath("data", "rigs", f"{name}.toml")
    return file.read_text(encoding="utf-8")


def shipped(name: str) -> ActionMachineFile:
    """Return a machine.

    Raises:
        FileNotFoundError: There is none of this name.
    """
    return msgspec.convert(tomllib.loads(shipped_text(name)), ActionMachineFile)
