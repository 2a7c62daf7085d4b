"""Ranges of the values in a rig file, with errors that begin with the key."""

from robot.protocol.settings import SETTING_BY_KEY, Setting


def require(holds: bool, key: str, value: object, wanted: str) -> None:
    """Refuse the value of a key.

    Raises:
        ValueError: It does not hold.
    """
    if not holds:
        raise ValueError(f"{key} is {value}; it has to be {wanted}")


def require_setting(setting: Setting, key: str, value: int) -> None:
    """Refuse a value that no board takes.

    Raises:
        ValueError: It is outside the setting's range.
    """
    spec = SETTING_BY_KEY[setting]
    require(spec.allows(value), key, value, f"{spec.minimum} to {spec.maximum}")
