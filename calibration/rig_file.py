"""Changes values in a rig file without touching its comments and its order."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

import msgspec

from documents.errors import ConfigError
from documents.lines import KeyPath, TomlLines
from documents.typed_toml import format_path, parse_document
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import Corners
from robot.rigs.mechanism import Mechanism
from robot.rigs.motor import Motor

MOTOR_KEYS = ("channel", "microsteps", "direction", "rate_steps_s", "acceleration_steps_s2")
"""What a calibration of motors measures."""
_VALUE = re.compile(r"^(\s*[\w\"'-]+\s*=\s*)([^#\n]*?)(\s*(?:#.*)?)$")


def with_rig(text: str, made: FaceMotors | ActionMachine, name: str = "the rig file") -> str:
    """Write the results of a rig's calibration, of any kind.

    Args:
        text: A valid rig file of the rig.
        made: The new rig.
        name: Name of the text in messages.

    Raises:
        ConfigError: The text is not such a file, or its form cannot be changed here.
    """
    if isinstance(made, ActionMachine):
        return with_machine(text, made, name)
    known = parse_document(text, FaceMotors, name)
    text = with_motors(text, made.motors, name)
    changed = {
        key: getattr(made.corners, key)
        for key in made.corners.__struct_fields__
        if getattr(made.corners, key) != getattr(known.corners, key)
    }
    return with_corners(text, changed, name)


def with_flipped(rig: Mechanism, part: str) -> FaceMotors | ActionMachine:
    """Return a rig in which one motor turns the other way.

    Raises:
        NotPossibleError: It has no such motor.
    """
    motor = rig.motors.get(part)
    if motor is None:
        raise NotPossibleError(
            f"rig {rig.name!r} has no motor {part!r}: it has {', '.join(rig.motors) or 'none'}"
        )
    flipped = msgspec.structs.replace(motor, direction=-motor.direction)
    if isinstance(rig, FaceMotors):
        return msgspec.structs.replace(rig, motors=rig.motors | {part: flipped})
    assert isinstance(rig, ActionMachine)
    variable = msgspec.structs.replace(rig.variables[part], motor=flipped)
    return msgspec.structs.replace(rig, variables=rig.variables | {part: variable})


def with_motors(text: str, motors: Mapping[str, Motor], name: str = "the rig file") -> str:
    """Write motors' values into the text of a rig file.

    Args:
        text: A valid rig file.
        motors: The motor of each face; those of other faces are not changed.
        name: Name of the text in messages.

    Returns:
        The new text, which describes the same rig with these motors.

    Raises:
        ConfigError: The text is not a rig file.
    """
    known = parse_document(text, FaceMotors, name).motors
    for face, motor in motors.items():
        for key in MOTOR_KEYS if known.get(face) != motor else ():
            text = _with_key(text, ("motors", face), key, getattr(motor, key))
    parse_document(text, FaceMotors, name)
    return text


def with_corners(text: str, corners: Mapping[str, float], name: str = "the rig file") -> str:
    """Write angles of transitions into the text of a rig file; today's keys replace older ones.

    Args:
        text: A valid rig file.
        corners: Angles by keys of `Corners`; others are not changed.
        name: Name of the text in messages.

    Raises:
        ConfigError: The text is not a rig file, or its angles are not in a table [corners].
    """
    rig = parse_document(text, FaceMotors, name)
    if not corners:
        return text
    wanted = msgspec.structs.replace(rig.corners, **corners)
    if FaceMotors.renewed(tomllib.loads(text))[1]:
        text = _without_older(text)
        corners = msgspec.structs.asdict(wanted)
    for key, angle_deg in reversed(list(corners.items())):  # inserted at the top of its table
        text = _with_key(text, ("corners",), key, angle_deg)
    if parse_document(text, FaceMotors, name).corners != wanted:
        raise ConfigError(
            f"{name}: cannot write the angles: add a table [corners] with one key per line"
        )
    return text


def _without_older(text: str) -> str:
    """Remove the lines of angles with older keys."""
    document = tomllib.loads(text)
    corners = document.get("corners", {})
    older = [(each,) for each in document if each not in FaceMotors.__struct_fields__]
    angles = [("corners", each) for each in corners if each not in Corners.__struct_fields__]
    places = TomlLines(text)
    gone = {places.line_of(path) for path in (*older, *angles)}
    lines = enumerate(text.split("\n"), start=1)
    return "\n".join(line for number, line in lines if number not in gone)


def with_camera(text: str, number: int, device: int | str, name: str = "the rig file") -> str:
    """Write the device of a camera into the text of a rig file.

    Args:
        text: A valid rig file.
        number: The number of the camera, from 0.
        device: Its index, path or address.
        name: Name of the text in messages.

    Raises:
        ConfigError: The text is not a rig file, or its form cannot be changed here.
    """
    text = _with_item(text, ("cameras", number, "device"), _written(device))
    if parse_document(text, dict, name)["cameras"][number]["device"] != device:
        raise ConfigError(f"{name}: put the device of camera {number} on its own line")
    return text


def with_machine(text: str, made: ActionMachine, name: str = "the rig file") -> str:
    """Write the results of a machine's calibration: pulses, steps, directions, times.

    Args:
        text: A valid rig file of the machine.
        made: The new machine.
        name: Name of the text in messages.

    Returns:
        The new text, which describes the machine.

    Raises:
        ConfigError: The text is not such a file, or its form cannot be changed here.
    """
    known = parse_document(text, ActionMachine, name)
    changed: dict[KeyPath, object] = {}
    for part, variable in made.variables.items():
        before = known.variables[part]
        for key in ("places", "pulse_us", "steps"):
            if getattr(variable, key) != getattr(before, key):
                changed["variables", part, key] = getattr(variable, key)
        if variable.motor is not None and before.motor is not None:
            for key in ("direction", "microsteps"):
                if getattr(variable.motor, key) != getattr(before.motor, key):
                    changed["variables", part, "motor", key] = getattr(variable.motor, key)
    for number, (rule, old) in enumerate(zip(made.actions, known.actions, strict=True)):
        if rule.time_ms != old.time_ms:
            changed["actions", number, "time_ms"] = rule.time_ms
    for path, value in changed.items():
        text = _with_item(text, path, _written(value))
    if parse_document(text, ActionMachine, name) != made:
        told = ", ".join(map(format_path, changed))
        raise ConfigError(f"{name}: put each of these keys on its own line: {told}")
    return text


def _written(value: object) -> str:
    """Write a number, a text or a list in a form that is both TOML and JSON."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    return msgspec.json.encode(value).decode()


def _with_item(text: str, path: KeyPath, value: str) -> str:
    """Write the value of a key, in a table or between braces; new ones go to the beginning."""
    table: Any = tomllib.loads(text)
    for part in path[:-1]:
        table = table[part]
    lines = text.split("\n")
    line = (TomlLines(text).line_of(path) or 1) - 1
    rest = "\n".join(lines[line:])
    key = re.escape(str(path[-1]))
    if path[-1] in table:
        written = rf"((?<![\w-]){key}\s*=\s*)(\[[^\]]*\]|[^,}}\s#]+)"
        rest = re.sub(written, lambda found: found[1] + value, rest, count=1)
    elif lines[line].lstrip().startswith("["):
        rest = rest.replace("\n", f"\n{path[-1]} = {value}\n", 1)
    else:
        rest = rest.replace("{", f"{{ {path[-1]} = {value},", 1)
    return "\n".join([*lines[:line], rest])


def _with_key(text: str, table: tuple[str, ...], key: str, value: float) -> str:
    """Write one value into a table, which is added at the end if it is missing."""
    lines = text.split("\n")
    known: dict[str, Any] | None = tomllib.loads(text)
    for part in table:
        known = None if known is None else known.get(part)
    if known is None:
        return text.rstrip("\n") + f"\n\n[{'.'.join(table)}]\n{key} = {value}\n"
    line = TomlLines(text).line_of((*table, key)) or 0
    if key in known:
        lines[line - 1] = _VALUE.sub(rf"\g<1>{value}\g<3>", lines[line - 1])
    else:
        lines.insert(line, f"{key} = {value}")  # the nearest place is the table's header
    return "\n".join(lines)
