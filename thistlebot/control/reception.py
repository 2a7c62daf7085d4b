"""Which job each command begins, and how it gets there: through the desk, to the worker."""

from collections.abc import Mapping
from types import MappingProxyType

from thistlebot.control import calibrate_commands, commands
from thistlebot.control.commands import Command, Order
from thistlebot.control.desk import Desk
from thistlebot.control.jobs import looking, solving, turning
from thistlebot.control.jobs.calibrate import colours, motors, profiles, views
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
        calibrate_commands.MeasureColours: ("measure_colours", colours.measure_colours),
        calibrate_commands.SaveColours: ("save_colours", colours.save_colours),
        calibrate_commands.ChooseProfile: ("choose_profile", profiles.choose_profile),
        calibrate_commands.CopyProfile: ("copy_profile", profiles.copy),
        calibrate_commands.DeleteProfile: ("delete_profile", profiles.delete),
        calibrate_commands.OpenView: ("open_view", views.open_view),
        calibrate_commands.MovePoints: ("move_points", views.move_points),
        calibrate_commands.SaveView: ("save_view", views.save_view),
        calibrate_commands.Buzz: ("buzz", motors.buzz),
        calibrate_commands.FlipDirection: ("flip_direction", motors.flip_direction),
        calibrate_commands.MeasureMotors: ("measure_motors", motors.measure_motors),
        calibrate_commands.SaveMotors: ("save_motors", motors.save_motors),
    }
)
"""Commands that begin a job; all others are for the one under way."""

QUIET = frozenset(
    {
        calibrate_commands.ChooseProfile,
        calibrate_commands.CopyProfile,
        calibrate_commands.DeleteProfile,
        calibrate_commands.OpenView,
        calibrate_commands.MovePoints,
        calibrate_commands.SaveView,
        calibrate_commands.SaveColours,
        calibrate_commands.SaveMotors,
        calibrate_commands.FlipDirection,
    }
)
"""Those whose jobs move nothing, and are no runs of their own."""


def task_of(command: Command) -> Task | None:
    """Return the task that a command begins; None when it is meant for the job under way."""
    if type(command) not in JOBS:
        return None
    name, job = JOBS[type(command)]
    dry_run = getattr(command, "dry_run", False)
    return Task(name, command, job, dry_run=dry_run, quiet=type(command) in QUIET)


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
        if task is None:
            self._worker.tell(order.do)
        else:
            self._worker.begin(task)

    def stop(self) -> None:
        """Stop whatever is under way; anybody may, at any time."""
        self._worker.stop()
