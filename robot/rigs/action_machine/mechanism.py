"""Machines that handle the cube, and those that come with the package."""

from collections.abc import Sequence
from functools import cached_property
from importlib import resources

import msgspec

from cube.moves import FACES, MoveSequence
from cube.orientation import Orientation
from robot.errors import NotPossibleError
from robot.protocol.settings import Setting
from robot.rigs.action_machine.part_roles import parts_of
from robot.rigs.action_machine.paths import COUNT, Holding, TurnlessPaths
from robot.rigs.action_machine.planner import Planner
from robot.rigs.action_machine.program import cube_turns_of, program_of, ready_program
from robot.rigs.action_machine.rig_file import ActionMachineFile, ActionRule
from robot.rigs.action_machine.scan_search import plan_scan
from robot.rigs.action_machine.transitions import (
    MachineState,
    StateGraph,
    Stride,
    find_action,
)
from robot.rigs.actions import Act
from robot.rigs.mechanism import Buzz, ScanProgram, Sight, TurnTimes
from robot.rigs.motor import Motor
from robot.rigs.parts import Part
from robot.rigs.program import CubeTurn, Pose, ProgramStep, RigProgram

NAMES = ("cubotino", "cubotino-fast", "mindcub3r", "claws", "four-claws", "three")


def shipped_text(name: str) -> str:
    """Return the commented TOML text of a machine, as a template.

    Raises:
        FileNotFoundError: There is no rig with this name.
    """
    file = resources.files("robot").joinpath("data", "rigs", f"{name}.toml")
    return file.read_text(encoding="utf-8")


class ActionMachine(
    ActionMachineFile, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True
):
    """A machine of actions; `robot.rigs.mechanism.Mechanism` documents the methods."""

    @cached_property
    def states(self) -> StateGraph:
        """Its states and strides."""
        return StateGraph(self)

    @property
    def start_pose(self) -> Pose:
        """The pose of machine and cube after power-on."""
        return Pose(self.states.start)

    @cached_property
    def _holding(self) -> Holding:
        return Holding(self.states)

    @cached_property
    def _planners(self) -> list[Planner]:
        """The planners so far, each for plans from other states."""
        return []

    @property
    def motors(self) -> dict[str, Motor]:
        """The steppers, by the names of the parts that they move."""
        moved = self.variables.items()
        return {name: variable.motor for name, variable in moved if variable.motor is not None}

    @property
    def parts(self) -> tuple[Part, ...]:
        """The moving parts and their purpose."""
        return parts_of(self)

    @property
    def wired(self) -> tuple[Part, ...]:
        """The parts, and the switches of those that find their home."""
        switches = tuple(
            Part(name, f"variables.{name}.home.switch", "switch", each.home.switch, "other", "")
            for name, each in self.variables.items()
            if each.home is not None
        )
        return super().wired + switches

    @cached_property
    def faces(self) -> str:
        """The faces that the machine can bring to a layer that it turns."""
        strides = [stride for each in self.states.strides.values() for stride in each]
        turned = {turn.place for stride in strides for turn in stride.turns}
        rotations = {stride.rotation for stride in strides}
        held = [Orientation()]
        for each in held:  # grows during the loop
            held += {each.then(turn) for turn in rotations} - set(held)
        found = {each.face_at(place) for each in held for place in turned}
        return "".join(face for face in FACES if face in found)

    @property
    def handles_cube(self) -> bool:
        """True, because such a machine has poses."""
        return True

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
    def fingerprint(self) -> str:
        """The actuator of each part, its travel and its direction."""
        drives = {}
        for name, variable in self.variables.items():
            motor = variable.motor
            turns = motor and (motor.channel, motor.steps_per_quarter, motor.direction)
            known = variable.servo, variable.output, turns, variable.pulse_us, variable.steps
            drives[name] = (variable.places, *known, variable.home)
        return msgspec.json.encode(drives).decode()

    def plan(
        self,
        sequence: MoveSequence,
        lanes: int | None = None,  # noqa: ARG002 - no stride needs more than two
        start: Pose | None = None,
    ) -> RigProgram:
        """Return the quickest program for these moves."""
        start = start or self.start_pose
        return program_of(self, self._planner(start.places).plan(sequence, start), start)

    def _planner(self, state: MachineState) -> Planner:
        for planner in self._planners:
            if state in planner.ends:
                return planner
        self._require(state)
        starts = tuple(dict.fromkeys([self.states.start, state]))
        self._planners.append(Planner(TurnlessPaths(self._holding, starts)))
        return self._planners[-1]

    def _require(self, state: MachineState) -> None:
        if state not in self.states.strides:
            raise NotPossibleError(
                f"rig {self.name!r} cannot stand with {self.states.text(state)}: bring it to its "
                "start position"
            )

    def plan_scan(
        self,
        sights: Sequence[Sight],
        wanted: frozenset[int],
        start: Pose | None = None,
        lanes: int | None = None,  # noqa: ARG002 - no stride needs more than two
        spare_faces: int = 0,
    ) -> ScanProgram:
        """Return a quick scan program."""
        start = start or self.start_pose
        self._require(start.places)
        return plan_scan(self._holding, sights, wanted, start, spare_faces=spare_faces)

    def cube_turns(self, program: RigProgram) -> tuple[CubeTurn, ...]:
        """Return the deeds that turn layers or the whole cube."""
        return cube_turns_of(self.states, program)

    def ready(self, pose: Pose | None = None, *, counted: bool = False) -> RigProgram:
        """Return the program that brings the parts to a pose; by default to the start."""
        return ready_program(self, pose or self.start_pose, counted=counted)

    def rest(self, pose: Pose) -> RigProgram:
        """Return the program that brings every part to its start, if the actions allow it."""
        self._require(pose.places)
        return program_of(self, self._holding.way(pose.places, self.states.start) or [], pose)

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

        def turn(way: int) -> Act:
            if self.variables[motor].steps:  # a turn would make its position unknown
                return Act.move_by(found.channel, way * small, f"the {motor}")
            return Act.turn(found.channel, way, f"the {motor}")

        steps = tuple(ProgramStep((turn(way),), MoveSequence(), 0.0, 0.0) for way in (1, -1))
        return Buzz(found.channel, settings, RigProgram(steps))

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of its actions."""
        return tuple(rule.name for rule in self.actions)

    def there_and_back(self, action: str) -> RigProgram:
        """Return a program of one action and the actions that undo it."""
        before, stride, after = self.trial(find_action(self.states, action))
        return program_of(self, (*before, stride, *after), self.start_pose)

    def trial(
        self, rule: ActionRule, places: int = 1, *, undone: bool = False
    ) -> tuple[list[Stride], Stride, list[Stride]]:
        """Find a quick way to do one action and to return to the machine's start.

        Args:
            rule: The action.
            places: Number of places.
            undone: Move its own parts back at once, so that one can see whether they had arrived.

        Returns:
            The strides before the action, the action, and the strides after it.

        Raises:
            NotPossibleError: The machine cannot reach a state in which the action is possible, or
                cannot return.
        """
        holding, start = self._holding, self.states.start
        times_ms = holding.quickest([holding.numbers[start] * COUNT])[0].reshape(-1, COUNT)
        there = dict(zip(holding.numbers, times_ms.min(axis=1), strict=True))
        alone = (
            stride
            for state in there
            for stride in self.states.singly(state)
            if stride.deeds[0].rule is rule and stride.deeds[0].places == places
        )

        def away(stride: Stride) -> tuple[float, int]:
            """Return the time to a stride, and how many parts are then not at their start."""
            moved = sum(one != other for one, other in zip(stride.before, start, strict=True))
            return there[stride.before], moved

        for stride in sorted(alone, key=away):
            undoing = [e for e in self.states.singly(stride.after) if e.after == stride.before]
            ends = [([each], stride.before) for each in undoing]
            ends += [] if undone else [([], stride.after)]
            backs = [(first, holding.way(state, start)) for first, state in ends]
            afters = [[*first, *back] for first, back in backs if back is not None]
            before = holding.way(start, stride.before)
            if before is not None and afters:
                after = min(afters, key=lambda way: sum(each.time_ms for each in way))
                return before, stride, after
        raise NotPossibleError(
            f"rig {self.name!r} cannot reach a state in which it can {rule.name!r} and return: "
            "check `needs` and `forbidden` in the rig file"
        )
