"""Machines that handle the cube, behind the `Mechanism` protocol.

The purpose of a machine's parts, derived from its actions.

The machines that come with the package.
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import resources

import msgspec

from cube.moves import FACES, MoveSequence
from robot.errors import NotPossibleError
from robot.protocol.messages import NO_MOTOR, BoardKind, Set
from robot.protocol.settings import Setting
from robot.rigs.action_machine.planning import Planning
from robot.rigs.action_machine.program import cube_turns_of, program_of, ready_program
from robot.rigs.action_machine.rig_file import ActionMachineFile, ActionRule, Variable
from robot.rigs.action_machine.transitions import find_action, trial_of
from robot.rigs.actions import MotorMove, MotorTurn
from robot.rigs.mechanism import Buzz, ScanProgram, Sight, StepTimes, TurnTimes
from robot.rigs.motor import Motor
from robot.rigs.parts import Drive, Part, Role
from robot.rigs.program import CubeTurn, Pose, ProgramStep, RigProgram

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


NAMES = ("cubotino", "cubotino-fast", "mindcub3r", "claws", "four-claws", "three")


def shipped_text(name: str) -> str:
    """Return the commented TOML text of a machine, as a template.

    Raises:
        FileNotFoundError: There is no rig with this name.
    """
    file = resources.files("robot").joinpath("data", "rigs", f"{name}.toml")
    return file.read_text(encoding="utf-8")


def shipped(name: str) -> ActionMachineFile:
    """Return a machine.

    Raises:
        FileNotFoundError: There is no rig with this name.
    """
    return msgspec.convert(tomllib.loads(shipped_text(name)), ActionMachineFile)


class ActionMachine(
    ActionMachineFile, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True
):
    """Implements `robot.rigs.mechanism.Mechanism`, which documents the methods."""

    @cached_property
    def planning(self) -> Planning:
        """Its states and plans, computed once."""
        return Planning(self)

    @property
    def motors(self) -> dict[str, Motor]:
        """The steppers, by the names of the parts that they move."""
        moved = self.variables.items()
        return {name: variable.motor for name, variable in moved if variable.motor is not None}

    @property
    def parts(self) -> tuple[Part, ...]:
        """The moving parts and their purpose."""
        return parts_of(self)

    @cached_property
    def faces(self) -> str:
        """The faces that the machine can bring to a layer that it turns."""
        return self.planning.faces()

    @property
    def handles_cube(self) -> bool:
        """True, because such a machine has poses."""
        return True

    @property
    def lanes(self) -> int:
        """Two, because no stride needs more."""
        return 2

    @cached_property
    def turn_times(self) -> TurnTimes:
        """Return the time of a turn alone: by one place, and by two.

        The time of other actions before it depends on all the moves; only a plan tells it.
        """
        turning = [rule.time_ms for rule in self.actions if rule.layer]
        quarter = min((times[0] for times in turning), default=1)
        half = min((times[1] for times in turning if len(times) > 1), default=2 * quarter)
        every = len(FACES)
        return TurnTimes((float(quarter),) * every, (float(half),) * every, 0.0)

    @property
    def transitions_differ(self) -> bool:
        """True, because the time of a turn depends on the orientation of the cube."""
        return True

    def step_times(
        self,
        lanes: int | None = None,  # noqa: ARG002 - no number of lanes would tell
    ) -> StepTimes:
        """Raise an error: the time of a turn depends on the orientation of the cube."""
        raise NotPossibleError(f"rig {self.name!r} handles the cube: its times depend on the plan")

    @property
    def fingerprint(self) -> str:
        """The actuator of each part, its travel and its direction."""
        drives = {}
        for name, variable in self.variables.items():
            motor = variable.motor
            turns = motor and (motor.channel, motor.steps_per_quarter, motor.direction)
            known = variable.servo, variable.output, turns, variable.pulse_us, variable.steps
            drives[name] = (variable.places, *known)
        return msgspec.json.encode(drives).decode()

    def plan(
        self,
        sequence: MoveSequence,
        lanes: int | None = None,  # noqa: ARG002 - no stride needs more than two
        start: Pose | None = None,
    ) -> RigProgram:
        """Return the quickest program for these moves."""
        return self.planning.program(sequence, start or self.planning.start)

    def plan_scan(
        self,
        sights: Sequence[Sight],
        wanted: frozenset[int],
        start: Pose | None = None,
        lanes: int | None = None,  # noqa: ARG002 - no stride needs more than two
        spare_faces: int = 0,
    ) -> ScanProgram:
        """Return the quickest scan program."""
        return self.planning.scan(sights, wanted, start or self.planning.start, spare_faces)

    def cube_turns(self, program: RigProgram) -> tuple[CubeTurn, ...]:
        """Return the deeds that turn layers or the whole cube."""
        return cube_turns_of(self.planning.machine, program)

    def ready(self, pose: Pose | None = None, *, counted: bool = False) -> RigProgram:
        """Return the program that brings the parts to a pose; by default to the start."""
        return ready_program(self, pose or self.planning.start, counted=counted)

    def rest(self, pose: Pose) -> RigProgram:
        """Return the program that brings every part to its start, if the actions allow it."""
        return self.planning.rest(pose)

    def settings(self, kind: BoardKind = BoardKind.VIRTUAL) -> list[Set]:  # noqa: ARG002
        """Return the settings of its board."""
        board = {
            Setting.HOST_TIMEOUT_MS: self.host_timeout_ms,
            Setting.IDLE_TIMEOUT_MS: self.idle_timeout_ms,
            Setting.ENABLE_POLARITY: int(self.enable_active == "high"),
            Setting.ENABLE_SETTLE_MS: self.enable_settle_ms,
        }
        found = [item for motor in self.motors.values() for item in motor.settings]
        return found + [Set(key, NO_MOTOR, value) for key, value in board.items()]

    def buzz(self, motor: str, angle_deg: float) -> Buzz:
        """Return a small turn of one stepper there and back."""
        if motor not in self.motors:
            known = ", ".join(self.motors) or "none"
            raise NotPossibleError(
                f"rig {self.name!r} has no stepper {motor!r} to buzz: it has {known}"
            )
        found = self.motors[motor]
        settings = found.buzz_settings(angle_deg)
        small = settings[Setting.STEPS_PER_QUARTER]

        def turn(way: int) -> MotorTurn | MotorMove:
            if self.variables[motor].steps:  # a turn would make its position unknown
                return MotorMove(found.channel, way * small, f"the {motor}")
            return MotorTurn(found.channel, way, f"the {motor}")

        steps = tuple(ProgramStep((turn(way),), MoveSequence(), 0.0, 0.0) for way in (1, -1))
        return Buzz(found.channel, settings, RigProgram(steps))

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of its actions."""
        return tuple(rule.name for rule in self.actions)

    def there_and_back(self, action: str) -> RigProgram:
        """Return a program of one action and the actions that undo it."""
        machine = self.planning.machine
        before, stride, after = trial_of(machine, find_action(machine, action))
        return program_of(self, (*before, stride, *after), self.planning.start)

    def hold(self) -> None:
        """Return None: servos and covers also affect the cube."""
