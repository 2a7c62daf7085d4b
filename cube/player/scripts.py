"""The scripts of the puzzle on pages, as files, or as one text for a page that is a single file."""

import re
from pathlib import Path

_HERE = Path(__file__).parent
_NAMES = ("twisty-solid", "twisty-colours", "twisty", "playback")
SCRIPTS = tuple(_HERE / f"{name}.js" for name in _NAMES)
"""The modules, each after those that it imports; they are imported by the names of their files."""
_IMPORT = re.compile(r'^import .* from "[\w-]+";\n', re.MULTILINE)


def player_source() -> str:
    """Return the text of all modules, for the beginning of a script of type ``module``."""
    texts = (path.read_text(encoding="utf-8") for path in SCRIPTS)
    return "\n".join(_IMPORT.sub("", text) for text in texts)
