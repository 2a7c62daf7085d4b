"""One case as it is played: the program, what happens to it, and what comes after."""

import random
import time
from pathlib import Path

from benchmarks.faults.case import SMALL_DISKS, FaultCase
from benchmarks.faults.ground import Ground, Truth
from benchmarks.faults.host import HostProgram, ProgramEnd
from benchmarks.faults.relay import Relay
from benchmarks.faults.small_disk import SmallDisk
from benchmarks.faults.verdict import judge, judge_journal
from cube.state import SOLVED

_POLL_S = 0.004
_BEGINS_S = 20.0
_FULL_FROM_THE_START = 0.2
_REST_S = 0.08
"""Longer than any turn and the pause after it."""


class Play:
    """One case, on one board.

    Args:
        case: What is played.
        ground: The board with its cube.
        relay: The cable to it.
        folder: Where the program keeps its files.

    Attributes:
        rng: Moments of what happens.
        said: How each run of the program ended.
        wrong: What was wrong, in words.
        solved: Whether the cube was solved at the end of the last run.
        disk: Where the program keeps its journal, if that is a disk of its own.
    """

    def __init__(self, case: FaultCase, ground: Ground, relay: Relay, folder: Path) -> None:
        self.case = case
        self.relay = relay
        self.rng = random.Random(f"{case.kind} at {case.seed}")
        self.said: list[ProgramEnd] = []
        self.wrong: list[str] = []
        self.solved = False
        self._ground = ground
        self._folder = folder
        self.disk: SmallDisk | None = None
        self._full_first = self.rng.random() < _FULL_FROM_THE_START
        if case.kind in SMALL_DISKS:
            self.disk = SmallDisk(folder / "data")
            if self._full_first:
                self.disk.fill()
        ground.begin(case)
        self._host: HostProgram
        self.start("solve")

    @property
    def patience_s(self) -> float:
        """How long the board waits for its host."""
        return self.case.rig.host_timeout_ms / 1000

    def reach_the_middle(self) -> bool:
        """Wait for a random moment of the program; False when it was over before."""
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
        """Do something to the board."""
        self._ground.command(command)

    def start(self, verb: str) -> None:
        """Start the program."""
        self._host = HostProgram(verb, self.case, self._ground, self.relay.link, self._folder)

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self._host.signal(number)

    def wait(self) -> ProgramEnd:
        """Wait for the program's end, and judge it."""
        said = self._host.wait()
        self.said.append(said)
        truth = self._at_rest()
        self.solved = truth.aligned and truth.state == SOLVED
        kept = self.disk is None or not self._full_first
        self.wrong += judge(self.case, said, truth, self._folder, kept=kept)
        if self.disk is None and said.verb != "stop":
            self.wrong += judge_journal(self._folder)
        return said

    def finish(self, verb: str) -> ProgramEnd:
        """Run the program to its end, on a line in order."""
        self.start(verb)
        return self.wait()

    def clear_up(self) -> None:
        """Leave board and cable in order for the next case."""
        if self.disk is not None:
            self.disk.free()
            self.wrong += [] if self._full_first else judge_journal(self._folder)
            self.disk.close()
        self.board("estop 0")
        self.relay.noise(0.0, 0)
        self.relay.plug()

    def _at_rest(self) -> Truth:
        """Look at the cube when nothing turns any more; a killed program's board goes on."""
        if self.said[-1].killed:
            return self._ground.truth()
        before = self._ground.truth()
        while True:
            time.sleep(_REST_S)
            after = self._ground.truth()
            if after.amount == before.amount:
                return after
            before = after
