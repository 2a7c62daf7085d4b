"""A profile for each venue: chosen, copied, put aside."""

from thistlebot.config import load_profile
from thistlebot.control.bench import Bench
from thistlebot.control.calibrate_commands import ChooseProfile, CopyProfile, DeleteProfile
from thistlebot.control.jobs.calibrate.showing import show_profiles
from thistlebot.measuring.profiles import copy_profile, delete_profile, profile_file


def choose_profile(bench: Bench, command: ChooseProfile) -> None:
    """Use another profile, or none."""
    if command.profile:
        profile_file(bench.machine.folders, command.profile)
        load_profile(command.profile, bench.machine.folders)  # says what is wrong with it
    bench.reopen(profile=command.profile)


def copy(bench: Bench, command: CopyProfile) -> None:
    """Copy a profile under another name."""
    copy_profile(bench.machine.folders, command.profile, command.name)
    show_profiles(bench)


def delete(bench: Bench, command: DeleteProfile) -> None:
    """Put a profile aside; the machine goes on without one if it was in use."""
    delete_profile(bench.machine.folders, command.profile)
    if bench.machine.choices.profile == command.profile:
        bench.reopen(profile="")
    else:
        show_profiles(bench)
