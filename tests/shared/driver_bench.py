"""A driver over the virtual rig, in simulated time."""

from collections.abc import Callable

from cube.moves import MoveSequence
from robot.ports.clock import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig

SEQUENCE = MoveSequence.parse("R L' U2 D F R U R' U' F2 B2 L D' B U2 R2 F' L2 D B'")


class Bench:
    """A driver, its virtual rig and their clock."""

    def __init__(self, rig: FaceMotors, faults: Faults | None = None, seed: int = 1) -> None:
        self.clock = SimulatedClock()
        self.virtual = VirtualRig(rig, self.clock, faults=faults, seed=seed)
        self.packets: list[str] = []
        self.driver = RigDriver(
            self.virtual, rig, self.clock, on_packet=self.packets.append, seed=seed
        )
        self.program: RigProgram = rig.plan(SEQUENCE)

    def ready(self) -> "Bench":
        self.driver.connect()
        self.driver.prepare()
        return self

    def want_stop(self) -> None:
        self.driver.stop_wanted = lambda: True

    def when_executed(
        self, count: int, action: Callable[[], None]
    ) -> Callable[[RunProgress], None]:
        def listen(progress: RunProgress) -> None:
            if progress.executed == count:
                action()

        return listen
