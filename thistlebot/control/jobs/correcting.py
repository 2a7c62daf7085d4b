"""Correcting the last reading, and going on with it."""

import msgspec

from cube.moves import MoveSequence
from cube.state import CubeState
from thistlebot.control.bench import Bench
from thistlebot.control.commands import (
    Command,
    Dismiss,
    ExchangeFaces,
    GoOn,
    TakeInstead,
    TellSticker,
    TurnFace,
    UndoCorrection,
)
from thistlebot.control.jobs.solving import session_for
from thistlebot.control.showing import notices
from thistlebot.errors import UsageError
from thistlebot.looking.corrections import Corrections
from thistlebot.records import full_reading_record
from thistlebot.session.target import Target


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
