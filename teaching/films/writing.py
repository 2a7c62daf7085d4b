"""The kinds of film files, by the ending of the name."""

from collections.abc import Callable
from pathlib import Path

from documents.files import require_writable, write_atomically
from teaching.films.film import Film
from teaching.films.player import html_film
from teaching.films.stills import stills_svg
from thistlebot.errors import UsageError

KINDS: dict[str, Callable[[Film], str]] = {".svg": stills_svg, ".html": html_film}


def require_picture(path: Path | None) -> None:
    """Check, before solving, that a requested picture can be written.

    Raises:
        UsageError: Its ending is not supported.
        UnwritableError: The file cannot be written.
    """
    if path is not None:
        _kind(path)
        require_writable(path)


def write_film(path: Path, film: Film) -> None:
    """Write a film.

    Raises:
        UsageError: The ending of the file's name is not supported.
        UnwritableError: The file cannot be written.
    """
    write_atomically(path, _kind(path)(film))


def _kind(path: Path) -> Callable[[Film], str]:
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise UsageError(
            f"--picture {path}: the file name must end with .svg (a still picture) or "
            f".html (with controls), not {path.suffix or 'none'}"
        )
    return kind
