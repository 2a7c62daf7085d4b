"""What went wrong with turns, in the reader's language."""

from thistlebot.events import Mishap, Reconnected
from thistlebot.words.words import Words


def mishap_text(told: Mishap, words: Words, *, corrected: bool) -> str:
    """Return what went wrong, in one sentence."""
    if isinstance(told, Reconnected):
        return words("mishap.lost", step=told.done + 1, time=words.number(told.lost_s, ".1f"))
    made = (
        words(f"mishap.{each.kind}", turn=each.turn, does=each.does, by=", ".join(each.by))
        for each in told.deviations
    )
    text = "; ".join(made) or words("mishap.unexplained")
    return words("mishap.corrected", text=text) if corrected else text
