"""Changes values in a rig file without touching its comments and its order."""

from collections.abc import Iterator
from typing import Any

import msgspec

from documents.typed_toml import KeyPath, parse_document, with_values
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import Variable
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism

MOTOR_KEYS = ("channel", "microsteps", "direction", "rate_steps_s", "acceleration_steps_s2")
"""What a calibration of motors measures."""

Changes = Iterator[tuple[KeyPath, object]]


def with_rig(text: str, made: FaceMotors | ActionMachine, name: str = "the rig file") -> str:
    """Write the results of a rig's calibration, of any kind.

    Args:
        text: A valid rig file of the rig.
        made: The new rig.
        name: Name of the text in messages.

    Raises:
        ConfigError: The text is not such a file.
    """
    if isinstance(made, ActionMachine):
        changes = _of_machine(parse_document(text, ActionMachine, name), made)
    else:
        known = parse_document(text, FaceMotors, name)
        changes = _of_motors(known, made, parse_document(text, dict, name))
    return with_values(text, dict(changes))


def with_camera(text: str, number: int, device: int | str, name: str = "the rig file") -> str:
    """Write the device of a camera into the text of a rig file.

    Args:
        text: A valid rig file.
        number: The number of the camera, from 0.
        device: Its index, path or address.
        name: Name of the text in messages.

    Raises:
        ConfigError: The text is not TOML.
    """
    parse_document(text, dict, name)
    return with_values(text, {("cameras", number, "device"): device})


def with_flipped(rig: Mechanism, part: str) -> FaceMotors | ActionMachine:
    """Return a rig in which one motor turns the other way, or the actuators of one action.

    Raises:
        NotPossibleError: It has no such motor or action.
    """
    if isinstance(rig, ActionMachine) and part in rig.action_names:
        rule = next(each for each in rig.actions if each.name == part)
        moved = {each: _turned_round(rig.variables[each]) for each in rule.change}
        return msgspec.structs.replace(rig, variables=rig.variables | moved)
    motor = rig.motors.get(part)
    if motor is None:
        raise NotPossibleError(
            f"rig {rig.name!r} has no motor {part!r}: it has {', '.join(rig.motors) or 'none'}"
        )
    if isinstance(rig, FaceMotors):
        flipped = msgspec.structs.replace(motor, direction=-motor.direction)
        return msgspec.structs.replace(rig, motors=rig.motors | {part: flipped})
    assert isinstance(rig, ActionMachine)
    variables = rig.variables | {part: _turned_round(rig.variables[part])}
    return msgspec.structs.replace(rig, variables=variables)


def with_swapped(rig: Mechanism, one: str, other: str) -> FaceMotors:
    """Return a rig in which two motors on faces have exchanged their channels.

    Raises:
        NotPossibleError: It has no such motors on faces.
    """
    if not isinstance(rig, FaceMotors) or not {one, other} <= rig.motors.keys():
        raise NotPossibleError(f"rig {rig.name!r} has no motors on the faces {one} and {other}")
    motors = rig.motors
    swapped = {
        a: msgspec.structs.replace(motors[a], channel=motors[b].channel)
        for a, b in ((one, other), (other, one))
    }
    return msgspec.structs.replace(rig, motors=motors | swapped)


def _turned_round(variable: Variable) -> Variable:
    """Return a variable whose actuator moves the other way."""
    if variable.motor is None:
        return msgspec.structs.replace(variable, pulse_us=variable.pulse_us[::-1])
    motor = msgspec.structs.replace(variable.motor, direction=-variable.motor.direction)
    return msgspec.structs.replace(variable, motor=motor)


def _of_motors(known: FaceMotors, made: FaceMotors, raw: dict[str, Any]) -> Changes:
    """Yield the measured values of motors and the angles that changed; older keys go."""
    for face, motor in made.motors.items():
        if motor != known.motors.get(face):
            for key in MOTOR_KEYS:
                yield ("motors", face, key), getattr(motor, key)
    if made.corners == known.corners:
        return
    older = [(key,) for key in raw if key not in FaceMotors.__struct_fields__]
    angles = [("corners", key) for key in raw.get("corners", {}) if not hasattr(known.corners, key)]
    for path in (*older, *angles):
        yield path, None
    for key in made.corners.__struct_fields__:
        angle_deg = getattr(made.corners, key)
        if older or angles or angle_deg != getattr(known.corners, key):
            yield ("corners", key), angle_deg


def _of_machine(known: ActionMachine, made: ActionMachine) -> Changes:
    """Yield the pulses, steps, directions and times that changed."""
    for part, variable in made.variables.items():
        before = known.variables[part]
        for key in ("places", "pulse_us", "steps"):
            if getattr(variable, key) != getattr(before, key):
                yield ("variables", part, key), list(getattr(variable, key))
        if variable.motor is not None and before.motor is not None:
            for key in ("direction", "microsteps"):
                if getattr(variable.motor, key) != getattr(before.motor, key):
                    yield ("variables", part, "motor", key), getattr(variable.motor, key)
    for number, (rule, old) in enumerate(zip(made.actions, known.actions, strict=True)):
        if rule.time_ms != old.time_ms:
            yield ("actions", number, "time_ms"), list(rule.time_ms)
