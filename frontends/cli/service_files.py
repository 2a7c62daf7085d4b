"""The files with which a computer starts the panel at boot: a systemd unit and udev rules."""

from importlib import resources
from pathlib import Path

from thistlebot.errors import UsageError

RULES = "70-thistlebot.rules"
UNIT = "thistlebot.service"


def unit_text(program: Path, user: str, arguments: tuple[str, ...] = ()) -> str:
    """Return the systemd unit that starts the panel at boot.

    Args:
        program: The installed `thistlebot`, as an absolute path.
        user: The user that it runs as, with this user's rig file and profiles.
        arguments: The arguments after `serve`.

    Raises:
        UsageError: The path is not absolute, or a text has characters that a unit cannot contain.
    """
    if not program.is_absolute():
        raise UsageError(
            f"the program's path {program} must be absolute: systemd has no current folder"
        )
    if not user or not user.isprintable() or set(user) & set(" /:%$\\\"'@"):
        raise UsageError(f"{user!r} is not a valid user name")
    text = _shipped(UNIT).replace("@USER@", user).replace("@PROGRAM@", _quoted(str(program)))
    return text.replace("@ARGUMENTS@", "".join(f" {_quoted(each)}" for each in arguments))


def rules_text() -> str:
    """Return the udev rules that give access to the board and the webcams."""
    return _shipped(RULES)


def _shipped(name: str) -> str:
    return (resources.files("frontends.panel") / "shipped" / name).read_text(encoding="utf-8")


def _quoted(word: str) -> str:
    """Quote a word of a command line for systemd: like a shell, with `%` and `$` doubled."""
    if not word.isprintable():
        raise UsageError(
            f"{word!r} cannot be used in a systemd unit: it contains unprintable characters"
        )
    escaped = word.translate({ord(each): f"\\{each}" for each in '\\"'})
    return f'"{escaped}"'.replace("%", "%%").replace("$", "$$")
