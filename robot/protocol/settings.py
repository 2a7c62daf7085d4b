"""The settings that a board stores, with the ranges that both sides check."""

from dataclasses import dataclass
from enum import IntEnum


class Setting(IntEnum):
    """The number of a setting on the wire."""

    STEPS_PER_QUARTER = 1
    RATE_STEPS_S = 2
    ACCELERATION_STEPS_S2 = 3
    DIRECTION = 4
    DRIVER_ADDRESS = 5
    DRIVER_CURRENT_MA = 6
    DRIVER_MODE = 7
    DRIVER_MICROSTEPS = 8
    STALL_THRESHOLD = 9
    GAP_US = 16
    HOST_TIMEOUT_MS = 17
    IDLE_TIMEOUT_MS = 18
    ENABLE_POLARITY = 19
    STALL_INPUT = 20
    ENABLE_SETTLE_MS = 21


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One row of the table of settings: its scope, range and default.

    Attributes:
        key: The number on the wire.
        per_motor: Whether each motor has its own value.
        minimum: Lower limit of all boards.
        maximum: Upper limit of all boards; a board with a lower limit refuses higher values.
        default: The value in a new board.
        about: Description for the manual.
        where_refused: What to do if a board refuses a value in the range.
    """

    key: Setting
    per_motor: bool
    minimum: int
    maximum: int
    default: int
    about: str
    where_refused: str = "check the rig file"

    def allows(self, value: int) -> bool:
        """Return whether a value lies in the range."""
        return self.minimum <= value <= self.maximum


SHORTEST_GAP_US = 16
"""The shortest gap that a board accepts; it needs 37 µs to prepare the next turn in any case."""

SETTINGS = (
    SettingSpec(
        Setting.STEPS_PER_QUARTER, True, 4, 1_600, 400, "step pulses of a quarter turn of the face"
    ),
    SettingSpec(Setting.RATE_STEPS_S, True, 50, 50_000, 17_391, "highest step rate"),
    SettingSpec(
        Setting.ACCELERATION_STEPS_S2,
        True,
        1_000,
        20_000_000,
        1_023_018,
        "acceleration; with the defaults a quarter turn takes 40.0 ms and a half turn 63.0 ms",
        "check the rig file; a controller with GRBL or Marlin takes another acceleration only with "
        "write_settings = true in [board]",
    ),
    SettingSpec(
        Setting.DIRECTION, True, 0, 1, 0, "0: DIR high turns the face clockwise; 1: reversed"
    ),
    SettingSpec(
        Setting.DRIVER_ADDRESS,
        True,
        0,
        8,
        0,
        "driver on a UART: 1 + its address + 4 times its line; 0: the driver has no UART",
        "this board has no such line for drivers: leave driver_address out of the rig file, "
        "or use a Mega or a shield",
    ),
    SettingSpec(
        Setting.DRIVER_CURRENT_MA,
        True,
        50,
        1_768,
        800,
        "RMS current of a UART driver with 0.11 Ω sense resistors",
    ),
    SettingSpec(
        Setting.DRIVER_MODE, True, 0, 1, 0, "mode of a UART driver; 0: StealthChop, 1: SpreadCycle"
    ),
    SettingSpec(
        Setting.DRIVER_MICROSTEPS,
        True,
        0,
        8,
        3,
        "microsteps of a UART driver, as a power of two: 3 is 8",
    ),
    SettingSpec(
        Setting.STALL_THRESHOLD,
        True,
        0,
        255,
        0,
        "stall threshold of a UART driver: higher values report sooner; 0: never",
    ),
    SettingSpec(
        Setting.GAP_US,
        False,
        SHORTEST_GAP_US,
        1_000_000,
        1_000,
        "minimum pause between the steps of two moves; at most 25 µs longer",
    ),
    SettingSpec(
        Setting.HOST_TIMEOUT_MS,
        False,
        0,
        600_000,
        5_000,
        "silence of the host after which the board ends its turn and drops the rest; 0: never",
    ),
    SettingSpec(
        Setting.IDLE_TIMEOUT_MS,
        False,
        0,
        3_600_000,
        60_000,
        "rest after which the motor current is switched off; 0: never",
    ),
    SettingSpec(
        Setting.ENABLE_POLARITY, False, 0, 1, 0, "0: the enable pin is low when on; 1: high"
    ),
    SettingSpec(
        Setting.STALL_INPUT,
        False,
        0,
        2,
        0,
        "a StallInput: a stall ends the running turn; EACH needs a Mega's separate lines",
    ),
    SettingSpec(
        Setting.ENABLE_SETTLE_MS,
        False,
        0,
        1_000,
        0,
        "pause between switching the motor current on and the first step",
    ),
)
SETTING_BY_KEY = {spec.key: spec for spec in SETTINGS}
