"""The verb `serve`: the web panel."""

import getpass
import ipaddress
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frontends.cli.devices import Added, Listed, Revoked, Scope, manage_devices
from frontends.cli.service_files import rules_text, unit_text
from frontends.panel.server.devices import DeviceScope
from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.installed import require_extra
from thistlebot.session.choices import Choices
from thistlebot.solving.approach import Approach, Method
from thistlebot.terminal.screen import Screen

if TYPE_CHECKING:
    from frontends.panel.server.access import Access


DEFAULT_PORT = 8060
_HERE = "127.0.0.1"

Host = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="Address to listen on; 0.0.0.0 admits other devices that have the token.",
    ),
]

Kiosk = Annotated[
    bool,
    typer.Option("--kiosk", help="Also show the panel full screen on this computer's display."),
]


HostNames = Annotated[
    list[str] | None,
    typer.Option(
        "--host-name",
        metavar="NAME",
        help="A name under which browsers reach this computer, such as pi.lan; may be repeated.",
    ),
]

Proxy = Annotated[
    str,
    typer.Option(
        "--proxy",
        metavar="ADDRESS",
        help="Address of an HTTPS proxy whose X-Forwarded headers are to be believed.",
    ),
]


def serve(
    host: Host = _HERE,
    http_port: Annotated[
        int,
        typer.Option(
            "--http-port", min=0, max=65535, help="Port of the panel; 0 for any free port."
        ),
    ] = DEFAULT_PORT,
    host_name: HostNames = None,
    proxy: Proxy = "",
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
        typer.Option("--unit", help="Print a systemd unit that starts the panel at boot."),
    ] = False,
    udev: Annotated[
        bool, typer.Option("--udev", help="Print the udev rules for the board and the webcams.")
    ] = False,
    kiosk: Kiosk = False,
    attract: Annotated[
        float | None,
        typer.Option(
            "--attract",
            metavar="MINUTES",
            min=0.1,
            help="Scramble and solve automatically after this time without a job.",
        ),
    ] = None,
    devices: Listed = False,
    add: Added = None,
    scope: Scope = DeviceScope.OPERATE,
    revoke: Revoked = None,
    json: options.Json = False,
) -> None:
    """Start the web panel, for browsers and programs.

    Without --host, only this computer can open the panel. With it, anyone who opens the printed
    address, which includes a token, can use the panel.

    [bold]thistlebot serve --virtual[/]                the virtual machine
    [bold]thistlebot serve --host 0.0.0.0[/]           for a phone or tablet: scan the code
    [bold]thistlebot serve --host 0.0.0.0 --unit[/]    as a service
    [bold]thistlebot serve --kiosk[/]                  on a touch display
    [bold]thistlebot serve --add tablet --scope watch[/]   a link for one device
    [bold]thistlebot serve --host-name cube.example --proxy 127.0.0.1[/]
    """
    if unit or udev:
        if unit and kiosk:
            raise UsageError(
                "a service has no display, so --unit and --kiosk exclude each other; "
                "start `thistlebot serve --kiosk` with the desktop instead"
            )
        _print_files(unit=unit)
        return
    require_extra("web", "thistlebot serve")
    if devices or add is not None or revoke is not None:
        reached = "0.0.0.0" if host == _HERE else host  # noqa: S104 - a link for other computers
        manage_devices((reached, http_port), add, scope, revoke, json=json)
        return
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
    access = _access(host, host_name or [], proxy)
    _serve_panel((host, http_port), access, choices, approach, kiosk=kiosk, attract_min=attract)


def _access(host: str, names: list[str], proxy: str) -> "Access":
    """Return who may use a panel that listens at an address."""
    from frontends.panel.server.access import Access

    if not host.strip():
        raise UsageError("--host '': give an address of this computer, or 0.0.0.0 for all")
    for name in names:
        if set(name) & set("/:@ ") or not name.strip("."):
            raise UsageError(f"--host-name {name!r}: give the name alone, such as pi.lan")
    if proxy:
        try:
            proxy = str(ipaddress.ip_address(proxy))
        except ValueError:
            raise UsageError(
                f"--proxy {proxy!r}: give the address from which it connects, such as 127.0.0.1"
            ) from None
    kept = Folders.of_platform().state / "panel-token"
    return Access.of(host, kept, names, proxy, Screen().note)


def _serve_panel(
    place: tuple[str, int],
    access: "Access",
    choices: Choices,
    approach: Approach,
    *,
    kiosk: bool,
    attract_min: float | None,
) -> None:
    """Serve the panel at a host and port, and show it on this computer's display if requested."""
    from frontends.panel.address import tell_address
    from frontends.panel.full_screen import full_screen_browser, own_url
    from frontends.panel.server.serving import Served, listen, served_machine
    from frontends.panel.server.serving import serve as serve_panel

    screen = Screen()
    with ExitStack() as stack:
        show = stack.enter_context(full_screen_browser()) if kiosk else None
        listening = listen(*place)
        served: Served = served_machine(choices, Folders.of_platform(), approach, attract_min)
        address = place[0], listening.getsockname()[1]

        def ready() -> None:
            tell_address(screen, address, access)
            if show:
                show(own_url(address, access.token))

        serve_panel(served, access, listening, ready)


def _print_files(*, unit: bool) -> None:
    """Print the files that let a computer start the panel at boot."""
    if not unit:
        typer.echo(rules_text(), nl=False)
        return
    program = Path(shutil.which(sys.argv[0]) or sys.argv[0]).absolute()
    wishes = tuple(word for word in sys.argv[2:] if word != "--unit")
    typer.echo(unit_text(program, getpass.getuser(), wishes), nl=False)
