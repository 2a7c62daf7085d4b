"""The verbs for the board alone: `flash`, `try`, `stop` and `align`."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from robot.ports.serial_port import port_names
from robot.protocol.messages import State, Status
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import RigProgram
from robot.running.buzz import BUZZ_DEG, buzz
from robot.running.program_run import AT_DETENTS, stop_cause
from thistlebot.cli import options
from thistlebot.config import Folders, load_rig
from thistlebot.errors import NotVerifiedError, StoppedError, UsageError
from thistlebot.records import action_records, to_line
from thistlebot.session.board_port import STOPPING_S, ask_to_stop
from thistlebot.session.choices import Choices
from thistlebot.session.flashing import plan_flashing, run_flashing
from thistlebot.session.machine import Machine, open_machine
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen


def flash(
    board: Annotated[
        str,
        typer.Option(
            "--board", metavar="BOARD", help="Kind of board: uno, nano, mega …; `?` lists all."
        ),
    ] = "uno",
    hex_file: Annotated[
        Path | None,
        typer.Option("--hex", metavar="FILE", help="Load this binary instead."),
    ] = None,
    rig: options.Rig = None,
    port: options.Port = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the commands, but run nothing.")
    ] = False,
) -> None:
    """Load the firmware onto the board.

    The tool is avrdude or arduino-cli; if both are missing, the message says what to install. A
    release includes the binaries; `make hex` builds those of a checkout. The motors are off
    meanwhile.
    """
    screen = Screen()
    known = port or load_rig(rig, Folders.of_platform()).port
    device = known or ("PORT" if dry_run and not port_names() else _only_port())
    flashing = plan_flashing(board, device, hex_file, _assumed if dry_run else shutil.which)
    screen.line(" ".join(flashing.command))
    if not dry_run:
        run_flashing(flashing)
        screen.line(f"the firmware is loaded; next: thistlebot doctor --port {device}")


def _assumed(tool: str) -> str | None:
    """Find a program, or assume that it is there."""
    return shutil.which(tool) or tool


def _only_port() -> str:
    ports = port_names()
    if len(ports) != 1:
        found = ", ".join(ports) or "none"
        raise UsageError(
            f"cannot tell which port the board is on (found: {found}); name it with --port"
        )
    return ports[0]


def try_part(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="FACE|ACTION",
            help="A face, U R F D L or B; on other machines the name of a stepper or an action, "
            "or the beginning of the name. Without it: list them all.",
        ),
    ] = None,
    angle: Annotated[
        float,
        typer.Option(
            metavar="DEG", help="Angle in degrees, of the face or part that the stepper turns."
        ),
    ] = BUZZ_DEG,
    rig: options.Rig = None,
    port: options.Port = None,
    virtual: options.Virtual = False,
    aligned: options.Aligned = False,
    json: options.Json = False,
) -> None:
    """Move one motor or part a little, to check it.

    A face turns a little clockwise (seen facing it) and back, three times. If another face moves,
    exchange the channels in the rig file. If it turns the wrong way, change its `direction`.

    An action runs once, with the actions that lead to it and back to the machine's start position.
    Take the cube out first.
    """
    screen = Screen(quiet=json)
    with open_machine(Choices(rig, None, port, (), virtual, aligned=aligned)) as machine:
        if name is None:
            _list_parts(machine.rig, screen, as_json=json)
            return
        motors = {each.casefold(): each for each in machine.rig.motors}
        motor = motors.get(name.casefold())
        if motor is None and machine.rig.action_names:
            _do_action(machine, machine.rig.there_and_back(name), screen, as_json=json)
            return
        motor = motor or name.upper()
        small = machine.rig.buzz(motor, angle)
        buzz(machine.driver(), small)
    screen.line(f"tried     {motor} on channel {small.channel}, {small.steps} steps and back")
    if json:
        record = {"face": motor, "channel": small.channel, "steps": small.steps}
        typer.echo(to_line(record))


def _list_parts(rig: Mechanism, screen: Screen, *, as_json: bool) -> None:
    motors = {name: f"motor {motor.channel}, a little" for name, motor in rig.motors.items()}
    for name, text in (motors | dict.fromkeys(rig.action_names, "there and back")).items():
        screen.line(f"{name:<{max(map(len, (*motors, *rig.action_names)))}}  {text}")
        if as_json:
            typer.echo(to_line({"name": name, "text": text}))


def _do_action(machine: Machine, program: RigProgram, screen: Screen, *, as_json: bool) -> None:
    driver = machine.driver()
    screen.actions(program)
    driver.run(program)
    screen.line("tried     and back at the start")
    if as_json:
        typer.echo(to_line({"actions": action_records(program)}))


def stop(
    release: Annotated[
        bool, typer.Option("--release", help="Switch the motors off afterwards.")
    ] = False,
    rig: options.Rig = None,
    port: options.Port = None,
    virtual: options.Virtual = False,
    json: options.Json = False,
) -> None:
    """Stop the board at the next detent, and discard the moves.

    If one of your programs is using the board, it is asked to stop, like Ctrl-C in its terminal or
    STOP in its panel; otherwise the board is stopped directly. The command succeeds only if the
    board has confirmed that nothing turns.
    """
    screen, folders = Screen(quiet=json), Folders.of_platform()
    named = port or load_rig(rig, folders).port
    asked = () if virtual else ask_to_stop(folders.state, named or None)
    for each in asked:
        if each.stopped:
            screen.line(f"stopped   {each.who}")
    if turning := [each.who for each in asked if not each.stopped]:
        raise NotVerifiedError(
            f"{' and '.join(turning)} did not stop its board within {STOPPING_S:.0f} s: press the "
            "emergency stop, end that program, then run `thistlebot stop` again"
        )
    if asked:
        if release:
            screen.note("the motors stay on while that program uses the board")
        if json:
            typer.echo(to_line({"asked": [each.who for each in asked]}))
        return
    with open_machine(Choices(rig, None, port, (), virtual)) as machine:
        driver = machine.connected_driver()
        status = driver.stop()
        if release and status.state is not State.ESTOP:
            driver.release()
    screen.line(f"stopped   {_rest(status, release=release)}")
    if json:
        typer.echo(to_line({"state": status.state.name, "executed": status.executed}))


def align(
    aligned: Annotated[bool, typer.Option("--aligned", help="Do not ask.")] = False,
    rig: options.Rig = None,
    port: options.Port = None,
    json: options.Json = False,
) -> None:
    """Confirm that all faces are aligned after an interrupted turn.

    An emergency stop, a stall or a restart of the board may leave a face between two detents, where
    it blocks its neighbours. Nothing turns until you have aligned the faces by hand and confirmed
    it. The motors are off meanwhile.
    """
    screen = Screen(quiet=json)
    with open_machine(Choices(rig, None, port)) as machine:
        why = machine.why_askew()
        if why:
            screen.line(f"unaligned {why}")
            driver = machine.connected_driver()
            if driver.status().state is not State.ESTOP:
                driver.release()
            if not aligned:
                _ask_whether_straight(screen, as_json=json)
            machine.confirm_aligned()
    screen.line("aligned   confirmed" if why else "aligned   no turn was interrupted")
    if json:
        typer.echo(to_line({"cut_off": why}))


def _ask_whether_straight(screen: Screen, *, as_json: bool) -> None:
    if not Keyboard(wanted=screen.live.is_terminal and not as_json).available:
        raise UsageError("cannot ask for confirmation without a terminal: add --aligned")
    if not typer.confirm("align every face by hand; are all faces aligned now?"):
        raise StoppedError("stopped; nothing turns until every face is aligned")


def _rest(status: Status, *, release: bool) -> str:
    """Describe the machine's state after a stop."""
    if status.state is State.ESTOP:
        return "by the emergency stop: release it and align the faces by hand"
    if status.state is State.DISABLED:
        return "nothing turns; the motors are off, and the faces can be turned by hand"
    if status.fault not in AT_DETENTS:
        return stop_cause(status)
    held = "off; the faces can be turned by hand" if release else "on"
    return f"every face stands at a detent; the motors are {held}"
