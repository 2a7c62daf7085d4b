"""The jobs that read, turn and solve the cube in the machine, and correct its reading."""

from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from cube.held_moves import read_moves
from cube.moves import MoveSequence
from cube.state import CubeState
from frontends.control.commands import (
    Again,
    Align,
    Copy,
    Correction,
    Dismiss,
    ExchangeFaces,
    Look,
    Proceed,
    PutIn,
    Remember,
    Scramble,
    Solve,
    TakeInstead,
    TellSticker,
    Turn,
    TurnFace,
    UndoCorrection,
)
from frontends.control.job_context import JobContext
from frontends.control.task import CORRECT, Jobs, NamedJob
from frontends.control.view_model import notices
from thistlebot.errors import UsageError
from thistlebot.events import Entered, Listener, Looked, Phase
from thistlebot.reading.corrections import Corrections
from thistlebot.reading.reader import Look as Seen
from thistlebot.reading.refusal import state_of
from thistlebot.reading.typed_cube import TypedCube
from thistlebot.records import full_reading_record
from thistlebot.session.choices import StagedMistake
from thistlebot.session.composing import record_runs, solve_session
from thistlebot.session.session import Session
from thistlebot.session.target import Target
from thistlebot.session.turning import turn_given
from vision.reading import CubeReading


def look(context: JobContext, _command: Look) -> None:
    """Read the cube."""
    context.asked = Solve()
    state_of(_read(context))


def remember(context: JobContext, _command: Remember) -> None:
    """Read the cube, and store it for copying."""
    reading = _read(context)
    context.remembered = Target(state_of(reading), reading.scheme)
    context.hub.update(remembered=reading.best.text)


def put_in(context: JobContext, _command: PutIn) -> None:
    """Put another cube into the virtual rig, as a person would into a real one."""
    if not context.machine.choices.virtual:
        raise UsageError("only a virtual machine can get another cube automatically")
    context.machine.scramble_virtual_cube(None, context.rng)
    context.look_as_it_lies()


def _read(context: JobContext) -> CubeReading:
    """Look, publish the reading, and undo the turns of layers."""
    machine = context.machine
    if not machine.scan.moves_nothing:
        context.connect()
    reader = machine.view_reader()
    context.hub.tell(Entered(Phase.SCAN))

    def tell_stop(done: int, total: int) -> None:
        context.hub.tell(Looked(done, total))
        if done < total:
            context.tell_glimpses()
        context.require_not_stopped()

    reader.on_stop = tell_stop
    frames = reader.look()
    context.hub.tell(Entered(Phase.DECODE))
    reading = reader.read(frames)
    reader.return_cube()
    context.tell_reading(Seen(frames, reading))
    pose = machine.known_pose()
    if pose is not None:
        context.driver().run(machine.rig.rest(pose))
    return reading


def scramble(context: JobContext, _command: Scramble) -> None:
    """Turn a random scramble, and look at the cube."""
    _turn(context, context.solving.scramble(context.rng), "scramble")


def turn(context: JobContext, command: Turn) -> None:
    """Turn the given moves, and look at the cube."""
    _turn(context, read_moves(command.moves).simplified(), "run")


def _turn(context: JobContext, moves: MoveSequence, verb: str) -> None:
    machine = context.machine
    driver = context.driver()
    program = machine.rig.plan(moves, driver.lanes, driver.pose)
    context.hub.tell(notices.Laid(tuple(str(step.moves) for step in program.steps)))
    recording = record_runs(machine, verb, moves=str(program.moves))
    turn_given(driver, program, (context.listen, recording))
    if driver.pose is not None:
        driver.run(machine.rig.rest(driver.pose))
    machine.settle()
    context.look_as_it_lies()


def solve(context: JobContext, command: Solve) -> None:
    """Read the cube, bring it to its target and look again."""
    target = _target_of(context, command)
    if command.mistake:
        if not context.machine.choices.virtual:
            raise UsageError("only a virtual machine makes a mistake on request")
        context.machine.mistake = StagedMistake.parse(command.mistake)
    given = TypedCube.read(command.state).state if command.state else None
    context.asked = replace(command, state="")
    if given is not None and context.machine.choices.virtual:
        context.machine.scramble_virtual_cube(given, context.rng)
        given = None  # its cameras see it
    blind = given is not None and not context.machine.camera_names
    if blind:
        context.note("no camera is open: nothing will check the cube after the turns")
    session_for(
        context, target, turn=not command.dry_run, given=given is not None, verify=not blind
    ).run(given)


def _target_of(context: JobContext, asked: Solve) -> Target | None:
    return Target.of(asked.target, asked.order or None, context.note) if asked.target else None


def copy(context: JobContext, command: Copy) -> None:
    """Make the cube in the rig look like the stored one."""
    if context.remembered is None:
        raise UsageError("no cube is remembered: put it in and read it with `remember` first")
    context.asked = command
    session_for(context, context.remembered).run()


def again(context: JobContext, _command: Again) -> None:
    """Read the cube again, and do what was requested."""
    if isinstance(context.asked, Copy):
        copy(context, context.asked)
    else:
        solve(context, replace(context.asked, mistake=""))


def session_for(
    context: JobContext,
    target: Target | None,
    *,
    turn: bool = True,
    given: bool = False,
    verify: bool = True,
    verb: str = "",
    listeners: Sequence[Listener] = (),
) -> Session:
    """Compose a session whose events go to all viewers.

    Raises:
        LinkError: There is no board, and it is needed.
    """
    context.require_not_stopped()
    if turn or not (given or context.machine.scan.moves_nothing):
        context.connect()
    return solve_session(
        context.machine,
        context.solving,
        (context.listen, *listeners),
        looks=context.looks,
        given=given,
        turn=turn,
        verify=verify,
        target=target,
        verb=verb,
    )


def correct(context: JobContext, command: Correction) -> None:
    """Apply one correction, and publish its effect.

    Raises:
        UsageError: There is no reading to correct.
        VisionError: The correction makes no sense.
    """
    before = context.corrections or _begin(context)
    after = said(before, command)
    context.corrections = after
    context.hub.tell(
        notices.Corrected(
            full_reading_record(after.reading),
            after.changes,
            len(after.earlier),
        )
    )


def proceed(context: JobContext, _command: Proceed) -> None:
    """Do what was requested, with the corrected reading.

    Raises:
        UsageError: It is not sure yet.
    """
    corrections, asked = context.corrections, context.asked
    if corrections is None or corrections.reading.facelets is None:
        raise UsageError(
            "the reading is still uncertain: correct another sticker, or read the cube again"
        )
    state = CubeState.from_facelets(corrections.reading.facelets).apply(_turned(context))
    if isinstance(asked, Copy):
        session_for(context, context.remembered, given=True).run(state)
        return
    target = _target_of(context, asked)
    session_for(context, target, turn=not asked.dry_run, given=True).run(state)


def dismiss(context: JobContext, _command: Dismiss) -> None:
    """Dismiss the attention card."""
    context.corrections = None
    context.hub.update(attention=None)


def align(context: JobContext, _command: Align) -> None:
    """Process the user's confirmation that every face is aligned."""
    context.machine.confirm_aligned()
    dismiss(context, Dismiss())


def said(before: Corrections, command: Correction) -> Corrections:
    """Apply one correction.

    Raises:
        VisionError: It makes no sense.
        InvalidCubeError: It does not name a sticker.
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


def _begin(context: JobContext) -> Corrections:
    if not context.looks or not context.hub.view.look.can_correct:
        raise UsageError("there is no reading to correct: read the cube first")
    machine = context.machine
    return Corrections.of(context.looks[-1].reading, machine.profile, machine.choices.scheme)


def _turned(context: JobContext) -> MoveSequence:
    """Return the turns of the last look, if a rig must turn the cube to see it."""
    return context.machine.view_reader().turned


SOLVING_JOBS: Jobs = {
    Look: NamedJob("look", look),
    Remember: NamedJob("remember", remember),
    PutIn: NamedJob("put_in", put_in),
    Scramble: NamedJob("scramble", scramble),
    Turn: NamedJob("turn", turn),
    Solve: NamedJob("solve", solve),
    Copy: NamedJob("copy", copy),
    Again: NamedJob("proceed", again),
    **dict.fromkeys(get_args(Correction), NamedJob(CORRECT, correct)),
    Proceed: NamedJob("proceed", proceed),
    Dismiss: NamedJob(CORRECT, dismiss),
    Align: NamedJob(CORRECT, align),
}
