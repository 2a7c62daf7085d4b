"""The verb `manual`: the documentation that comes with the program."""

import os
import sys
import webbrowser
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

import typer

from thistlebot.errors import MissingFileError, UsageError
from thistlebot.shipped import shipped_root, shipped_site
from thistlebot.terminal.screen import Screen

_NAMED = {
    "readme": "README.md",
    "changes": "CHANGELOG.md",
    "contributing": "CONTRIBUTING.md",
    "firmware": "firmware/README.md",
    "simulator": "firmware/simulator/README.md",
}


def manual(
    page: Annotated[
        str | None,
        typer.Argument(help="Name of the page, such as firmware. Without it: list all pages."),
    ] = None,
    web: Annotated[
        bool, typer.Option("--web", help="Show the documentation in a browser, without internet.")
    ] = False,
) -> None:
    """Print a page of the documentation, or list all pages."""
    pages = find_pages(shipped_root())
    if web:
        _show(shipped_site(shipped_root()))
    elif page is None:
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
    for folder in ("docs", "docs/reference"):
        pages |= {file.stem: file for file in sorted((root / folder).glob("*.md"))}
    return {name: file for name, file in pages.items() if file.is_file()}


def local_server(folder: Path) -> ThreadingHTTPServer:
    """Return a server of a folder, for this computer only, at a free port."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))


def _show(site: Path | None) -> None:
    """Serve the pages until Ctrl-C.

    The search does not work in pages that are opened as files, and a browser in a sandbox may not
    read the files of an installed program.
    """
    if site is None:
        raise MissingFileError(
            "the documentation is not built as web pages: run `make docs` in the checkout, or "
            "install a release; `thistlebot manual` lists the pages as text"
        )
    with local_server(site) as server, suppress(KeyboardInterrupt):
        address = f"http://127.0.0.1:{server.server_port}/"
        Screen().line(f"The documentation is at {address} until you press Ctrl-C.")
        Screen().line(f"Files: {site}")
        if sys.platform != "linux" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
            webbrowser.open(address)
        server.serve_forever()


def _title(file: Path) -> str:
    return _text(file).partition("\n")[0].lstrip("# ")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise MissingFileError(f"cannot read {file}: {error.strerror}") from error
