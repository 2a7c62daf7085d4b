"""The files that let a computer start the panel by itself: a systemd unit and udev rules."""

import shlex
from importlib import resources
from pathlib import Path

from thistlebot.errors import UsageError

RULES = "70-thistlebot.rules"
UNIT = "thistlebot.service"


def unit_text(program: Path, user: str, documents: Path, arguments: tuple[str, ...] = ()) -> str:
    """Return the systemd unit that starts the panel with the computer.

    Args:
        program: The installed `thistlebot`; its place from the root.
        user: Who it runs as, whose rig file and profiles it reads.
        documents: The documentation of the panel, a file.
        arguments: What follows `serve`.

    Raises:
        UsageError: The program's place does not begin at the root, or a text has what a unit cannot
            hold.
    """
    if not program.is_absolute():
        raise UsageError(f"{program} must begin at the root: a unit knows no other folder")
    if not user or not user.isprintable() or set(user) & set(" /:%$\\\"'@"):
        raise UsageError(f"{user!r} is no name of a user of this computer")
    words = {
        "@USER@": user,
        "@PROGRAM@": _quoted(str(program)),
        "@ARGUMENTS@": "".join(f" {_quoted(each)}" for each in arguments),
        "@DOCUMENTS@": _escaped(str(documents)).replace(" ", "%%20"),
    }
    text = _shipped(UNIT)
    for mark, word in words.items():
        text = text.replace(mark, word)
    return text


def rules_text() -> str:
    """Return the udev rules that let the board and the webcams be used."""
    return _shipped(RULES)


def _shipped(name: str) -> str:
    return (resources.files("thistlebot.panel") / "shipped" / name).read_text(encoding="utf-8")


def _quoted(word: str) -> str:
    """Write a word of a command line as systemd reads it: much as a shell, `%` and `$` doubled."""
    if not word.isprintable():
        raise UsageError(f"{word!r} cannot stand in a unit: it has what cannot be printed")
    if shlex.quote(word) == word:
        return _escaped(word)
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_escaped(escaped)}"'


def _escaped(word: str) -> str:
    return word.replace("%", "%%").replace("$", "$$")
