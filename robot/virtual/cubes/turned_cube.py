"""Which virtual cube goes into which machine, and the parts that the machine needs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from cube.facelets import Facelets
from cube.moves import Move
from cube.state import CubeState
from robot.protocol.messages import OutputMode
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.mechanism import Mechanism
from robot.rigs.motor import Trapezoid
from robot.virtual.cubes.handled_cube import HandledCube, Violation
from robot.virtual.cubes.slipping_cube import CornerGeometry, SlippingCube
from robot.virtual.servos import ServoArm
from robot.virtual.step_ranges import MachineParts


class TurnedCube(Protocol):
    """A cube that follows what a machine does."""

    @property
    def state(self) -> CubeState:
        """The cube now, by its own faces."""

    @property
    def shown(self) -> Facelets:
        """What the stickers show, by their places in the machine."""

    @property
    def moves(self) -> Sequence[Move]:
        """What was turned."""

    @property
    def violations(self) -> Sequence[Violation]:
        """What no action of the machine does, and happened."""

    @property
    def slips(self) -> int:
        """How often a motor lost steps."""

    @property
    def jams(self) -> int:
        """How often something was in the way."""

    def stands(self, needs: Mapping[str, Sequence[str]]) -> bool:
        """Say whether every part stands where it has to, at rest, and the cube is there."""

    def turn(
        self, channel: int, pulses: int, motion: Trapezoid, torque: float, start_s: float
    ) -> None:
        """Let a motor make a motion from rest."""

    def look(self, now_s: float, motors_since_s: float | None) -> None:
        """See what has happened, just before and just after anything may have changed."""


def cube_in(
    rig: Mechanism,
    parts: MachineParts,
    state: CubeState,
    geometry: CornerGeometry,
    follows: Callable[[int], int] = lambda _: 1,
) -> TurnedCube:
    """Put a cube into a machine.

    Args:
        rig: The machine.
        parts: What its board moves besides the motors on faces.
        state: The cube.
        geometry: How well it cuts corners.
        follows: How often the cube follows in which motion of a machine that handles it.
    """
    if isinstance(rig, ActionMachine):
        return HandledCube(rig, parts, state, follows=follows)
    return SlippingCube(rig, state, geometry=geometry)


def parts_of(rig: Mechanism) -> MachineParts:
    """Return the parts of a machine, where they stand when it is switched on."""
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
    return parts
