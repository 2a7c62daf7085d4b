"""Chooses the virtual cube for a machine, and the parts that the machine needs."""

from cube.state import CubeState
from robot.errors import RigError
from robot.protocol.messages import OutputMode
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from robot.virtual.cubes.handled_cube import Follows, HandledCube
from robot.virtual.cubes.slipping_cube import SlippingCube
from robot.virtual.cubes.turned_cube import TurnedCube
from robot.virtual.machine_parts import MachineParts
from robot.virtual.servos import ServoArm


def cube_in(
    rig: Mechanism,
    parts: MachineParts,
    state: CubeState,
    follows: Follows = lambda _: 1,
) -> TurnedCube:
    """Put a cube into a machine.

    Args:
        rig: The machine.
        parts: The parts that its board moves besides the motors on faces.
        state: The cube.
        follows: How many times the cube follows each motion of a machine that handles it.

    Raises:
        RigError: There is no virtual machine for this kind of rig.
    """
    if isinstance(rig, ActionMachine):
        return HandledCube(rig, parts, state, follows=follows)
    if isinstance(rig, FaceMotors):
        return SlippingCube(rig, state)
    raise RigError(f"rig {rig.name!r} is of a kind that has no virtual machine")


def parts_of(rig: Mechanism) -> MachineParts:
    """Return the parts of a machine, in their places at power-on."""
    parts = MachineParts()
    if rig.buzzer is not None:
        parts.outputs += [OutputMode.OFF] * (rig.buzzer + 1 - len(parts.outputs))
    if not isinstance(rig, ActionMachine):
        return parts
    for variable in rig.variables.values():
        if variable.servo is not None:
            missing = variable.servo + 1 - len(parts.servos)
            parts.servos += [ServoArm() for _ in range(missing)]
            parts.servos[variable.servo].at_us = float(variable.pulse_us[variable.start_place])
        if variable.output is not None:
            parts.outputs += [OutputMode.OFF] * (variable.output + 1 - len(parts.outputs))
        if variable.home is not None and variable.motor is not None:
            motor, switch = variable.motor, variable.home.switch
            parts.homes[motor.channel] = -variable.steps[variable.start_place] * motor.direction
            parts.switches += (-1,) * (switch + 1 - len(parts.switches))
            before, after = parts.switches[:switch], parts.switches[switch + 1 :]
            parts.switches = (*before, motor.channel, *after)
    return parts
