"""Solving, copying and finishing what was cut off."""

from cube.state import CubeState
from solver.stages.solution import Solution
from thistlebot.control.bench import Bench
from thistlebot.control.commands import Copy, Resume, Solve
from thistlebot.control.showing import notices
from thistlebot.errors import UsageError
from thistlebot.session.composing import resume_session, solve_session
from thistlebot.session.session import Session
from thistlebot.session.target import Target

VERB, VERB_TO_TARGET = "serve", "serve --to"
"""What the journal calls a solve, and what brings a cube to a pattern: that is no solve."""


def solve(bench: Bench, command: Solve) -> None:
    """Read the cube, bring it to its target and look again."""
    target = Target.of(command.target) if command.target else None
    bench.asked = command
    session_for(bench, target, turn=not command.dry_run).run()


def copy(bench: Bench, _command: Copy) -> None:
    """Make the cube in the rig look like the one that is remembered."""
    if bench.remembered is None:
        raise UsageError("no cube is remembered: put it in and read it with `remember` first")
    session_for(bench, bench.remembered, verb="copy").run()


def resume(bench: Bench, _command: Resume) -> None:
    """Finish the program that was cut off, and look at the cube."""
    machine = bench.machine
    record = machine.program_journal.last()
    if record is None:
        raise UsageError("there is nothing to finish: no program was cut off; press solve")
    if record.ended:
        raise UsageError(f"the last program cannot be finished: {record.ended}")

    def again(state: CubeState) -> Solution:
        return bench.solving(state)

    bench.connect()
    bench.hub.tell(notices.Laid(record.steps))
    bench.clock.press()
    resume_session(machine, record, (bench.listen,), solve=again).resume(record)


def session_for(
    bench: Bench,
    target: Target | None,
    *,
    turn: bool = True,
    given: bool = False,
    verb: str = "",
) -> Session:
    """Put a session together whose events go to all watchers.

    Args:
        bench: The machine.
        target: Where to bring the cube; solved unless given.
        turn: Turn the cube, not only plan.
        given: The state will be given.
        verb: What the journal calls the run; unless given, a solve or the way to a target.

    Raises:
        LinkError: There is no board, and something has to move.
    """
    bench.require_going_on()
    bench.clock.press()
    if turn or not (given or bench.machine.scan.moves_nothing):
        bench.connect()
    return solve_session(
        bench.machine,
        bench.solving,
        (bench.listen,),
        looks=bench.looks,
        given=given,
        turn=turn,
        target=target,
        verb=verb or (VERB if target is None else VERB_TO_TARGET),
    )
