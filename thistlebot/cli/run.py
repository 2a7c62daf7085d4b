"""The verbs that turn given moves: `run` and `scramble`."""

from typing import Annotated

import numpy as np
import typer

from cube.facelets import SOLVED_FACELETS
from cube.held_moves import read_moves
from cube.moves import FACES, MoveSequence, axial_htm, axial_qtm, htm, qtm
from cube.state import SOLVED
from robot.link.packet_log import describe_program
from robot.rigs.program import RigProgram
from thistlebot.cli import options
from thistlebot.config import Folders, load_rig
from thistlebot.records import action_records, to_line
from thistlebot.session.choices import Choices
from thistlebot.session.composing import record_runs
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.turning import turn_given
from thistlebot.solving.approach import QUICK, Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.by_hand import tell_by_hand
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.ready_solver import wait_for_tables
from thistlebot.terminal.screen import Screen


def run(
    moves: Annotated[str, typer.Argument(help='Moves, such as "R U R\' U\'" or "[R, U]2".')],
    rig: options.Rig = None,
    port: options.Port = None,
    virtual: options.Virtual = False,
    aligned: options.Aligned = False,
    dry_run: options.DryRun = False,
    json: options.Json = False,
    verbose: options.Verbose = 0,
) -> None:
    """Execute the given moves.

    [bold]thistlebot run "R U R' U'" --dry-run[/]
    """
    sequence = read_moves(moves)
    choices = Choices(rig, None, port, (), virtual, aligned=aligned)
    perform("run", sequence, choices, dry_run=dry_run, json=json, packets=verbose > 0)


def scramble(
    rig: options.Rig = None,
    port: options.Port = None,
    virtual: options.Virtual = False,
    aligned: options.Aligned = False,
    dry_run: options.DryRun = False,
    seed: options.Seed = None,
    json: options.Json = False,
    verbose: options.Verbose = 0,
) -> None:
    """Scramble the cube in the rig; all states are equally likely.

    The moves are a scramble as in a competition: they turn a solved cube into a random one,
    which is shown and which no single turn solves. With --dry-run nothing is turned.
    """
    folders = Folders.of_platform()
    screen = Screen(quiet=json)
    machine = load_rig(rig, folders)
    approach = QUICK if set(machine.faces) == set(FACES) else Approach()
    solver = Solving(folders.cache, approach, machine, screen.note)
    wait_for_tables(solver, screen)
    sequence = solver.scramble(np.random.default_rng(seed))
    if not dry_run:
        screen.line("starting from a solved cube, the moves make")
        screen.net(SOLVED.apply(sequence).to_facelets())
    choices = Choices(rig, None, port, (), virtual, aligned=aligned)
    perform("scramble", sequence, choices, dry_run=dry_run, json=json, packets=verbose > 0)


def perform(
    verb: str,
    sequence: MoveSequence,
    choices: Choices,
    *,
    dry_run: bool,
    json: bool,
    packets: bool,
) -> None:
    """Print the given moves, and turn them unless this is a dry run.

    Raises:
        StoppedError: The user stopped; the faces are at detents.
        LinkError: There is no board, or it is lost.
        RigError: The rig stopped unexpectedly.
    """
    screen = Screen(quiet=json)
    with open_machine(choices, note=screen.note) as machine:
        program = machine.rig.plan(sequence.simplified())
        screen.line(f"moves     {sequence}")
        screen.line(f"predicted {program.time_s:.2f} s on this rig")
        if dry_run:
            screen.actions(program)
            tell_by_hand(screen, SOLVED_FACELETS, sequence, machine.scheme)
        if packets:
            for line in describe_program(program):
                screen.line(line)
        if not dry_run:
            turn_program(machine, program, screen, verb)
    if json:
        record: dict[str, object] = {
            "moves": str(sequence),
            "facelets": SOLVED.apply(sequence).to_facelets().text,
            "htm": htm(sequence),
            "qtm": qtm(sequence),
            "axial_htm": axial_htm(sequence),
            "axial_qtm": axial_qtm(sequence),
            "time_s": round(program.time_s, 6),
            "executed": not dry_run,
        }
        if program.handles_cube:
            record["actions"] = action_records(program)
        typer.echo(to_line(record))


def turn_program(machine: Machine, program: RigProgram, screen: Screen, verb: str) -> None:
    """Have the rig turn a program, show progress, and record it in the journal.

    Raises:
        StoppedError: The user stopped; the faces are at detents.
        LinkError: The board is lost.
        RigError: The rig stopped unexpectedly.
    """
    driver = machine.driver()
    recording = record_runs(machine, verb, moves=str(program.moves_of(len(program.steps))))
    with ProgressListener(screen) as listener:
        turn_given(driver, program, (listener, recording))
