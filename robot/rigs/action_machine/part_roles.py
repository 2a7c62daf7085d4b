"""The purpose of a machine's parts, derived from its actions."""

from collections.abc import Iterator

from robot.rigs.action_machine.rig_file import ActionMachineFile, ActionRule, Variable
from robot.rigs.parts import Drive, Part, Role

_SIDE_OF_TURN = {"x": "R", "y": "D", "z": "F"}
"""The place of a shaft that turns the whole cube and no layer."""
_SIDE_OF_TIPPING = {"x": "B", "y": "B", "z": "L"}
"""The place of an arm that tips the cube over."""


def parts_of(rig: ActionMachineFile) -> tuple[Part, ...]:
    """Return the parts in the order of the rig file."""
    sides = {name: side for name in rig.variables if (side := _shaft_side(rig, name))}
    found = []
    for name, variable in rig.variables.items():
        drive, key, channel = _drive(variable)
        role, side = _role(rig, name, sides)
        path = f"variables.{name}.{key}"
        found.append(Part(name, path, drive, channel, role, side, variable.places))
    return tuple(found)


def _drive(variable: Variable) -> tuple[Drive, str, int]:
    if variable.servo is not None:
        return "servo", "servo", variable.servo
    if variable.output is not None:
        return "output", "output", variable.output
    assert variable.motor is not None  # the rig file has exactly one of the three
    return "motor", "motor.channel", variable.motor.channel


def _shaft_side(rig: ActionMachineFile, name: str) -> str:
    """Return the side of a shaft; empty for other parts."""
    rules = list(_moving(rig, name))
    for rule in rules:
        if rule.layer:
            return rule.layer[0][0]
    turning = (rule for rule in rules if rule.cube and "+" in rule.change.values())
    return next((_SIDE_OF_TURN[rule.cube[0]] for rule in turning), "")


def _role(rig: ActionMachineFile, name: str, sides: dict[str, str]) -> tuple[Role, str]:
    if name in sides:
        return "shaft", sides[name]
    for shaft, side in sides.items():
        if _grips_for(rig, name, shaft):
            return "claw", side
    tipping = next((rule.cube[0] for rule in _moving(rig, name) if rule.cube), "")
    side = _SIDE_OF_TIPPING.get(tipping, "B")
    if _holds(rig, name):
        return "arm", side
    return ("lever" if tipping else "other"), side


def _holds(rig: ActionMachineFile, name: str) -> bool:
    """Return whether layers turn in some places of a part, and the whole cube in others."""
    layers = [set(rule.needs[name]) for rule in rig.actions if rule.layer and name in rule.needs]
    whole = [set(rule.needs[name]) for rule in rig.actions if rule.cube and name in rule.needs]
    return bool(layers) and set().union(*layers).isdisjoint(set().union(*whole))


def _grips_for(rig: ActionMachineFile, name: str, shaft: str) -> bool:
    """Return whether a shaft turns the cube in some places of a part, and nothing in others."""
    with_cube: set[str] = set()
    empty: set[str] = set()
    for rule in _moving(rig, shaft):
        (with_cube if rule.cube or rule.layer else empty).update(rule.needs.get(name, ()))
    return bool(with_cube and empty) and with_cube.isdisjoint(empty)


def _moving(rig: ActionMachineFile, name: str) -> Iterator[ActionRule]:
    return (rule for rule in rig.actions if name in rule.change)
