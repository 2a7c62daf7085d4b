"""Text files that are read line by line, whatever their size."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from documents.errors import ConfigError
from documents.files import require_end
from thistlebot.errors import MissingFileError, UsageError

_LONGEST_LINE = 1_000_000


def read_lines(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the non-empty lines of a text file, with their numbers from 1, as they are read.

    The file ``-`` is standard input.

    Raises:
        MissingFileError: The file is missing or unreadable.
        UsageError: A line has more than a million characters.
    """
    try:
        if str(file) != "-":
            require_end(file)
        with sys.stdin if str(file) == "-" else file.open(encoding="utf-8-sig") as text:
            lines = iter(partial(text.readline, _LONGEST_LINE), "")
            for number, line in enumerate(lines, start=1):
                if len(line) == _LONGEST_LINE:
                    raise UsageError(f"{file}:{number}: this line is too long; name another file")
                if line.strip():
                    yield number, line.rstrip("\n")
    except ConfigError as error:
        raise MissingFileError(str(error)) from None
    except (OSError, ValueError) as error:  # Python refuses paths with a NUL
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise MissingFileError(f"cannot read {file}: {reason}") from error
