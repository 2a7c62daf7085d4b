"""Chooses, copies and deletes the colour profiles."""

from calibration.profiles import copy_profile, delete_profile, profile_file
from frontends.control.calibrate_commands import ChooseProfile, CopyProfile, DeleteProfile
from frontends.control.job_context import JobContext
from frontends.control.jobs.calibrate.telling import show_profiles
from frontends.control.task import CALIBRATE, Jobs, NamedJob
from thistlebot.config import load_profile


def choose_profile(context: JobContext, command: ChooseProfile) -> None:
    """Use another profile, or none."""
    if command.profile:
        profile_file(context.machine.folders.profiles, command.profile)
        load_profile(command.profile, context.machine.folders)  # raises an error for a wrong file
    context.reopen(profile=command.profile)


def copy(context: JobContext, command: CopyProfile) -> None:
    """Copy a profile under another name."""
    copy_profile(context.machine.folders.profiles, command.profile, command.name)
    show_profiles(context)


def delete(context: JobContext, command: DeleteProfile) -> None:
    """Set a profile aside; the machine continues without one if it was in use."""
    delete_profile(context.machine.folders.profiles, command.profile)
    if context.machine.choices.profile == command.profile:
        context.reopen(profile="")
    else:
        show_profiles(context)


PROFILE_JOBS: Jobs = {
    ChooseProfile: NamedJob(CALIBRATE, choose_profile),
    CopyProfile: NamedJob(CALIBRATE, copy),
    DeleteProfile: NamedJob(CALIBRATE, delete),
}
