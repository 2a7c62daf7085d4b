"""Changes values in a rig file and leaves its comments and its order alone."""

import re
import tomllib
from collections.abc import Mapping

from documents.lines import TomlLines
from documents.typed_toml import parse_document
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor

MOTOR_KEYS = ("channel", "microsteps", "direction", "rate_steps_s", "acceleration_steps_s2")
"""What a calibration of motors measures."""
_VALUE = re.compile(r"^(\s*[\w\"'-]+\s*=\s*)([^#\n]*?)(\s*(?:#.*)?)$")


def with_motors(text: str, motors: Mapping[str, Motor], name: str = "the rig file") -> str:
    """Write motors' values into the text of a rig file.

    Args:
        text: A valid rig file.
        motors: The motor of each face; those of other faces stay.
        name: What the text is called in messages.

    Returns:
        The new text, which describes the same rig with these motors.

    Raises:
        ConfigError: The text is no rig file.
    """
    parse_document(text, FaceMotors, name)
    for face, motor in motors.items():
        for key in MOTOR_KEYS:
            text = _with_value(text, face, key, getattr(motor, key))
    parse_document(text, FaceMotors, name)
    return text


def _with_value(text: str, face: str, key: str, value: int) -> str:
    lines = text.split("\n")
    known = tomllib.loads(text)["motors"].get(face)
    if known is None:
        return text.rstrip("\n") + f"\n\n[motors.{face}]\n{key} = {value}\n"
    line = TomlLines(text).line_of(("motors", face, key)) or 0
    if key in known:
        lines[line - 1] = _VALUE.sub(rf"\g<1>{value}\g<3>", lines[line - 1])
    else:
        lines.insert(line, f"{key} = {value}")  # the nearest place is the table's header
    return "\n".join(lines)
