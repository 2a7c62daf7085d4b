"""Machines that handle the cube, as the rest of the program sees them."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from cube.moves import FACES, MoveSequence
from robot.errors import NotPossibleError
from robot.protocol.messages import NO_MOTOR, BoardKind, Set
from robot.protocol.settings import Setting
from robot.rigs.action_machine.parts import parts_of
from robot.rigs.action_machine.planning import Planning
from robot.rigs.action_machine.program import cube_turns_of, program_of, ready_program
from robot.rigs.action_machine.rig_file import ActionMachineFile
from robot.rigs.action_machine.trials import find_action, trial_of
from robot.rigs.actions import MotorTurn
from robot.rigs.cube_turns import CubeTurn
from robot.rigs.mechanism import Buzz, TurnTimes
from robot.rigs.motor import Motor
from robot.rigs.part import Part
from robot.rigs.pose import Pose
from robot.rigs.program import ProgramStep, RigProgram
from robot.rigs.scanning import ScanProgram, Sight
from robot.rigs.step_times import StepTimes


class ActionMachine(
    ActionMachineFile, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True
):
    """Implements `robot.rigs.mechanism.Mechanism`, which says what its methods are for."""

    @cached_property
    def planning(self) -> Planning:
        """Its states and plans, worked out once."""
        return Planning(self)

    @property
    def motors(self) -> dict[str, Motor]:
        """The steppers, by the names of what they move."""
        moved = self.variables.items()
        return {name: variable.motor for name, variable in moved if variable.motor is not None}

    @property
    def parts(self) -> tuple[Part, ...]:
        """What moves, and what for."""
        return parts_of(self)

    @cached_property
    def faces(self) -> str:
        """The faces that it can bring to a layer that it turns."""
        return self.planning.faces()

    @property
    def handles_cube(self) -> bool:
        """Yes: it has poses."""
        return True

    @property
    def lanes(self) -> int:
        """Two: no stride of it needs more."""
        return 2

    @cached_property
    def turn_times(self) -> TurnTimes:
        """How long a turn takes on its own: from one place to the next, and by two.

        What else has to be done before depends on all the moves; only a plan tells.
        """
        turning = [rule.time_ms for rule in self.actions if rule.layer]
        quarter = min((times[0] for times in turning), default=1)
        half = min((times[1] for times in turning if len(times) > 1), default=2 * quarter)
        every = len(FACES)
        return TurnTimes((float(quarter),) * every, (float(half),) * every, 0.0)

    @property
    def transitions_differ(self) -> bool:
        """Yes: what a turn takes depends on how the cube lies then."""
        return True

    def step_times(
        self,
        lanes: int | None = None,  # noqa: ARG002 - no number of lanes would tell
    ) -> StepTimes:
        """Refuse: what a turn takes depends on how the cube lies then."""
        raise NotPossibleError(f"rig {self.name!r} handles the cube: only a plan tells its times")

    @property
    def fingerprint(self) -> str:
        """What drives each part, how far, and which way."""
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
        """Return the quickest program of these moves."""
        return self.planning.program(sequence, start or self.planning.start)

    def plan_steps(self, groups: Iterable[MoveSequence], lanes: int | None = None) -> RigProgram:
        """Plan anew: the moves do not tell how the machine made them."""
        return self.plan(MoveSequence.of(move for moves in groups for move in moves), lanes)

    def plan_scan(
        self,
        sights: Sequence[Sight],
        wanted: frozenset[int],
        start: Pose | None = None,
        lanes: int | None = None,  # noqa: ARG002 - no stride needs more than two
        spare_faces: int = 0,
    ) -> ScanProgram:
        """Return the quickest programme of looks."""
        return self.planning.scan(sights, wanted, start or self.planning.start, spare_faces)

    def cube_turns(self, program: RigProgram) -> tuple[CubeTurn, ...]:
        """Tell the deeds that turn layers or the whole cube."""
        return cube_turns_of(self.planning.machine, program)

    def ready(self) -> RigProgram:
        """Bring servos and outputs to their start."""
        return ready_program(self, self.planning.start)

    def rest(self, pose: Pose) -> RigProgram:
        """Bring every part to its start, as the actions allow it."""
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
        """Describe a small turn of one stepper there and back."""
        if motor not in self.motors:
            known = ", ".join(self.motors) or "none"
            raise NotPossibleError(
                f"rig {self.name!r} has no stepper {motor!r} to turn a little: it has {known}"
            )
        found = self.motors[motor]
        time_s = found.turn(1).duration_s
        steps = tuple(
            ProgramStep(
                (MotorTurn(found.channel, way, f"the {motor}"),), MoveSequence(), begin_s, time_s
            )
            for way, begin_s in ((1, 0.0), (-1, time_s))
        )
        return Buzz(found.channel, found.buzz_settings(angle_deg), RigProgram(steps))

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of its actions."""
        return tuple(rule.name for rule in self.actions)

    def there_and_back(self, action: str) -> RigProgram:
        """Do one action and come back."""
        machine = self.planning.machine
        before, stride, after = trial_of(machine, find_action(machine, action))
        return program_of(self, (*before, stride, *after), self.planning.start)

    def hold(self) -> None:
        """Return nothing: servos and covers have a say in what becomes of the cube."""
