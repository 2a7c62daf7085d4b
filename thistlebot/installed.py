"""What is installed: the versions of this program and its libraries, and its extras."""

import re
from importlib import metadata
from importlib.util import find_spec

from thistlebot.errors import MissingFileError


def version_of(package: str) -> str:
    """Return the version of an installed package.

    `metadata.version` would parse its whole description, too.
    """
    text = metadata.distribution(package).read_text("METADATA") or ""
    return text.partition("\nVersion:")[2].partition("\n")[0].strip()


def require_extra(extra: str, wanted_by: str) -> None:
    """Check that all libraries of an extra are installed.

    Raises:
        MissingFileError: One is not installed; the message says how to install all.
    """
    if any(find_spec(library) is None for library in _libraries(extra)):
        raise MissingFileError(
            f"{wanted_by} needs the extra {extra}, which is not installed: install "
            f"thistlebot[{extra}] as you installed thistlebot"
        )


def _libraries(extra: str) -> list[str]:
    """Return the requirements of an extra, without versions."""
    wanted = re.compile(rf"([\w.-]+).*extra == ['\"]{extra}['\"]")
    found = map(wanted.match, metadata.requires("thistlebot") or ())
    return [each[1] for each in found if each]
