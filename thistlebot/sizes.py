"""Sizes of memory as people type them."""

import re

from thistlebot.errors import UsageError

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?(MB|GB|M|G)?", re.IGNORECASE)


def megabytes(text: str) -> float:
    """Return megabytes of a size such as ``60MB``, ``1.5GB`` or ``900``.

    Raises:
        UsageError: It is no size above zero.
    """
    size = _SIZE.fullmatch(text.strip())
    number = float(size[1]) if size else 0.0
    if size is None or not number:
        raise UsageError(f"{text!r} is no size of memory: give one such as 60MB or 1GB")
    return number * 1000 if (size[2] or "").upper().startswith("G") else number
