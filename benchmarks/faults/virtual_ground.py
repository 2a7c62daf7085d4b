"""The virtual board and its cube, in a separate process behind a pseudo-terminal."""

import multiprocessing
import os
import select
import socket
import time
import tty
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from benchmarks.faults.case import CARRIAGE, CLAW, FaultCase, strong_rig
from benchmarks.faults.ground import Grip, Truth
from robot.ports.port import MonotonicClock
from robot.virtual.faults import Faults
from robot.virtual.step_ranges import MachineParts
from robot.virtual.virtual_rig import VirtualRig

_TORQUE = 20.0
"""No motor slips."""
_TICK_S = 0.001
_FORK = multiprocessing.get_context("fork")


class VirtualGround:
    """The virtual board; the cube is the one that its motors turn.

    Args:
        hasty: Whether the board has old firmware, which interrupts half turns when its host falls
            silent.
    """

    def __init__(self, *, hasty: bool = False) -> None:
        master, slave = os.openpty()
        tty.setraw(slave)
        self.device = os.ttyname(slave)
        self._line, line = _FORK.Pipe()
        self._eyes = socket.socket(socket.AF_UNIX)
        self._eyes.bind("")
        self._eyes.listen()
        faults = Faults(torque=_TORQUE, hasty=hasty)
        self._process = _FORK.Process(
            target=_serve, args=(master, line, self._eyes, faults), daemon=True
        )
        self._process.start()

    def begin(self, case: FaultCase) -> None:
        """Put a cube in."""
        self._ask(self._line, ("begin", case))

    def truth(self) -> Truth:
        """Look at the cube."""
        truth: Truth = self._ask(self._line, ("truth", None))
        return truth

    def eye(self) -> Truth:
        """Look at the cube from another process.

        Each look has a connection of its own: a program may be killed before it has its answer.
        """
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(self._eyes.getsockname())
            with Connection(line.detach()) as answers:
                truth: Truth = answers.recv()
        return truth

    def command(self, text: str) -> None:
        """Press or release the emergency stop, or reset the board."""
        self._ask(self._line, (text, None))

    def straighten(self) -> None:
        """Put the faces back to their positions before the interrupted turns."""
        self._ask(self._line, ("straighten", None))

    def rest(self, resting: bool) -> None:
        """Do nothing: it takes little time anyway."""

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.join()
        self._eyes.close()

    @staticmethod
    def _ask(line: Connection, question: tuple[str, Any]) -> Any:
        line.send(question)
        return line.recv()


class _Server:
    """The board's process."""

    def __init__(self, master: int, faults: Faults) -> None:
        self._master = master
        parts = MachineParts(homes={CARRIAGE: -100}, switches=(CARRIAGE,))
        self._rig = VirtualRig(
            strong_rig(), MonotonicClock(), faults=faults, seed=os.getpid(), parts=parts
        )
        self._claw = parts.servos[CLAW]
        self._grip = Grip(self._claw)
        self._disturbed = False
        self._total = 1

    def carry(self) -> None:
        """Transfer bytes between the line and the board."""
        data = self._rig.read(0.0)
        if data:
            os.write(self._master, data)
        self._watch_the_claw()

    def _watch_the_claw(self) -> None:
        self._claw.live(time.monotonic())
        self._grip.look()

    def take(self) -> None:
        """Take bytes from the line."""
        self._rig.write(os.read(self._master, 4096))

    def answer(self, question: str, case: FaultCase | None) -> Truth | None:
        """Execute a request of the campaign."""
        board = self._rig.board
        self._rig.read(0.0)
        match question:
            case "begin":
                assert case is not None
                self._rig.put_in(case.rig, case.start)
                self._disturbed = False
                self._grip.begin()
                self._total = len(case.moves)
            case "estop 1":
                self._disturbed |= board.turning
                board.press_estop()
            case "estop 0":
                board.release_estop()
            case "button press":
                board.press_button()
            case "straighten":
                self._rig.state = self._rig.state
                self._disturbed = False
            case "reset":
                self._disturbed |= board.turning
                self._grip.restart()
                board.reset(board.boot_id + 1)
            case _:
                aligned = not (self._disturbed or board.turning or self._rig.slips)
                moves = self._rig.moves
                amount = 2 * len(moves) + board.turning
                share = min(1.0, amount / (2 * self._total))
                self._watch_the_claw()
                return Truth(self._rig.state, aligned, moves, amount, share, self._grip.held)
        return None


def _serve(master: int, line: Connection, eyes: socket.socket, faults: Faults) -> None:
    server = _Server(master, faults)
    waiting: list[int | Connection | socket.socket] = [master, line, eyes]
    while True:
        ready = select.select(waiting, [], [], _TICK_S)[0]
        if master in ready:
            server.take()
        if line in ready:
            line.send(server.answer(*line.recv()))
        if eyes in ready:
            with Connection(eyes.accept()[0].detach()) as eye, suppress(ConnectionError):
                eye.send(server.answer("truth", None))
        server.carry()
