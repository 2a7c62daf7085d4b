"""Hosts that die in the middle of a program, and what outlives them."""

from collections.abc import Callable

import msgspec

from cube.facelets import SOLVED_FACELETS
from robot.ports.clock import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.journal import JournalRecord
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig


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


class Paper:
    """A journal that outlives its host."""

    def __init__(self) -> None:
        self.record: JournalRecord | None = None
        self.why = ""

    def begin(self, record: JournalRecord) -> None:
        self.record = msgspec.json.decode(msgspec.json.encode(record), type=JournalRecord)

    def end(self, why: str = "") -> None:
        self.record, self.why = None, why


class Story:
    """A rig, its clock and its journal; hosts come and go."""

    def __init__(self, rig: FaceMotors, seed: int, faults: Faults | None = None) -> None:
        self.rig = rig
        self.clock = SimulatedClock()
        self.virtual = VirtualRig(rig, self.clock, faults=faults, seed=seed)
        self.paper = Paper()

    def host(self, port: MortalPort | None = None, seed: int = 1) -> RigDriver:
        self.virtual.reopen()
        return RigDriver(port or self.virtual, self.rig, self.clock, seed=seed, journal=self.paper)

    def kill_a_host(self, program: RigProgram, calls: int) -> bool:
        """Begin a program and die at the n-th call; False when it was finished before."""
        port = MortalPort(self.virtual)
        host = self.host(port)
        host.connect()
        host.prepare()
        port.arm(calls)
        try:
            host.run(program, target=SOLVED_FACELETS)
        except Killed:
            return True
        return False
