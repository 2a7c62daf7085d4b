"""What a program does to the cube turn by turn, and which actuator does it."""

from dataclasses import dataclass

from robot.rigs.motor import Motor


@dataclass(frozen=True, slots=True)
class Actuator:
    """What moves a part of a machine.

    Attributes:
        name: What it is called for people, such as "motor R" or "the holder".
        remedy: What to do when it does not do what it is told, with the keys of the rig file.
    """

    name: str
    remedy: str


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """One turn of layers, or of the whole cube, by the places of the machine.

    Attributes:
        step: The number of its step, from 0.
        does: What it is called for people, such as "R2" or "flip the cube".
        actuators: What makes it.
        turns: What turns and by how many quarters, negative for back: a layer of ``URFDLB``, or the
            whole cube about ``x``, ``y`` or ``z``.
    """

    step: int
    does: str
    actuators: tuple[Actuator, ...]
    turns: tuple[tuple[str, int], ...]


def motor_remedy(key: str, motor: Motor) -> str:
    """Say what helps a stepper that loses steps.

    Args:
        key: Of its table in the rig file, such as ``motors.R``.
        motor: The same table.
    """
    current = "raise its driver's current"
    if motor.driver_address is not None:
        current += f" ({key}.current_ma, now {motor.current_ma})"
    return (
        f"lower {key}.acceleration_steps_s2 (now {motor.acceleration_steps_s2}) or "
        f"{key}.rate_steps_s (now {motor.rate_steps_s}) in the rig file, {current}, and check its "
        "coupling and set screw"
    )
