"""The devices that may use a panel that is open to the network: `serve --devices`."""

from datetime import datetime
from typing import Annotated

import typer

from frontends.panel.address import panel_url, qr_code
from frontends.panel.server.access import DEVICES
from frontends.panel.server.devices import Devices, DeviceScope
from thistlebot.config import Folders
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen

_PANEL = "Devices of other people"
Listed = Annotated[
    bool,
    typer.Option(
        "--devices",
        help="List the devices that may use the panel over the network, instead of serving.",
        rich_help_panel=_PANEL,
    ),
]
Added = Annotated[
    str | None,
    typer.Option(
        "--add",
        metavar="NAME",
        help="Add a device, and show the link that lets it in.",
        rich_help_panel=_PANEL,
    ),
]
Scope = Annotated[
    DeviceScope,
    typer.Option(
        "--scope",
        help="What the added device may do; all but visitors may press Stop.",
        rich_help_panel=_PANEL,
    ),
]
Revoked = Annotated[
    str | None,
    typer.Option(
        "--revoke",
        metavar="NAME",
        help="Revoke the access of a device.",
        rich_help_panel=_PANEL,
    ),
]


def manage_devices(
    place: tuple[str, int], add: str | None, scope: DeviceScope, revoke: str | None, *, json: bool
) -> None:
    """List the devices of the panel at a place, after adding or revoking one.

    Raises:
        UsageError: The name is taken, or unknown.
    """
    screen = Screen(quiet=json)
    known = Devices(Folders.of_platform().state / DEVICES)
    if revoke is not None:
        known.revoke(revoke)
        screen.line(f"revoked   {revoke}")
    if add is not None:
        url = panel_url(place, known.add(add, scope))
        screen.line(f"open      {url}")
        if screen.out.is_terminal:
            screen.line(qr_code(url))
        screen.note("open this address on the device; whoever has it may do the same")
        if json:
            typer.echo(to_line({"name": add, "scope": scope, "url": url}))
        return
    for device in known.known():
        since = datetime.fromtimestamp(device.made_s).astimezone().strftime("%Y-%m-%d %H:%M")
        screen.line(f"{device.name:<20} {device.scope:<10} since {since}")
        if json:
            record = {"name": device.name, "scope": device.scope, "made": device.made_s}
            typer.echo(to_line(record))
