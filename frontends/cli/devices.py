"""The verb `devices`: who may use a panel that is open to the network."""

from datetime import datetime
from typing import Annotated

import typer

from frontends.cli.serve import DEFAULT_PORT
from frontends.panel.address import panel_url, qr_code
from frontends.panel.server.access import DEVICES
from frontends.panel.server.devices import Devices, DeviceScope
from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen


def devices(
    add: Annotated[
        str | None,
        typer.Option(
            "--add", metavar="NAME", help="Add a device, and show the link that lets it in."
        ),
    ] = None,
    scope: Annotated[
        DeviceScope,
        typer.Option("--scope", help="What the device may do; all but visitors may press Stop."),
    ] = DeviceScope.OPERATE,
    revoke: Annotated[
        str | None, typer.Option("--revoke", metavar="NAME", help="Revoke the access of a device.")
    ] = None,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Address on which `serve` listens.")
    ] = "0.0.0.0",  # noqa: S104 - as of `serve`
    http_port: Annotated[
        int, typer.Option("--http-port", min=1, max=65535, help="Port of the panel.")
    ] = DEFAULT_PORT,
    json: options.Json = False,
) -> None:
    """List, add or revoke devices that may use the panel over the network.

    [bold]thistlebot devices --add tablet --scope watch[/]
    [bold]thistlebot devices --revoke tablet[/]
    """
    screen = Screen(quiet=json)
    known = Devices(Folders.of_platform().state / DEVICES)
    if revoke is not None:
        known.revoke(revoke)
        screen.line(f"revoked   {revoke}")
    if add is not None:
        url = panel_url((host, http_port), known.add(add, scope))
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
