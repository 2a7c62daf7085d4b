"""Solving, copying and finishing what was cut off.

Reading the cube without turning it to a target.

Turning moves that were given: a scramble, or somebody's own.

Correcting the last reading, and going on with it.
"""

import msgspec

from cube.held_moves import read_moves
from cube.moves import MoveSequence
from cube.state import CubeState
from solver.stages.solution import Solution
from thistlebot.control.commands import (
    Command,
    Copy,
    Dismiss,
    ExchangeFaces,
    GoOn,
    Look,
    PutIn,
    Remember,
    Resume,
    Scramble,
    Solve,
    TakeInstead,
    TellSticker,
    Turn,
    TurnFace,
    UndoCorrection,
)
from thistlebot.control.job_context import Bench
from thistlebot.control.showing import notices
from thistlebot.errors import UsageError
from thistlebot.looking.corrections import Corrections
from thistlebot.looking.reader import Look as Seen
from thistlebot.looking.refusal import refusal
from thistlebot.records import full_reading_record
from thistlebot.runs.events import Entered, Looked, Phase
from thistlebot.session.composing import record_runs, resume_session, solve_session
from thistlebot.session.session import Session
from thistlebot.session.target import Target
from thistlebot.session.turning import turn_given
from thistlebot.solving.solver import random_scramble
from vision.reading import CubeReading


def look(bench: Bench, _command: Look) -> None:
    """Read the cube."""
    bench.asked = Solve()
    reading = _read(bench)
    if reading.facelets is None:
        raise refusal(reading)


def remember(bench: Bench, _command: Remember) -> None:
    """Read the cube, and remember it."""
    reading = _read(bench)
    if reading.facelets is None:
        raise refusal(reading)
    bench.remembered = Target(CubeState.from_facelets(reading.facelets), reading.scheme)
    bench.hub.tell(notices.Remembered(reading.facelets.text))


def put_in(bench: Bench, _command: PutIn) -> None:
    """Put another cube into the virtual rig, as a person would into a real one."""
    if not bench.machine.choices.virtual:
        raise UsageError("only a virtual machine can be given another cube by itself")
    bench.machine.scramble_virtual_cube(None, bench.rng)
    bench.look_as_it_lies()


def _read(bench: Bench) -> CubeReading:
    """Look, tell what is seen, and leave the layers as they were."""
    machine = bench.machine
    if not machine.scan.moves_nothing:
        bench.connect()
    reader = machine.view_reader()
    bench.hub.tell(Entered(Phase.SCAN))

    def tell_stop(done: int, total: int) -> None:
        bench.hub.tell(Looked(done, total))
        bench.require_going_on()

    reader.on_stop = tell_stop
    frames = reader.look()
    bench.hub.tell(Entered(Phase.DECODE))
    reading = reader.read(frames)
    reader.put_back()
    bench.tell_reading(Seen(frames, reading))
    pose = machine.known_pose()
    if pose is not None:
        bench.driver().run(machine.rig.rest(pose))
    return reading


_VERB_OF_MOVES = "run"
"""The verb of the command line that turns given moves; such runs are no solves."""


def scramble(bench: Bench, _command: Scramble) -> None:
    """Turn a random scramble, and look at the cube."""
    _turn(bench, random_scramble(bench.solving, bench.rng))


def turn(bench: Bench, command: Turn) -> None:
    """Turn the given moves, and look at the cube."""
    _turn(bench, read_moves(command.moves).simplified())


def _turn(bench: Bench, moves: MoveSequence) -> None:
    machine = bench.machine
    driver = bench.driver()
    program = machine.rig.plan(moves, driver.lanes, driver.pose)
    bench.hub.tell(notices.Laid(tuple(str(step.moves) for step in program.steps)))
    recording = record_runs(machine, _VERB_OF_MOVES, moves=str(program.moves))
    turn_given(driver, program, (bench.listen, recording))
    if driver.pose is not None:
        driver.run(machine.rig.rest(driver.pose))
    machine.settle()
    bench.look_as_it_lies()


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


def correct(bench: Bench, command: Command) -> None:
    """Take one correction, and tell what it changes.

    Raises:
        UsageError: There is no reading that could be corrected.
        VisionError: What is said makes no sense.
    """
    before = bench.corrections or _begin(bench)
    after = said(before, command)
    bench.corrections = after
    bench.hub.tell(
        notices.Corrected(
            full_reading_record(after.reading),
            tuple(msgspec.to_builtins(change) for change in after.changes),
            len(after.earlier),
        )
    )


def go_on(bench: Bench, _command: GoOn) -> None:
    """Do what was asked for, with the reading as it is corrected now.

    Raises:
        UsageError: It is not sure yet.
    """
    corrections, asked = bench.corrections, bench.asked
    if corrections is None or corrections.reading.facelets is None:
        raise UsageError("the reading is not sure yet: correct another sticker, or read again")
    target = Target.of(asked.target) if asked.target else None
    state = CubeState.from_facelets(corrections.reading.facelets).apply(_turned(bench))
    session_for(bench, target, turn=not asked.dry_run, given=True).run(state)


def dismiss(bench: Bench, _command: Dismiss) -> None:
    """Put away what asks for attention."""
    bench.corrections = None
    bench.hub.tell(notices.Dismissed())


def said(before: Corrections, command: Command) -> Corrections:
    """Take one thing that is said of a reading.

    Raises:
        VisionError: It makes no sense.
        InvalidCubeError: It names no sticker.
    """
    after = before
    match command:
        case TellSticker(sticker, face):
            after = before.tell(sticker, face)
        case TurnFace(face, quarters):
            after = before.turn(face, quarters)
        case ExchangeFaces(one, other):
            after = before.exchange(one, other)
        case UndoCorrection():
            after = before.undo()
        case TakeInstead():
            after = before.accept_instead()
    return after


def _begin(bench: Bench) -> Corrections:
    if not bench.looks or not bench.hub.view.look.can_correct:
        raise UsageError("there is no reading that could be corrected: read the cube first")
    machine = bench.machine
    return Corrections.of(bench.looks[-1].reading, machine.profile, machine.choices.scheme)


def _turned(bench: Bench) -> MoveSequence:
    """Return what the last look turned, where a rig has to turn the cube to see it."""
    return bench.machine.view_reader().turned
