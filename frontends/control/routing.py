"""The job of each command."""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from frontends.control import assistant_commands, calibrate_commands, commands
from frontends.control.commands import Command
from frontends.control.jobs import assistant, board, by_hand, solving
from frontends.control.jobs.calibrate import colours, motors, views
from frontends.control.worker import Job, Task

CALIBRATE_RUNS: Mapping[type[msgspec.Struct], tuple[str, Job]] = MappingProxyType(
    {
        calibrate_commands.MeasureColours: ("measure_colours", colours.measure_colours),
        calibrate_commands.Buzz: ("buzz", motors.buzz),
        calibrate_commands.MeasureMotors: ("measure_motors", motors.measure_motors),
        calibrate_commands.MeasureParts: ("measure_parts", motors.measure_parts),
        assistant_commands.TryPart: ("buzz", assistant.try_part),
        assistant_commands.FlashBoard: ("flash", board.flash_board),
        assistant_commands.Examine: ("examine", board.examine),
    }
)
"""Commands that begin a run."""

CALIBRATE_QUIET: Mapping[type[msgspec.Struct], Job] = MappingProxyType(
    {
        calibrate_commands.SaveColours: colours.save_colours,
        calibrate_commands.ChooseProfile: colours.choose_profile,
        calibrate_commands.CopyProfile: colours.copy,
        calibrate_commands.DeleteProfile: colours.delete,
        calibrate_commands.OpenView: views.open_view,
        calibrate_commands.MovePoints: views.move_points,
        calibrate_commands.SaveView: views.save_view,
        calibrate_commands.FlipDirection: motors.flip_direction,
        calibrate_commands.SaveMotors: motors.save_motors,
        assistant_commands.ChooseRig: assistant.choose_rig,
        assistant_commands.FindDevices: assistant.find_devices,
        assistant_commands.UseCamera: assistant.use_camera,
        assistant_commands.JudgePart: assistant.judge_part,
        assistant_commands.GoToStep: assistant.go_to_step,
        assistant_commands.SaveRigFile: board.save_rig_file,
    }
)
"""Commands that move nothing."""
QUIET_CALIBRATE = "calibrate"
"""Name of the job of each of them."""


JOBS: Mapping[type[msgspec.Struct], tuple[str, Job]] = MappingProxyType(
    {
        commands.Solve: ("solve", solving.solve),
        commands.Scramble: ("scramble", solving.scramble),
        commands.Turn: ("turn", solving.turn),
        commands.Look: ("look", solving.look),
        commands.Remember: ("remember", solving.remember),
        commands.Copy: ("copy", solving.copy),
        commands.Again: ("proceed", solving.again),
        commands.PutIn: ("put_in", solving.put_in),
        commands.Proceed: ("proceed", solving.proceed),
        commands.HandBegin: ("by_hand", by_hand.by_hand),
        **CALIBRATE_RUNS,
    }
)
"""Commands that begin a run."""
QUIET: Mapping[type[msgspec.Struct], Job] = MappingProxyType(
    {
        commands.TellSticker: solving.correct,
        commands.TurnFace: solving.correct,
        commands.ExchangeFaces: solving.correct,
        commands.UndoCorrection: solving.correct,
        commands.TakeInstead: solving.correct,
        commands.Dismiss: solving.dismiss,
        commands.Align: solving.align,
        **CALIBRATE_QUIET,
    }
)
"""Commands that change the reading between two runs. All others are for the current job."""


BEGINNING = frozenset(str(each.__struct_config__.tag) for each in (*JOBS, *CALIBRATE_QUIET))
"""Names of the commands that are refused while a job runs."""


def task_of(command: Command) -> Task | None:
    """Return the task that a command begins; None if it is for the current job."""
    if type(command) in QUIET:
        name = QUIET_CALIBRATE if type(command) in CALIBRATE_QUIET else "correct"
        return Task(name, command, QUIET[type(command)], quiet=True)
    if type(command) not in JOBS:
        return None
    name, job = JOBS[type(command)]
    corrects = isinstance(command, commands.HandBegin)
    return Task(name, command, job, dry_run=getattr(command, "dry_run", False), corrects=corrects)
