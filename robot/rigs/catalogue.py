"""The kinds of rigs, and the rig that comes with the package."""

import itertools
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

import msgspec

from robot.rigs.action_machine import mechanism
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism

KINDS: dict[str, type[Mechanism]] = {"": FaceMotors, "actions": ActionMachine}
"""By the key `kind` of the rig file; a file without one describes motors on the faces."""


def mechanism_type(document: Mapping[str, Any]) -> type[Mechanism]:
    """Return what a rig file, read as TOML, has to be converted to."""
    return KINDS.get(str(document.get("kind", "")), FaceMotors)


def described(name: str) -> str:
    """Return in one sentence what kind of machine a rig is that comes with the package.

    Raises:
        KeyError: There is none of this name.
    """
    told = {
        "six": "Stepper motors on the six faces of a fixed cube.",
        "five": "The same, without a motor on U.",
    }
    if name in told or name not in NAMES:
        return told[name]
    lines = mechanism.shipped_text(name).splitlines()
    head = itertools.takewhile(lambda line: line.startswith("#"), lines)
    return " ".join(line.removeprefix("#").strip() for line in head)


def default_rig_text() -> str:
    """Return the commented TOML text of the default rig, to copy from."""
    return resources.files("robot").joinpath("data/default_rig.toml").read_text(encoding="utf-8")


def default_rig() -> FaceMotors:
    """Return the rig that comes with the package."""
    return msgspec.convert(tomllib.loads(default_rig_text()), FaceMotors)


NAMES = ("six", "five", *mechanism.NAMES)
"""The rigs that come with the package: motors on six faces, on all but U, and other machines."""


def rig_text(name: str) -> str:
    """Return the commented TOML text of a rig that comes with the package, to copy from.

    Raises:
        KeyError: There is none of this name.
    """
    if name not in NAMES:
        raise KeyError(name)
    if name in mechanism.NAMES:
        return mechanism.shipped_text(name)
    text = default_rig_text().replace('name = "default"', f'name = "{name}"', 1)
    if name == "five":
        begin, end = text.index("[motors.U]"), text.index("[motors.R]")
        text = text[:begin] + text[end:]
        text = text.replace(
            "# The default rig: six stepper motors on the faces",
            "# Stepper motors on five faces",
            1,
        )
    return text


def named_rig(name: str) -> Mechanism:
    """Return a rig that comes with the package.

    Raises:
        KeyError: There is none of this name.
    """
    document = tomllib.loads(rig_text(name))
    return msgspec.convert(document, mechanism_type(document))
