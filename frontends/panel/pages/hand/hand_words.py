"""The texts of the page By hand, in the reader's language."""

from frontends.control.view_model.by_hand import HandTurns
from thistlebot.reading.corrections import Change
from thistlebot.words.words import Words


def changes_text(changes: tuple[Change, ...], scheme: dict[str, str], words: Words) -> str:
    """Return the effect of a correction: what was given, then what follows from it."""
    if not changes:
        return ""
    parts = [
        words(
            "hand.change_told" if change.told else "hand.change_follows",
            sticker=change.facelet,
            colour=words(f"cube.{scheme[change.after]}"),
        )
        for change in sorted(changes, key=lambda each: not each.told)
    ]
    return words("hand.changes", changes=", ".join(parts))


def hold_text(way: HandTurns, words: Words) -> str:
    """Return how to hold the cube."""
    up, front = words(f"cube.{way.up}"), words(f"cube.{way.front}")
    told = words("hand.hold", up=up, front=front)
    return told if way.known else f"{told} {words('hand.hold_guessed')}"


def turn_text(way: HandTurns, words: Words) -> str:
    """Return what to turn now."""
    if way.done >= len(way.moves):
        return ""
    move = way.moves[way.done]
    quarters = {"": 1, "2": 2, "'": 3}[move[1:]]
    face, turn = words(f"cube.face_{move[0]}"), words(f"cube.turn_{quarters}")
    return words("hand.turn", face=face, turn=turn)
