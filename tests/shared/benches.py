"""Drivers over virtual rigs in simulated time, machines, and hosts that die in a program."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import msgspec
from cubes import cube_after
from faulty_rig import Faults, FaultyRig

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.port import SimulatedClock
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import named_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from robot.rigs.motor import Motor
from robot.rigs.program import Pose, RigProgram
from robot.running.driver import RigDriver
from robot.running.machine_record import MachineRecord
from robot.running.program_run import RunProgress
from robot.virtual.cubes.handled_cube import HandledCube
from robot.virtual.virtual_rig import VirtualRig

SEQUENCE = MoveSequence.parse("R L' U2 D F R U R' U' F2 B2 L D' B U2 R2 F' L2 D B'")


class Bench:
    """A driver, its virtual rig and their clock; options are those of the virtual rig."""

    clock: SimulatedClock

    def __init__(
        self, rig: Mechanism, faults: Faults | None = None, seed: int = 1, **options: Any
    ) -> None:
        self.rig, self.clock = rig, options.pop("clock", None) or SimulatedClock()
        self.virtual = FaultyRig(rig, self.clock, faults=faults, seed=seed, **options)
        self.packets: list[str] = []
        self.driver = RigDriver(
            self.virtual, rig, self.clock, on_packet=self.packets.append, seed=seed
        )

    @cached_property
    def program(self) -> RigProgram:
        return self.rig.plan(SEQUENCE)

    def ready(self) -> "Bench":
        """Switch the motors on, and wait until their current has settled."""
        self.driver.connect()
        self.driver.prepare()
        self.clock.sleep(self.rig.enable_settle_ms / 1000)
        return self

    def when_executed(
        self, count: int, action: Callable[[], None]
    ) -> Callable[[RunProgress], None]:
        def listen(progress: RunProgress) -> None:
            if progress.executed == count:
                action()

        return listen


class OpenBench(Bench):
    """A rig with nothing over it: a person sees the cube, aligns its faces and is told things."""

    def __init__(self, rig: Mechanism, **options: Any) -> None:
        super().__init__(rig, **options)
        self.aligned: list[str] = []
        self.notes: list[str] = []

    def state(self) -> CubeState | None:
        return self.virtual.state

    def align(self, face: str) -> None:
        self.aligned.append(face)
        self.virtual.state = SOLVED

    def note(self, text: str) -> None:
        self.notes.append(text)


SCRAMBLED = cube_after("R U2 F' L D B2")


@cache
def machine(name: str, host_timeout_ms: int | None = None) -> ActionMachine:
    """A machine, which knows its ways between turns once for all tests."""
    rig = named_rig(name)
    assert isinstance(rig, ActionMachine)
    if host_timeout_ms is None:
        return rig
    return msgspec.structs.replace(rig, host_timeout_ms=host_timeout_ms, idle_timeout_ms=0)


class MachineBench(Bench):
    """A machine on a virtual board, ready, with a cube in it."""

    def __init__(
        self, rig: ActionMachine, state: CubeState = SCRAMBLED, faults: Faults | None = None
    ) -> None:
        super().__init__(rig, faults, state=state)
        self.ready()

    @property
    def pose(self) -> Pose:
        cube = self.virtual._cube
        assert isinstance(cube, HandledCube)
        return cube.pose


class Notes:
    """What a calibration asks, has somebody do, and notes."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.told: list[str] = []
        self.notes: list[str] = []

    def do(self, text: str) -> None:
        self.told.append(text)

    def note(self, text: str) -> None:
        self.notes.append(text)


def with_motors(rig: FaceMotors, change: Callable[[Motor], dict[str, Any]]) -> FaceMotors:
    each = rig.motors.items()
    motors = {face: msgspec.structs.replace(motor, **change(motor)) for face, motor in each}
    return msgspec.structs.replace(rig, motors=motors)


def on_a_uart(motor: Motor) -> dict[str, Any]:
    """Its driver is set up over a UART; four are on each line."""
    return {"driver_address": motor.channel % 4, "driver_line": motor.channel // 4}


class Killed(BaseException):
    """The process is gone: nothing of it runs any more."""


class MortalPort:
    """A port whose host dies at the n-th call once it is armed, and stays dead."""

    def __init__(self, rig: VirtualRig) -> None:
        self._rig = rig
        self._left = 10**9
        self.reopened = 0
        self._nap_in = 10**9
        self._nap: Callable[[], None] = lambda: None
        self.name = rig.name

    def arm(self, calls: int) -> None:
        self._left = calls

    def nap(self, calls: int, action: Callable[[], None]) -> None:
        """Stop the host at a call, as SIGSTOP does, for as long as an action takes."""
        self._nap_in, self._nap = calls, action

    def _live(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Killed
        self._nap_in -= 1
        if self._nap_in == 0:
            self._nap()

    def read(self, timeout_s: float) -> bytes:
        self._live()
        data = self._rig.read(timeout_s)
        self._live()  # between two calls of the system
        return data

    def write(self, data: bytes) -> None:
        self._live()
        self._rig.write(data)

    def reopen(self) -> None:
        self.reopened += 1
        self._live()
        self._rig.reopen()

    def close(self) -> None:
        self._rig.close()


class Story:
    """A rig, its clock and its journal; hosts come and go."""

    def __init__(self, rig: Mechanism, seed: int, faults: Faults | None = None) -> None:
        self.rig = rig
        self.clock = SimulatedClock()
        self.virtual = FaultyRig(rig, self.clock, faults=faults, seed=seed)
        self.record: MachineRecord | None = None

    def keep(self, record: MachineRecord) -> None:
        """Write the record as a journal does, which outlives its host."""
        self.record = msgspec.json.decode(msgspec.json.encode(record), type=MachineRecord)

    def host(self, port: MortalPort | None = None, seed: int = 1) -> RigDriver:
        self.virtual.reopen()
        return RigDriver(
            port or self.virtual,
            self.rig,
            self.clock,
            seed=seed,
            record=self.record,
            keep=self.keep,
        )

    def ready_host(self, port: MortalPort | None = None, seed: int = 1) -> RigDriver:
        host = self.host(port, seed)
        host.connect()
        host.prepare()
        return host

    def kill_a_host(self, program: RigProgram, calls: int) -> bool:
        """Begin a program and die at the n-th call; False when it was finished before."""
        port = MortalPort(self.virtual)
        host = self.ready_host(port)
        port.arm(calls)
        try:
            host.run(program)
        except Killed:
            return True
        return False
