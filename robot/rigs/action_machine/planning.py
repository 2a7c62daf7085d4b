"""Plans of one machine: its planner is built for the first plan, and kept."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cube.moves import FACES, MoveSequence
from cube.orientation import Orientation
from robot.errors import NotPossibleError
from robot.rigs.action_machine.program import program_of
from robot.rigs.action_machine.rig_file import ActionMachineFile
from robot.rigs.action_machine.transitions import MachineState, StateGraph
from robot.rigs.mechanism import ScanProgram, Sight
from robot.rigs.program import Pose, RigProgram

if TYPE_CHECKING:
    from robot.rigs.action_machine.paths import Holding, TurnlessPaths
    from robot.rigs.action_machine.planner import Planner


class Planning:
    """Plans for one machine, from any pose."""

    def __init__(self, rig: ActionMachineFile) -> None:
        self.machine = StateGraph(rig)
        self._planners: dict[MachineState, tuple[TurnlessPaths, Planner]] = {}

    @property
    def start(self) -> Pose:
        """The pose of machine and cube after power-on."""
        return Pose(self.machine.start)

    def program(self, moves: MoveSequence, start: Pose) -> RigProgram:
        """Return the quickest program.

        Args:
            moves: The moves of the cube.
            start: The pose at the beginning.

        Raises:
            NotPossibleError: The machine cannot make a move, or cannot reach this pose.
        """
        ways, planner = self._planner(start.places)
        begin = ways.turns.ends.index(start.places)
        handling = planner.plan(moves, begin, start.held)
        return program_of(self.machine.rig, handling.strides, start)

    def scan(
        self, sights: Sequence[Sight], wanted: frozenset[int], start: Pose, spare_faces: int
    ) -> ScanProgram:
        """Return a quick scan program.

        Args:
            sights: What each camera sees.
            wanted: The facelets of the cube that must be seen.
            start: The pose at the beginning.
            spare_faces: Number of faces that may stay unseen.

        Raises:
            NotPossibleError: The cameras can never see enough, or the machine cannot reach this
                pose.
        """
        from robot.rigs.action_machine.scan_search import plan_scan

        self._require(start.places)
        return plan_scan(self._holding, sights, wanted, start, spare_faces=spare_faces)

    def rest(self, pose: Pose) -> RigProgram:
        """Return the quickest program that brings every part to its start, without layer turns.

        It is empty if every part is there already, or if no such path leads there.
        """
        from robot.rigs.action_machine.paths import COUNT

        self._require(pose.places)
        holding = self._holding
        first, home = (holding.numbers[each] * COUNT for each in (pose.places, self.machine.start))
        times, before = holding.quickest([first])
        last = home + int(times[0, home : home + COUNT].argmin())
        strides = holding.strides(before[0], first, last) if times[0, last] < float("inf") else []
        return program_of(self.machine.rig, strides, pose)

    def faces(self) -> str:
        """Return the faces that can reach a layer that the machine turns."""
        strides = [stride for each in self.machine.strides.values() for stride in each]
        turned = {turn.place for stride in strides for turn in stride.turns}
        rotations = {stride.rotation for stride in strides}
        held = [Orientation()]
        for each in held:  # grows during the loop
            held += {each.then(turn) for turn in rotations} - set(held)
        found = {each.face_at(place) for each in held for place in turned}
        return "".join(face for face in FACES if face in found)

    def _planner(self, state: MachineState) -> "tuple[TurnlessPaths, Planner]":
        from robot.rigs.action_machine.paths import TurnlessPaths
        from robot.rigs.action_machine.planner import Planner

        for ways, planner in self._planners.values():
            if state in ways.turns.ends:
                return ways, planner
        self._require(state)
        ways = TurnlessPaths(self._holding, tuple({self.machine.start: None, state: None}))
        self._planners[state] = ways, Planner(ways)
        return self._planners[state]

    @cached_property
    def _holding(self) -> "Holding":
        from robot.rigs.action_machine.paths import Holding

        return Holding(self.machine)

    def _require(self, state: MachineState) -> None:
        if state not in self.machine.strides:
            raise NotPossibleError(
                f"rig {self.machine.rig.name!r} cannot stand with {self.machine.text(state)}: "
                "bring it to its start position"
            )
