"""A first look after the turns, for which nobody waits."""

from collections.abc import Callable

from thistlebot.looking.reader import Look, Reader
from thistlebot.runs.events import Check, Checking, Event
from thistlebot.session.target import Target
from vision.errors import CameraError


def reached_at_a_glance(
    checker: Reader, target: Target, publish: Callable[[Event], None]
) -> Look | None:
    """Look before the faces rest; only what is then read as the target counts.

    Args:
        checker: Looks.
        target: What the cube is to show.
        publish: Tells the session's listeners.

    Returns:
        What was seen; None where a look after a rest has to tell.
    """
    publish(Checking(Check.LOOK))
    try:
        frames = checker.glance()
    except CameraError:
        return None  # the look after the rest opens it again, or says what is wrong
    if not frames:
        return None
    publish(Checking(Check.READ))
    look = Look(frames, checker.read_glance(frames))
    wanted = target.named_as(look.reading.scheme) if look.reading.accepted else target
    return look if look.reading.facelets == wanted.facelets else None
