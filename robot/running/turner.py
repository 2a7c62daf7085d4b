"""The interface between code that decides about turns and code that makes them."""

from collections.abc import Callable
from typing import Protocol

from robot.rigs.program import Pose, RigProgram
from robot.running.program_run import RunProgress, RunResult


class Turner(Protocol):
    """Runs programs: `robot.running.driver.RigDriver` on a rig, or a record of an earlier run.

    Attributes:
        executed: See `robot.running.program_runner.ProgramRunner`.
        at_detents: Likewise.
        pose: Likewise.
    """

    executed: int
    at_detents: bool
    pose: Pose | None

    @property
    def lanes(self) -> int:
        """Number of motors that turn at once."""

    def prepare(self) -> None:
        """Prepare everything for a program; every face must be at a detent."""

    def keep_on(self) -> bool:
        """Keep the motors on for a program; False if they were switched off since `prepare`."""

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
    ) -> RunResult:
        """Run a program; see `ProgramRunner.run`."""
