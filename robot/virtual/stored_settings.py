"""The settings that a board holds, within their ranges."""

from robot.protocol.messages import NO_MOTOR, Reason
from robot.protocol.settings import SETTING_BY_KEY, SETTINGS, Setting


class StoredSettings:
    """Every setting's value: one for the board, or one for each of its motors.

    Args:
        motors: Channels that the board drives.
    """

    def __init__(self, motors: int) -> None:
        self._values = {
            (spec.key, motor): spec.default
            for spec in SETTINGS
            for motor in (range(motors) if spec.per_motor else (NO_MOTOR,))
        }

    def value(self, key: Setting, motor: int = NO_MOTOR) -> int:
        """Return the value of a setting that exists."""
        return self._values[key, motor]

    def missing(self, key: int, motor: int) -> Reason | None:
        """Return why there is no such setting, None when there is one."""
        if key not in SETTING_BY_KEY:
            return Reason.UNKNOWN_KEY
        return None if (Setting(key), motor) in self._values else Reason.OUT_OF_RANGE

    def change(self, key: int, motor: int, value: int) -> Reason | None:
        """Give a setting another value; the reason when it is refused."""
        reason = self.missing(key, motor)
        if reason is None:
            if not SETTING_BY_KEY[Setting(key)].allows(value):
                return Reason.OUT_OF_RANGE
            self._values[Setting(key), motor] = value
        return reason
