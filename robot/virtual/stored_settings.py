"""The settings of a board, within their ranges."""

from robot.protocol.messages import NO_MOTOR, Reason
from robot.protocol.settings import SETTING_BY_KEY, SETTINGS, Setting


class StoredSettings:
    """Every setting's value: one for the board, or one for each of its motors."""

    def __init__(self, motors: int) -> None:
        self._values = {
            (spec.key, motor): spec.default
            for spec in SETTINGS
            for motor in (range(motors) if spec.per_motor else (NO_MOTOR,))
        }

    def value(self, key: Setting, motor: int = NO_MOTOR) -> int:
        """Return the value of an existing setting."""
        return self._values[key, motor]

    def missing(self, key: int, motor: int) -> Reason | None:
        """Return why a setting does not exist, None if it does."""
        if key not in SETTING_BY_KEY:
            return Reason.UNKNOWN_KEY
        return None if (Setting(key), motor) in self._values else Reason.OUT_OF_RANGE

    def change(self, key: int, motor: int, value: int) -> Reason | None:
        """Change the value of a setting; return the reason if it is refused."""
        reason = self.missing(key, motor)
        if reason is None:
            if not SETTING_BY_KEY[Setting(key)].allows(value):
                return Reason.OUT_OF_RANGE
            self._values[Setting(key), motor] = value
        return reason
