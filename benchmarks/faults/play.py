"""The execution of a case: the program, the fault, and the programs after it."""

import random
import time
from pathlib import Path

from benchmarks.faults.case import FaultCase
from benchmarks.faults.claims import judge, judge_journal
from benchmarks.faults.ground import FirmwareGround
from benchmarks.faults.host import HostProgram, ProgramEnd, arguments_of
from benchmarks.faults.relay import Relay
from cube.state import SOLVED

_POLL_S = 0.004
_BEGINS_S = 20.0
_MOST_PRESSES = 4


class Play:
    """One case, on one board.

    Attributes:
        rng: Random generator of the moments.
        said: How each run of the program ended.
        wrong: The errors, in words.
        solved: Whether the cube was solved at the end of the last run.
    """

    def __init__(self, case: FaultCase, ground: FirmwareGround, relay: Relay, folder: Path) -> None:
        self.case = case
        self.relay = relay
        self.rng = random.Random(f"{case.kind} at {case.seed}")
        self.said: list[ProgramEnd] = []
        self.wrong: list[str] = []
        self.solved = False
        self._ground = ground
        self._folder = folder
        ground.begin(case)
        self._host: HostProgram
        self.start("solve")

    @property
    def patience_s(self) -> float:
        """Return how long the board waits for its host."""
        return self.case.rig.host_timeout_ms / 1000

    def reach_the_middle(self) -> bool:
        """Wait for a random moment of the program; return False if it ended before."""
        give_up_s = time.monotonic() + _BEGINS_S
        while not self._ground.truth().share:
            if self._host.ended or time.monotonic() > give_up_s:
                return False
            time.sleep(_POLL_S)
        self.pause(0.0, 0.9 * self.case.program.time_s)
        return 0.0 < self._ground.truth().share < 1.0 and not self._host.ended

    def pause(self, least_s: float, most_s: float) -> None:
        """Let some time pass."""
        time.sleep(self.rng.uniform(least_s, most_s))

    def board(self, command: str) -> None:
        """Send a command to the board."""
        self._ground.command(command)

    def start(self, verb: str) -> None:
        """Start the program."""
        arguments = arguments_of(verb, self.case, self.relay.link, self._folder)
        self._host = HostProgram(verb, arguments, self._ground, self._folder, self.case)

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self._host.signal(number)

    def wait(self) -> ProgramEnd:
        """Wait for the program's end, and check it."""
        said = self._host.wait()
        self.said.append(said)
        truth = self._ground.truth() if said.killed else self._ground.at_rest()
        self.solved = truth.aligned and truth.state == SOLVED
        self.wrong += judge(self.case, said, truth)
        if said.verb != "stop":
            self.wrong += judge_journal(self._folder)
        return said

    def finish(self, verb: str) -> ProgramEnd:
        """Run the program to its end, on an intact line."""
        before = self._ground.truth()
        self.start(verb)
        said = self.wait()
        if verb == "run" and not before.aligned and self._ground.steps() != before.steps:
            self.wrong.append("run: turned, though faces stood between detents")
        return said

    def press(self) -> None:
        """Press again, and follow the advice as a person would, until the cube is solved."""
        for _ in range(_MOST_PRESSES):
            said = self.finish("again")
            text = " ".join(said.text.split())
            if self.solved or said.code == 0:
                break
            if "`thistlebot align`" in text:
                self._ground.align(self.case)
                self.finish("align")
            elif "the emergency stop is pressed" in text:
                self.board("estop 0")
                self.pause(0.05, 0.1)
            else:
                break
        if not self.solved:
            self.wrong.append("the press after the fault did not end solved")

    def clear_up(self) -> None:
        """Restore board and cable for the next case."""
        self.board("estop 0")
        self.relay.noise(0.0, 0)
        self.relay.plug()
