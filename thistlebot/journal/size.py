"""Sizes as people write them: 500 MB, 2GB."""

import re

from thistlebot.errors import UsageError

_BYTES = {None: 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMG]?B)?\s*", re.IGNORECASE)


def parse_size(text: str, what: str) -> int:
    """Return the bytes of a size.

    Args:
        text: A number, with KB, MB or GB behind it unless it means bytes.
        what: What it is the size of, for the message.

    Raises:
        UsageError: It is no size.
    """
    found = _SIZE.fullmatch(text)
    if found is None:
        raise UsageError(f"{what} is no size: {text!r}; write a number and a unit, such as 500MB")
    return int(float(found[1]) * _BYTES[found[2] and found[2].upper()])
