"""A lesson: a method performed slowly, with an explanation before each step."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from cube.moves import MoveSequence
from cube.state import CubeState
from robot.rigs.mechanism import Mechanism
from robot.running.driver import RigDriver
from teaching.methods.method import MethodStep, SolvingMethod, Walk, moved_pieces, walk
from thistlebot.errors import StoppedError
from thistlebot.reading.reader import Reader
from thistlebot.reading.refusal import require_solved
from thistlebot.session.turning import stopped_error


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A step with its context.

    Attributes:
        moving: All pieces with another place or orientation after it.
        state: The cube before it.
    """

    number: int
    total: int
    step: MethodStep
    moving: tuple[str, ...]
    state: CubeState


@dataclass(frozen=True, slots=True)
class Lesson:
    """Performs a method on a machine, or only explains it.

    Attributes:
        tell: Called with each step before it is turned.
        wait: Returns when the learner wants the step to be made.
        driver: The connected rig, or None for no turns.
        checker: Reads the cube at the end, or None.
        pause_s: Pause after each turn, so that people can follow.
        rest: Waits for the given seconds.
    """

    method: SolvingMethod
    rig: Mechanism
    tell: Callable[[ToldStep], None]
    wait: Callable[[], None] = lambda: None
    driver: RigDriver | None = None
    checker: Reader | None = None
    pause_s: float = 0.0
    rest: Callable[[float], None] = time.sleep

    def run(self, state: CubeState) -> Walk:
        """Explain and perform all steps, and check whether the cube is solved.

        Raises:
            InvalidCubeError: Face turns cannot solve the state.
            SolverError: The method does not reach that far.
            NotVerifiedError: The cube was not seen solved.
            StoppedError: The user stopped; the faces are at detents.
        """
        made = walk(self.method, state)
        here, turned = state, 0
        for number, step in enumerate(made.steps, start=1):
            after = here.apply(step.moves)
            self.tell(ToldStep(number, len(made.steps), step, moved_pieces(here, after), here))
            self.wait()
            turned += self._turn(step.moves, turned)
            here = after
        if self.driver is not None and self.checker is not None:
            self.rest(self.rig.settle_ms / 1000)
            require_solved(self.checker.read(self.checker.look()))
        return made

    def _turn(self, moves: MoveSequence, before: int) -> int:
        """Turn one face after another, with a pause after each."""
        if self.driver is None:
            return 0
        for number, move in enumerate(moves):
            try:
                self.driver.run(self.rig.plan(MoveSequence((move,)), start=self.driver.pose))
                self.rest(self.pause_s)
            except KeyboardInterrupt as interruption:
                if not self.driver.at_detents:
                    raise stopped_error(self.driver, interruption) from None
                raise StoppedError(
                    f"stopped after {before + number} turns; every face stands at a detent: "
                    "to continue from here, give the cube's state or have it scanned"
                ) from None
        return len(moves)
