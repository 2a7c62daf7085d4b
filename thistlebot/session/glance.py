"""A first look after the turns, for which nobody waits."""

from collections.abc import Callable

from cube.facelets import SOLVED_FACELETS
from thistlebot.looking.reader import Look, Reader
from thistlebot.session.events import Check, Checking, Event
from vision.errors import CameraError


def solved_at_a_glance(checker: Reader, publish: Callable[[Event], None]) -> Look | None:
    """Look before the faces rest; only what is then read as the solved cube counts.

    Args:
        checker: Looks.
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
    return look if look.reading.facelets == SOLVED_FACELETS else None
