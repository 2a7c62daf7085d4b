"""What `solve --resume` does: finish the moves of a solve whose program was killed."""

import typer

from cube.state import CubeState
from solver.stages.solution import Solution
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.records import to_line
from thistlebot.session.events import Event, Verified
from thistlebot.session.machine import Choices, Workshop, open_workshop
from thistlebot.session.session import Session
from thistlebot.terminal.progress_listener import Listener
from thistlebot.terminal.screen import Screen


def tell_unfinished(workshop: Workshop, screen: Screen) -> None:
    """Say that a program was cut off, to a person who begins another one."""
    if not workshop.choices.virtual and workshop.journal.unfinished() is not None:
        screen.note(
            "the last program was cut off; its rest is given up now "
            "(`thistlebot solve --resume` would have finished it)"
        )


def resume_solve(
    choices: Choices, folders: Folders, screen: Screen, *, verify: bool, as_json: bool
) -> None:
    """Ask the board how far it came, have it turn the rest, and look at the cube.

    Raises:
        UsageError: No program was cut off, or its rest was given up.
        BoardResetError: The board has restarted since: scan again.
        ThistlebotError: The record and the board do not fit: scan again. Or a part failed.
    """
    with open_workshop(choices, folders) as workshop, Listener(screen) as listener:
        record = workshop.journal.last()
        if record is None:
            raise UsageError("there is nothing to finish: the last program came to its end")
        if record.ended:
            raise UsageError(f"the last program cannot be finished: {record.ended}")
        driver = workshop.connected_driver()
        checker = workshop.view_reader() if verify and record.solves else None
        verified = False

        def publish(event: Event) -> None:
            nonlocal verified
            listener(event)
            if isinstance(event, Verified):
                verified = event.solved

        screen.line(f"resuming  {' '.join(record.steps)}")
        session = Session(_no_solver, workshop.rig, checker=checker, driver=driver, publish=publish)
        session.resume(record)
    if as_json:
        moves = " ".join(record.steps)
        typer.echo(to_line({"resumed": True, "moves": moves, "verified": verified}))


def _no_solver(_: CubeState) -> Solution:
    raise AssertionError("a program that is finished is not solved again")
