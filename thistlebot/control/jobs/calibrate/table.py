"""Which job each command of the page that calibrates begins."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from thistlebot.control import calibrate_commands as commands
from thistlebot.control.bench import Bench
from thistlebot.control.jobs.calibrate import actuators, colours, motors, profiles, views

CALIBRATE_RUNS: Mapping[type, tuple[str, Callable[[Bench, Any], None]]] = MappingProxyType(
    {
        commands.MeasureColours: ("measure_colours", colours.measure_colours),
        commands.Buzz: ("buzz", motors.buzz),
        commands.MeasureMotors: ("measure_motors", motors.measure_motors),
        commands.MeasureParts: ("measure_parts", actuators.measure_parts),
    }
)
"""Those that begin a run."""

CALIBRATE_QUIET: Mapping[type, Callable[[Bench, Any], None]] = MappingProxyType(
    {
        commands.SaveColours: colours.save_colours,
        commands.ChooseProfile: profiles.choose_profile,
        commands.CopyProfile: profiles.copy,
        commands.DeleteProfile: profiles.delete,
        commands.OpenView: views.open_view,
        commands.MovePoints: views.move_points,
        commands.SaveView: views.save_view,
        commands.FlipDirection: motors.flip_direction,
        commands.SaveMotors: motors.save_motors,
    }
)
"""Those that move nothing."""
