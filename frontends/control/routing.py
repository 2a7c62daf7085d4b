"""The task of each command."""

from typing import get_args

from frontends.control.calibrate_commands import CalibrateCommand
from frontends.control.commands import Command, HandBegin
from frontends.control.jobs.assistant import ASSISTANT_JOBS
from frontends.control.jobs.board import BOARD_JOBS
from frontends.control.jobs.by_hand import BY_HAND_JOBS
from frontends.control.jobs.calibrate.colours import COLOUR_JOBS
from frontends.control.jobs.calibrate.motors import MOTOR_JOBS
from frontends.control.jobs.calibrate.profiles import PROFILE_JOBS
from frontends.control.jobs.calibrate.views import VIEW_JOBS
from frontends.control.jobs.solving import SOLVING_JOBS
from frontends.control.task import CORRECT, Jobs, Task

JOBS: Jobs = {
    **SOLVING_JOBS,
    **BY_HAND_JOBS,
    **ASSISTANT_JOBS,
    **BOARD_JOBS,
    **PROFILE_JOBS,
    **COLOUR_JOBS,
    **MOTOR_JOBS,
    **VIEW_JOBS,
}

BEGINNING = frozenset(
    str(kind.__struct_config__.tag) for kind, each in JOBS.items() if each.name != CORRECT
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
