"""The verb `serve`: the web panel."""

import getpass
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from thistlebot.cli.options import declared as options
from thistlebot.config import Folders
from thistlebot.extras import require_library
from thistlebot.session.choices import Choices
from thistlebot.shipped import shipped_root
from thistlebot.solving.approach import Approach, Method
from thistlebot.terminal.screen import Screen

DEFAULT_PORT = 8060
_LIBRARIES = ("nicegui", "segno")


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("serve")(serve)


def serve(
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Listen here: 0.0.0.0 lets other devices in, by a token that is shown.",
        ),
    ] = "127.0.0.1",
    http_port: Annotated[
        int, typer.Option("--http-port", min=0, max=65535, help="Port of the panel; 0: any.")
    ] = DEFAULT_PORT,
    method: options.Method = Method.ANYTIME,
    objective: options.SolveObjective = None,
    forbidden: options.Forbidden = "",
    budget_ms: options.Budget = 100.0,
    threads: options.SolveThreads = None,
    memory: options.Memory = None,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    seed: options.Seed = None,
    unit: Annotated[
        bool,
        typer.Option("--unit", help="Print the systemd unit that starts this with the computer."),
    ] = False,
    udev: Annotated[
        bool, typer.Option("--udev", help="Print the udev rules for the board and the webcams.")
    ] = False,
) -> None:
    """Open the web panel: press solve in a browser, on this computer or another one.

    Without --host only this computer is served. With it, whoever opens the address that is shown,
    with its token, can use the panel: one controls, others watch.

    [bold]thistlebot serve --virtual[/]                the virtual machine
    [bold]thistlebot serve --host 0.0.0.0[/]           for a phone or tablet: scan the code
    [bold]thistlebot serve --host 0.0.0.0 --unit[/]    as a service
    """
    if unit or udev:
        _print_files(unit=unit)
        return
    for library in _LIBRARIES:
        require_library(library, "thistlebot serve")
    from thistlebot.panel.address import tell_address
    from thistlebot.panel.server.access import Access
    from thistlebot.panel.server.serving import Served, listen, served_machine
    from thistlebot.panel.server.serving import serve as serve_panel

    screen = Screen()
    choices = Choices(
        rig, profile, port, tuple(camera or ()), virtual, seed or 0, options.parse_scheme(scheme)
    )
    approach = Approach(
        method=method,
        goal=objective,
        forbidden=forbidden,
        budget_ms=budget_ms,
        threads=threads,
        memory_mb=memory,
    )
    listening = listen(host, http_port)
    folders = Folders.of_platform()
    access = Access.of(host, folders.state / "panel-token")
    served: Served = served_machine(choices, folders, approach)
    address = host, listening.getsockname()[1]
    serve_panel(served, access, listening, lambda: tell_address(screen, address, access))


def _print_files(*, unit: bool) -> None:
    """Print what lets a computer start the panel by itself."""
    from thistlebot.panel.service_files import rules_text, unit_text

    if not unit:
        typer.echo(rules_text(), nl=False)
        return
    program = Path(shutil.which(sys.argv[0]) or sys.argv[0]).absolute()
    page = shipped_root() / "docs" / "panel.md"
    wishes = tuple(word for word in sys.argv[2:] if word != "--unit")
    typer.echo(unit_text(program, getpass.getuser(), page, wishes), nl=False)
