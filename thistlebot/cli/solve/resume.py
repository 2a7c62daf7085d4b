"""What `solve --resume` does: finish the moves of a solve whose program was killed."""

import typer

from cube.state import CubeState
from solver.stages.solution import Solution
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.session.composing import resume_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.recorder import Recorder
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.screen import Screen


def tell_unfinished(machine: Machine, screen: Screen) -> None:
    """Say that a program was cut off, to a person who begins another one."""
    if not machine.choices.virtual and machine.program_journal.unfinished() is not None:
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
    with (
        open_machine(choices, folders, note=screen.note) as machine,
        ProgressListener(screen) as listener,
    ):
        record = machine.program_journal.last()
        if record is None:
            raise UsageError(
                "there is nothing to finish: no program is written down that was cut off; "
                "`thistlebot solve` looks at the cube"
            )
        if record.ended:
            raise UsageError(f"the last program cannot be finished: {record.ended}")
        recorder = Recorder(None)

        def solve(state: CubeState) -> Solution:  # loads its tables only if it comes to that
            solving = Solving(
                folders.cache,
                Approach(rig_turns=True),
                machine.rig,
                screen.note,
                lanes=machine.known_lanes,
            )
            return solving(state)

        session = resume_session(machine, record, (listener, recorder), solve=solve, verify=verify)
        screen.line(f"resuming  {' '.join(record.steps)}")
        session.resume(record)
    if as_json:
        moves = " ".join(record.steps)
        told = {"resumed": True, "moves": moves, "verified": recorder.verified}
        typer.echo(to_line(told | {"went_wrong": recorder.went_wrong}))
