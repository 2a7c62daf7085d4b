"""Which job each command begins, and how it gets there: through the desk, to the worker."""

from collections.abc import Mapping
from types import MappingProxyType

from thistlebot.control import commands
from thistlebot.control.commands import Command, Order
from thistlebot.control.desk import Desk
from thistlebot.control.jobs import by_hand, correcting, looking, solving, turning
from thistlebot.control.jobs.calibrate.table import CALIBRATE_QUIET, CALIBRATE_RUNS
from thistlebot.control.worker import Job, MachineWorker, Task

JOBS: Mapping[type, tuple[str, Job]] = MappingProxyType(
    {
        commands.Solve: ("solve", solving.solve),
        commands.Scramble: ("scramble", turning.scramble),
        commands.Turn: ("turn", turning.turn),
        commands.Look: ("look", looking.look),
        commands.Remember: ("remember", looking.remember),
        commands.Copy: ("copy", solving.copy),
        commands.PutIn: ("put_in", looking.put_in),
        commands.Resume: ("resume", solving.resume),
        commands.GoOn: ("go_on", correcting.go_on),
        commands.HandBegin: ("by_hand", by_hand.by_hand),
        **CALIBRATE_RUNS,
    }
)
"""Commands that begin a run."""
QUIET: Mapping[type, Job] = MappingProxyType(
    {
        commands.TellSticker: correcting.correct,
        commands.TurnFace: correcting.correct,
        commands.ExchangeFaces: correcting.correct,
        commands.UndoCorrection: correcting.correct,
        commands.TakeInstead: correcting.correct,
        commands.Dismiss: correcting.dismiss,
        **CALIBRATE_QUIET,
    }
)
"""Commands that change what was read, between two runs. All others are for the job under way."""


def task_of(command: Command) -> Task | None:
    """Return the task that a command begins; None when it is meant for the job under way."""
    if type(command) in QUIET:
        return Task("correct", command, QUIET[type(command)], quiet=True)
    if type(command) not in JOBS:
        return None
    name, job = JOBS[type(command)]
    corrects = isinstance(command, commands.HandBegin)
    return Task(name, command, job, dry_run=getattr(command, "dry_run", False), corrects=corrects)


class Reception:
    """Takes orders to the machine.

    Args:
        desk: Refuses what may not be carried out.
        worker: Carries the others out.
    """

    def __init__(self, desk: Desk, worker: MachineWorker) -> None:
        self._desk = desk
        self._worker = worker

    def take(self, order: Order) -> None:
        """Have an order carried out.

        Raises:
            RefusedError: It is not, and nothing of it was done.
        """
        self._desk.require(order)
        task = task_of(order.do)
        if task is None or (task.quiet and self._worker.corrects):
            self._worker.tell(order.do)
        else:
            self._worker.begin(task)

    def stop(self) -> None:
        """Stop whatever is under way; anybody may, at any time."""
        self._worker.stop()
