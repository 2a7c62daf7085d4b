"""Sizes of memory and files as people type them."""

import re

from thistlebot.errors import UsageError

_MOST_MB = 1e12
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?(MB|GB|M|G)?", re.IGNORECASE)


def megabytes(text: str, what: str = "") -> float:
    """Return a size such as ``60MB``, ``1.5GB`` or ``900`` in megabytes.

    Args:
        text: A number, optionally with a unit; megabytes by default.
        what: What the size belongs to, for the message.

    Raises:
        UsageError: It is not a size above zero.
    """
    size = _SIZE.fullmatch(text.strip())
    number = float(size[1]) if size else 0.0
    if size is None or not 0 < number < _MOST_MB:
        told = f"{what}: " if what else ""
        raise UsageError(f"{told}{text!r} is not a size: give one such as 60MB or 1GB")
    return number * 1000 if (size[2] or "").upper().startswith("G") else number
