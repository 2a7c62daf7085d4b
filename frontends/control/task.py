"""The jobs of the commands: each job registers itself with `job`."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any, NamedTuple, TypeVar, get_args

from frontends.control.commands import Command
from frontends.control.job_context import JobContext

Job = Callable[[JobContext, Any], None]
JobT = TypeVar("JobT", bound=Job)
CALIBRATE, CORRECT = "calibrate", "correct"
"""Names of the jobs that move nothing: those of the page Calibrate, and changes of a reading."""


class Known(NamedTuple):
    """A job, and the name under which viewers know it."""

    name: str
    job: Job


JOBS: dict[type[Any], Known] = {}
"""The jobs by the classes of their commands; `frontends.control.routing` loads all of them."""


def job(name: str) -> Callable[[JobT], JobT]:
    """Register a function as the job of the commands that its second parameter accepts."""

    def register(function: JobT) -> JobT:
        _, command = signature(function).parameters.values()
        kinds = get_args(command.annotation) or (command.annotation,)
        JOBS.update(dict.fromkeys(kinds, Known(name, function)))
        return function

    return register


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
