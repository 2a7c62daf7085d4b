"""How `solve --hand` works: show six faces to a webcam, then turn the moves."""

from dataclasses import replace
from functools import partial

import typer

from solver.goal import Goal
from thistlebot.cli.solve.one import SolveJob, solving_for
from thistlebot.config import LIKE_A_HAND
from thistlebot.errors import UsageError
from thistlebot.events import Event, Planned, Read
from thistlebot.journal.run_record import StoredCube
from thistlebot.reading.reader import Look
from thistlebot.records import solve_record, to_line
from thistlebot.session.composing import Recorder, solve_session
from thistlebot.session.machine import open_machine
from thistlebot.terminal.by_hand import cube_nets, step_through, tell_by_hand
from thistlebot.terminal.hand_scan import HandReader
from thistlebot.terminal.ready_solver import wait_for_tables
from thistlebot.terminal.screen import Screen


def solve_by_hand(job: SolveJob) -> None:
    """Read a cube that a person shows to a webcam, and print the moves.

    Raises:
        UsageError: The objective is the time of a rig.
        ThistlebotError: The camera failed, or the reading is not trusted.
    """
    screen, approach, any_order = job.screen, job.approach, job.source.any_order
    if approach.goal == Goal.TIME:
        raise UsageError("--objective time is for rigs: with --hand, choose htm or qtm")
    choices = replace(job.choices, rig=LIKE_A_HAND)
    with open_machine(choices, job.folders, note=screen.note) as machine:
        solving = solving_for(approach, machine, screen)
        wait_for_tables(solving, screen)
        looks: list[Look] = []
        recorder = Recorder()
        session = solve_session(
            machine,
            solving,
            [partial(_show, screen), recorder],
            looks=looks,
            source=HandReader(machine, screen, any_order=any_order),
            turn=False,
            target=job.target,
            verb="solve --hand",
            stored=StoredCube(any_order=any_order, guided=True),
        )
        plan = session.run()
    facelets, moves = plan.state.to_facelets(), plan.solution.moves
    scheme = dict(looks[-1].reading.scheme)
    if job.json:
        record = solve_record(facelets, plan.solution, None)
        typer.echo(to_line(record, scheme=scheme, verified=False, went_wrong=[]))
    tell_by_hand(screen, facelets, moves, scheme)
    step_through(screen, moves, cube_nets(facelets, moves), scheme)


def _show(screen: Screen, event: Event) -> None:
    match event:
        case Read(reading=reading):
            screen.reading(reading, net=False)
        case Planned(solution):
            screen.solution(solution, by_hand=True)
        case _:
            pass
