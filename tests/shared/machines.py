"""Machines that handle the cube, by name, and one of them on a virtual board."""

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.clock import SimulatedClock
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import named_rig
from robot.rigs.pose import Pose
from robot.running.driver import RigDriver
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig

SCRAMBLED = SOLVED.apply(MoveSequence.parse("R U2 F' L D B2"))


def machine(name: str) -> ActionMachine:
    rig = named_rig(name)
    assert isinstance(rig, ActionMachine)
    return rig


class MachineBench:
    """A machine on a virtual board, ready, with a cube in it."""

    def __init__(
        self, rig: ActionMachine, state: CubeState = SCRAMBLED, faults: Faults | None = None
    ) -> None:
        self.clock = SimulatedClock()
        self.virtual = VirtualRig(rig, self.clock, state, faults)
        self.driver = RigDriver(self.virtual, rig, self.clock, seed=1)
        self.driver.connect()
        self.driver.prepare()

    @property
    def pose(self) -> Pose:
        """How the virtual cube lies in the machine."""
        cube = self.virtual._cube
        assert isinstance(cube, HandledCube)
        return cube.pose
