"""The verb `manual`: the documentation that comes with the program."""

from pathlib import Path
from typing import Annotated

import typer

from thistlebot.errors import MissingFileError, UsageError
from thistlebot.shipped import shipped_root
from thistlebot.terminal.screen import Screen

_NAMED = {
    "readme": "README.md",
    "changes": "CHANGELOG.md",
    "contributing": "CONTRIBUTING.md",
    "firmware": "firmware/README.md",
    "simulator": "firmware/simulator/README.md",
}


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("manual")(manual)


def manual(
    page: Annotated[
        str | None,
        typer.Argument(help="Name of the page, such as firmware. Without it: list all pages."),
    ] = None,
) -> None:
    """Print a page of the documentation, or list all pages and their files."""
    pages = find_pages(shipped_root())
    if page is None:
        screen, width = Screen(), max(map(len, pages), default=0)
        for name, file in pages.items():
            screen.line(f"{name:<{width}}  {_title(file)}: {file}")
    elif page not in pages:
        raise UsageError(f"there is no page {page!r}; choose one of {', '.join(pages)}")
    else:
        typer.echo(_text(pages[page]), nl=False)


def find_pages(root: Path) -> dict[str, Path]:
    """Return the pages by name: the named files first, then those in `docs`."""
    pages = {name: root / file for name, file in _NAMED.items()}
    pages |= {file.stem: file for file in sorted((root / "docs").glob("*.md"))}
    return {name: file for name, file in pages.items() if file.is_file()}


def _title(file: Path) -> str:
    return _text(file).partition("\n")[0].lstrip("# ")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise MissingFileError(f"cannot read {file}: {error.strerror}") from error
