"""Verbs for this computer and its devices: `devices` and `doctor`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import typer

from robot.ports.serial_port import serial_ports
from thistlebot.cli import options
from thistlebot.cli.verbs import VERBS
from thistlebot.config import Folders
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.session.examination import Health, examine_everything
from thistlebot.terminal.screen import Screen
from vision.cameras.camera_kinds import list_cameras


def devices(json: options.Json = False) -> None:
    """List the serial ports and the cameras of this computer.

    The board is on one of the ports: --port takes its name, and --camera that of a camera.
    """
    ports = [{"device": port.device, "description": port.description} for port in serial_ports()]
    _print_list(ports, json, "no serial port found; connect the board with a data cable")
    cameras = [{"source": camera.source, "name": camera.name} for camera in list_cameras()]
    _print_list(
        cameras, json, "no camera found; plug one in, or give this program permission to use it"
    )


def _print_list(records: Sequence[Mapping[str, int | str]], json: bool, nothing: str) -> None:
    for record in records:
        (kind, name), (_, text) = record.items()
        typer.echo(
            to_line(dict(record))
            if json
            else f"{'port' if kind == 'device' else 'camera':<10}{name}\t{text}"
        )
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
    """Check the machine, and explain how to fix problems.

    Nothing moves: the board only reports its identity. The exit code is that of the first problem:
    2 for the configuration, 5 for something that is missing or not ready.
    """
    colours = options.parse_scheme(scheme)
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, scheme=colours)
    findings = []
    screen = Screen(quiet=json)
    for finding in examine_everything(choices, Folders.of_platform(), (VERBS,)):
        findings.append(finding)
        mark = {Health.GOOD: "[green]good[/]  ", Health.BAD: "[bold red]bad[/]   "}
        screen.out.print(mark.get(finding.health, "[yellow]absent[/]"), finding.subject, end="  ")
        screen.line(finding.text)
        if json:
            record = {"subject": finding.subject.strip(), "health": finding.health.value}
            plugin = {} if finding.plugin is None else {"plugin": asdict(finding.plugin)}
            typer.echo(to_line(record | {"text": finding.text} | plugin))
    if code := next((finding.code for finding in findings if finding.code), None):
        raise typer.Exit(code)
