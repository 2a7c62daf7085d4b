"""The task of each command."""

from typing import get_args

from frontends.control.calibrate_commands import CalibrateCommand
from frontends.control.commands import Command, HandBegin
from frontends.control.jobs import assistant, board, by_hand, solving
from frontends.control.jobs.calibrate import colours, motors, views
from frontends.control.task import CORRECT, JOBS, Task

LOADED = (assistant, board, by_hand, solving, colours, motors, views)
"""The modules whose jobs are registered."""

BEGINNING = frozenset(
    str(kind.__struct_config__.tag) for kind, known in JOBS.items() if known.name != CORRECT
)
"""Names of the commands that are refused while a job runs."""

CALIBRATING = frozenset(JOBS[kind].name for kind in get_args(CalibrateCommand) if kind in JOBS)
"""Names of the jobs of the page Calibrate."""


def task_of(command: Command) -> Task | None:
    """Return the task that a command begins; None if it is for the current job."""
    if type(command) not in JOBS:
        return None
    name, job = JOBS[type(command)]
    corrects = isinstance(command, HandBegin)
    return Task(name, command, job, getattr(command, "dry_run", False), corrects)
