"""Options whose value may be left away, which typer does not know.

Loaded before Ctrl-C is taken care of, so it imports nothing heavy.
"""

from collections.abc import Iterator
from itertools import zip_longest

TRACKED = "tracked"
"""The value of a bare --centres: what the motors' turns add up to."""
TERMINAL = "-"
"""The value of a bare --plot of `history`."""
_WITHOUT_VALUE = {("solve", "--centres"): TRACKED, ("history", "--plot"): TERMINAL}


def completed(args: list[str]) -> Iterator[str]:
    """The arguments, with the value that a bare option stands for."""
    verb = next((arg for arg in args if not arg.startswith("-")), "")
    for arg, following in zip_longest(args, args[1:], fillvalue="--"):
        yield arg
        if (verb, arg) in _WITHOUT_VALUE and following.startswith("-") and following != TERMINAL:
            yield _WITHOUT_VALUE[verb, arg]
