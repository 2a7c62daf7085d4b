"""The kinds of rigs, and the rig that comes with the package."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

import msgspec

from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism

KINDS: dict[str, type[Mechanism]] = {"": FaceMotors}
"""By the key `kind` of the rig file; a file without one describes motors on the faces."""


def mechanism_type(document: Mapping[str, Any]) -> type[Mechanism]:
    """Return what a rig file, read as TOML, has to be converted to."""
    return KINDS.get(str(document.get("kind", "")), FaceMotors)


def default_rig_text() -> str:
    """Return the commented TOML text of the default rig, to copy from."""
    return resources.files("robot").joinpath("data/default_rig.toml").read_text(encoding="utf-8")


def default_rig() -> FaceMotors:
    """Return the rig that comes with the package."""
    return msgspec.convert(tomllib.loads(default_rig_text()), FaceMotors)
