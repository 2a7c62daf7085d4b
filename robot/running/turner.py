"""The seam between what decides about turns and what makes them."""

from collections.abc import Callable
from typing import Protocol

from cube.facelets import Facelets
from cube.moves import MoveSequence
from robot.rigs.program import Pose, RigProgram
from robot.running.journal import JournalRecord
from robot.running.program_run import RunProgress, RunResult


class Turner(Protocol):
    """Turns programs: `robot.running.driver.RigDriver` on a rig, or a record of what one did.

    Attributes:
        executed: As of `robot.running.program_runner.ProgramRunner`.
        turned: Likewise.
        pose: Likewise.
    """

    executed: int
    turned: MoveSequence | None
    pose: Pose | None

    @property
    def lanes(self) -> int:
        """How many motors are turned at once."""

    @property
    def resumable(self) -> bool:
        """Whether the program under way was written down for another host."""

    def prepare(self) -> None:
        """Make everything ready to turn; every face has to stand at a detent."""

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
        *,
        target: Facelets | None = None,
    ) -> RunResult:
        """Turn a program, as `ProgramRunner.run` says."""

    def resume(
        self, record: JournalRecord, on_progress: Callable[[RunProgress], None] | None = None
    ) -> RunResult:
        """Finish a program that another host began, as `ProgramRunner.resume` says."""
