"""Verbs about this computer and what is plugged in: `ports`, `cameras`, `doctor`."""

from collections.abc import Mapping, Sequence

import typer

from robot.running.find_port import list_ports
from thistlebot.cli.options import declared as options
from thistlebot.config import Folders
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.session.doctor import Health, examine_everything
from thistlebot.terminal.screen import Screen
from vision.cameras.camera_kinds import list_cameras


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("ports")(ports)
    app.command("cameras")(cameras)
    app.command("doctor")(doctor)


def ports(json: options.Json = False) -> None:
    """List the serial ports; the board is behind one of them."""
    found = [{"device": port.device, "description": port.description} for port in list_ports()]
    _print_list(found, json, "no serial port; plug the board in with a data cable")


def cameras(json: options.Json = False) -> None:
    """List the cameras of this computer."""
    found = [{"source": camera.source, "name": camera.name} for camera in list_cameras()]
    _print_list(found, json, "no camera; plug one in, or allow this program to use it")


def _print_list(records: Sequence[Mapping[str, int | str]], json: bool, nothing: str) -> None:
    for record in records:
        typer.echo(to_line(dict(record)) if json else "\t".join(map(str, record.values())))
    if not records:
        Screen().note(nothing)


def doctor(
    rig: options.Rig = None,
    profile: options.Profile = None,
    port: options.Port = None,
    camera: options.Camera = None,
    scheme: options.Scheme = None,
    virtual: options.Virtual = False,
    json: options.Json = False,
) -> None:
    """Examine everything the machine needs, and say what to do about what is missing.

    Nothing moves: the board is only asked who it is. The exit code is that of the first problem: 2
    for the configuration, 5 for what is missing.
    """
    colours = options.parse_scheme(scheme)
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, scheme=colours)
    findings = []
    screen = Screen(quiet=json)
    for finding in examine_everything(choices, Folders.of_platform()):
        findings.append(finding)
        mark = {Health.GOOD: "[green]good[/]  ", Health.BAD: "[bold red]bad[/]   "}
        screen.out.print(mark.get(finding.health, "[yellow]absent[/]"), finding.subject, end="  ")
        screen.line(finding.text)
        if json:
            record = {"subject": finding.subject.strip(), "health": finding.health.value}
            typer.echo(to_line(record | {"text": finding.text}))
    if code := next((finding.code for finding in findings if finding.code), None):
        raise typer.Exit(code)
