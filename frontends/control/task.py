"""A command with the job that executes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from frontends.control.commands import Command
from frontends.control.job_context import JobContext

Job = Callable[[JobContext, Any], None]
CALIBRATE, CORRECT = "calibrate", "correct"
"""Names of the jobs that move nothing: those of the page Calibrate, and changes of a reading."""


class NamedJob(NamedTuple):
    """A job, and the name under which viewers know it."""

    name: str
    job: Job


Jobs = Mapping[type[Any], NamedJob]
"""Jobs by the classes of their commands."""


@dataclass(frozen=True, slots=True)
class Task:
    """A command with its job.

    Attributes:
        name: The name of the job.
        command: The command.
        job: The function that executes it.
        dry_run: Whether it turns nothing.
        corrects: Whether it reads a cube itself, and processes corrections of that reading.
    """

    name: str
    command: Command
    job: Job
    dry_run: bool = False
    corrects: bool = False

    @property
    def quiet(self) -> bool:
        """Whether it moves nothing, and is not a run."""
        return self.name in {CALIBRATE, CORRECT}
